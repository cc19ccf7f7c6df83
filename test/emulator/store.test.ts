import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { createInterface } from "node:readline";
import { beforeEach, expect, onTestFinished, test } from "vitest";
import { type Emulator, startEmulator } from "../../emulator/index.ts";
import { call, create, offerPage, ok, project, start } from "./helpers.ts";

let file: string;

beforeEach(() => {
  const folder = mkdtempSync(join(tmpdir(), "landform-"));
  file = join(folder, "account.sqlite");
  return () => rmSync(folder, { recursive: true });
});

async function everything(emulator: Emulator): Promise<unknown> {
  const lists = ["projects", "sites", "pages", "quizzes", "funnels", "videos", "products", "search/leads"];
  return Promise.all(["me", ...lists].map((path) => ok(emulator, "GET", `/${path}`)));
}

/** URLs carry the port, which a restart may change. */
const withoutPorts = (value: unknown): unknown =>
  JSON.parse(JSON.stringify(value).replaceAll(/(localhost|127\.0\.0\.1):\d+/g, "$1"));

test("a restart keeps the account, its order, its keys and the published revision", async () => {
  const first = await startEmulator({ data: file, seed: "demo" });
  const { pageId, siteId } = await offerPage(first, "Later");
  await ok(first, "POST", "/pages/publish", { page_id: pageId, site_id: siteId, slug: "later" });
  await ok(first, "PATCH", "/pages/content", { page_id: pageId, updates: { "hero.title": "Only a draft" } });
  await ok(first, "DELETE", `/products/${await create(first, "/products", { name: "Gone" })}`);
  const limited = first.createKey({ scopes: ["projects:read"] });
  const revoked = first.createKey();
  first.revokeKey(revoked);
  const before = withoutPorts(await everything(first));
  const map = await ok(first, "GET", `/search/page-content-map?page_id=${pageId}`);
  await first.close();

  const second = await start({ data: file, seed: "demo" });
  expect([second.apiKey, second.accountId]).toEqual([first.apiKey, first.accountId]);
  expect(withoutPorts(await everything(second))).toEqual(before);
  expect(await ok(second, "GET", `/search/page-content-map?page_id=${pageId}`)).toEqual(map);
  expect((await call(second, "GET", "/projects", undefined, limited)).status).toBe(200);
  expect((await call(second, "GET", "/sites", undefined, limited)).status).toBe(403);
  expect((await call(second, "GET", "/projects", undefined, revoked)).status).toBe(401);
  const served = await fetch(`${second.url}/_sites/spring-example/later`);
  expect([served.status, (await served.text()).includes("Only a draft")]).toEqual([200, false]);
});

test("what was answered survives a kill", async () => {
  const script = `import { startEmulator } from ${JSON.stringify(fileURLToPath(new URL("../../emulator/index.ts", import.meta.url)))};
    const { baseUrl, apiKey } = await startEmulator({ data: ${JSON.stringify(file)} });
    console.log(JSON.stringify({ baseUrl, apiKey }));`;
  const child = spawn(process.execPath, ["--input-type=module", "--no-warnings", "-e", script], {
    stdio: ["ignore", "pipe", "inherit"],
  });
  onTestFinished(() => void child.kill("SIGKILL"));
  const [line] = (await once(createInterface(child.stdout), "line")) as [string];
  await create(JSON.parse(line) as Emulator, "/projects", project);
  child.kill("SIGKILL");
  await once(child, "exit");
  const emulator = await start({ data: file });
  expect(await ok(emulator, "GET", "/projects")).toMatchObject([{ name: "Spring" }]);
});

test("the plan of an existing account can be changed", async () => {
  await (await startEmulator({ data: file })).close();
  const emulator = await start({ data: file, plan: null });
  expect(await ok(emulator, "GET", "/me")).toMatchObject({ plan: null });
  expect((await call(emulator, "POST", "/projects", project)).body.error).toBe("paid_plan_required");
});

test("two emulators can't keep one account, and one that can't start lets go of it", async () => {
  const first = await startEmulator({ data: file });
  await expect(startEmulator({ data: file })).rejects.toThrow("database is locked. If another emulator");
  await first.close();
  const other = await start();
  const port = Number(new URL(other.url).port);
  await expect(startEmulator({ data: file, port })).rejects.toThrow(`can't listen on port ${port} of 127.0.0.1`);
  expect((await start({ data: file })).accountId).toBe(first.accountId);
});

test("a file that is no account is refused by name", async () => {
  writeFileSync(file, "not a database, but long enough to be looked at as one: ".repeat(20));
  await expect(startEmulator({ data: file })).rejects.toThrow(
    `data file ${file} can't be opened: file is not a database`,
  );
});
