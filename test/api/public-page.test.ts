/** The client reads a public page as a visitor does: within limits, and never an address that the public can't reach. */
import { describe, expect, test } from "vitest";
import { PublicPages } from "../../provider/api/public-page.ts";
import { forAllTests } from "../suite/opened.ts";
import { silence, startScriptedServer } from "./scripted-server.ts";

const server = forAllTests(() => startScriptedServer());
const here = (): PublicPages => new PublicPages(server.baseUrl);
const elsewhere = new PublicPages("https://api.example/v1");

const refused = (reason: string | RegExp): object => ({
  kind: "refused",
  reason: expect.stringMatching(reason) as unknown,
});

test("carries no key and no cookie, and takes what a site's name on this machine stands for", async () => {
  const html = "<h1>Hello</h1>";
  server.script((_, response) => response.setHeader("Set-Cookie", "a=b").end(html));
  const url = server.origin.replace("127.0.0.1", "spring.localhost");
  expect(await here().read(`${url}/offer?x=1#part`, 5_000)).toEqual({ kind: "html", status: 200, html, cut: false });
  await here().read(url, 5_000);
  expect(server.seen).toHaveLength(2);
  for (const { headers } of server.seen)
    expect(Object.keys(headers).sort()).toEqual(["accept", "accept-encoding", "connection", "host", "user-agent"]);
  expect(server.seen[0]?.path).toBe("/offer?x=1");
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
  expect(await elsewhere.read(url, 1_000)).toMatchObject(refused(reason));
});

test("an API on this machine allows this machine, and nothing else that is not public", async () => {
  for (const url of ["https://10.0.0.7/", "http://169.254.169.254/", "http://printer.local/"])
    expect(await here().read(url, 1_000)).toMatchObject({ kind: "refused" });
});

describe("redirects", () => {
  test("are followed, and told where they lead to what may not be asked", async () => {
    server.script(({ path }, response) => {
      if (path === "/new") response.end("there");
      else response.writeHead(302, { Location: path === "/old" ? "/new" : "http://169.254.169.254/latest" }).end();
    });
    expect(await here().read(`${server.origin}/old`, 5_000)).toMatchObject({ kind: "html", html: "there" });
    expect(await here().read(`${server.origin}/evil`, 5_000)).toMatchObject(refused("169.254.169.254"));
  });

  test("end", async () => {
    server.script((_, response) => response.writeHead(301, { Location: "/again" }).end());
    const reason: unknown = expect.stringContaining("redirects");
    expect(await here().read(`${server.origin}/`, 5_000)).toMatchObject({ kind: "unreachable", reason });
    expect(server.seen).toHaveLength(6);
  });
});

test("a large page is cut, and a slow one is not waited for", async () => {
  server.script((_, response) => response.end(`<p>first</p>${"x".repeat(3 * 1024 * 1024)}<p>last</p>`));
  const page = await here().read(server.origin, 5_000);
  expect(page).toMatchObject({ kind: "html", status: 200, cut: true });
  if (page.kind === "html") expect([page.html.length, page.html.includes("first")]).toEqual([2 * 1024 * 1024, true]);
  server.script(silence);
  const late = await here().read(server.origin, 200);
  expect(late).toMatchObject({ kind: "unreachable", reason: "it did not answer in time" });
});
