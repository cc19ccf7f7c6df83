/** The client reads a public page as a visitor does: within limits, and never an address that the public can't reach. */
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { PublicPages } from "../../provider/api/public-page.ts";

let answer: (request: IncomingMessage, response: ServerResponse) => void;
const asked: IncomingMessage[] = [];
const server = createServer((request, response) => {
  asked.push(request);
  answer(request, response);
});
let origin: string;
beforeAll(async () => {
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
});
afterAll(() => {
  server.closeAllConnections();
  server.close();
});
beforeEach(() => {
  asked.length = 0;
});

const here = (): PublicPages => new PublicPages(`${origin}/v1`);
const elsewhere = new PublicPages("https://api.example/v1");

test("carries no key and no cookie, and takes what a site's name on this machine stands for", async () => {
  answer = (_, response) => void response.setHeader("Set-Cookie", "a=b").end("<h1>Hello</h1>");
  const url = origin.replace("127.0.0.1", "spring.localhost");
  expect(await here().read(`${url}/offer?x=1#part`, 5_000)).toEqual({
    kind: "html",
    status: 200,
    html: "<h1>Hello</h1>",
    cut: false,
  });
  await here().read(url, 5_000);
  for (const { headers } of asked) {
    expect(Object.keys(headers).sort()).toEqual(["accept", "accept-encoding", "connection", "host", "user-agent"]);
  }
  expect(asked[0]?.url).toBe("/offer?x=1");
});

test.each([
  ["http://127.0.0.1:9/", /not public/],
  ["http://spring.localhost/", /localhost is not a public host/],
  ["http://localhost./", /localhost/],
  ["https://0x7f.1/", /not public/],
  ["https://10.0.0.7/offer", /not public/],
  ["https://169.254.169.254/latest", /not public/],
  ["https://[::1]/", /not a public host/],
  ["https://[::ffff:127.0.0.1]/", /not public/],
  ["https://printer.local/", /\.local/],
  ["https://db.internal/", /\.internal/],
  ["https://intranet/", /without a dot/],
  ["https://me:secret@spring.example/", /user name/],
  ["ftp://spring.example/", /no http/],
  ["file:///etc/passwd", /no http/],
  ["/offer", /no http/],
])("%s is not asked where the API is not on this machine", async (url, reason) => {
  expect(await elsewhere.read(url, 1_000)).toMatchObject({
    kind: "refused",
    reason: expect.stringMatching(reason) as unknown,
  });
});

test("an API on this machine allows this machine, and nothing else that is not public", async () => {
  for (const url of ["https://10.0.0.7/", "http://169.254.169.254/", "http://printer.local/"])
    expect(await here().read(url, 1_000)).toMatchObject({ kind: "refused" });
});

describe("redirects", () => {
  test("are followed, and told where they lead to what may not be asked", async () => {
    answer = ({ url }, response) => {
      if (url === "/new") response.end("there");
      else response.writeHead(302, { Location: url === "/old" ? "/new" : "http://169.254.169.254/latest" }).end();
    };
    expect(await here().read(`${origin}/old`, 5_000)).toMatchObject({ kind: "html", html: "there" });
    expect(await here().read(`${origin}/evil`, 5_000)).toMatchObject({
      kind: "refused",
      reason: expect.stringContaining("169.254.169.254") as unknown,
    });
  });

  test("end", async () => {
    answer = (_, response) => void response.writeHead(301, { Location: "/again" }).end();
    expect(await here().read(`${origin}/`, 5_000)).toMatchObject({
      kind: "unreachable",
      reason: expect.stringContaining("redirects") as unknown,
    });
    expect(asked.length).toBe(6);
  });
});

test("a large page is cut, and a slow one is not waited for", async () => {
  answer = (_, response) => void response.end(`<p>first</p>${"x".repeat(3 * 1024 * 1024)}<p>last</p>`);
  const page = await here().read(origin, 5_000);
  expect(page).toMatchObject({ kind: "html", status: 200, cut: true });
  if (page.kind === "html") expect([page.html.length, page.html.includes("first")]).toEqual([2 * 1024 * 1024, true]);
  answer = () => undefined;
  expect(await here().read(origin, 200)).toMatchObject({ kind: "unreachable", reason: "it did not answer in time" });
});
