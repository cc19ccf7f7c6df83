// @module-tag thorough
/** `--notify`: one line to the webhook of a chat, which fails nothing and never shows the address. */
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { json } from "node:stream/consumers";
import { expect, test } from "vitest";
import { outputOf } from "../cli/harness.ts";
import { NearDesk } from "../cli/near-desk.ts";
import { forAllTests } from "../suite/opened.ts";
import { CodeHost } from "./code-host.ts";
import { githubJob } from "./jobs.ts";

/** A chat that answers by its path: with a status, or not at all. */
class Chat {
  readonly heard: { text: string }[] = [];
  readonly #server = createServer((request, response) => {
    void json(request).then((body) => {
      this.heard.push(body as { text: string });
      const status = Number(request.url?.split("/").at(-1));
      if (status > 0) response.writeHead(status, { location: "https://elsewhere.example/" }).end();
    });
  });

  static async open(): Promise<Chat> {
    const chat = new Chat();
    await new Promise<void>((resolve) => chat.#server.listen(0, "127.0.0.1", resolve));
    return chat;
  }

  url(answer: number): string {
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}/hooks/secret-part/${answer}`;
  }

  close(): void {
    this.#server.closeAllConnections();
    this.#server.close();
  }
}

const desk = forAllTests(() => NearDesk.open("quickstart-yaml"));
const host = forAllTests(() => CodeHost.open());
const chat = forAllTests(() => Chat.open());

/** Runs the job, which must end with this code and not show the address. Returns what it says. */
async function job(code: number, verb: string, url: string, ...args: string[]): Promise<string> {
  chat.heard.length = 0;
  const env = githubJob(host, { PULUMI_BACKEND_URL: `file://${desk.folder}`, GITHUB_RUN_ID: "77" });
  const said = await outputOf(code, desk.run(["ci", verb, "--notify", url, ...args], { env }));
  expect(said).not.toMatch(/secret-part|hooks/);
  return said;
}

test("changes are told with a link, and an apply too; what is quiet is not", async () => {
  await job(0, "plan", chat.url(200));
  expect(chat.heard).toHaveLength(1);
  expect(chat.heard[0]?.text).toMatch(/^Preview of quickstart-yaml\/dev: \d+ to create http\S+\/actions\/runs\/77$/);
  await job(0, "apply", chat.url(200), "--replan");
  expect(chat.heard[0]?.text).toContain("Changes to quickstart-yaml/dev: Done");
  await job(0, "plan", chat.url(200));
  await job(0, "drift", chat.url(200));
  expect(chat.heard).toEqual([]);
});

test("a chat that refuses, sends elsewhere, is silent or is not there fails nothing", async () => {
  desk.code("A mug worth getting up for", "A mug to keep");
  for (const [answer, why] of [
    [404, "it answered 404"],
    [302, "it answered 302"],
    [0, "it didn't answer within 5 s"],
  ] as const)
    expect(await job(0, "plan", chat.url(answer))).toContain(`the webhook of --notify could not be told: ${why}.`);
  const gone = await Chat.open();
  const url = gone.url(200);
  gone.close();
  expect(await job(0, "plan", url)).toContain("could not be told: ECONNREFUSED.");
});

test("no secret is no webhook; an address that is no https is refused before anything runs", async () => {
  await job(0, "plan", " ");
  expect(chat.heard).toEqual([]);
  for (const url of ["http://chat.example/hooks/secret-part", "secret-part"])
    expect(await job(4, "plan", url)).toContain("--notify takes the https address of a chat's webhook");
});
