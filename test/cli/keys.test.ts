// @module-tag thorough
import { expect, test } from "vitest";
import { Account } from "../../provider/account/account.ts";
import { probeTemplate } from "../../provider/lookups/probe.ts";
import { NearDesk } from "./near-desk.ts";
import { forAllTests } from "../suite/opened.ts";

const desk = forAllTests(() => NearDesk.open("quickstart"));

type Found = Record<"of" | "id" | "source", string> & { keys: Record<string, unknown>; variables: string[] };

const keys = async (...args: string[]): Promise<Found> =>
  JSON.parse(await desk.clean("templates", "keys", ...args, "--json")) as Found;

test("templates of every type, and those that match a text", async () => {
  const all = await desk.says(0, "templates", "ls");
  expect(all).toContain("tpl-hero");
  expect(all).toContain("tpl-quiz-product");
  const some = JSON.parse((await desk.run(["templates", "ls", "webinar", "--json"])).stdout) as { id: string }[];
  expect(some.map(({ id }) => id)).toEqual(["tpl-webinar"]);
  expect((await desk.run(["templates", "ls", "no such thing"])).stdout).toBe('No template matches "no such thing".\n');
});

test("keys of a template: unknown, then of a page in the state, then kept", async () => {
  desk.writes();
  const unknown = await desk.run(["templates", "keys", "tpl-hero"]);
  expect([unknown.code, unknown.stdout]).toEqual([4, ""]);
  expect(unknown.stderr).toContain("unknown until its first page");
  expect(desk.writes()).toEqual([]);

  await desk.up();
  const fromPage = await keys("tpl-hero");
  expect(fromPage).toMatchObject({ of: "template", id: "tpl-hero" });
  expect(fromPage.source).toContain("which was made from it");
  expect(fromPage.keys["hero.title"]).toBeNull();
  const page = await keys("offer");
  expect(page).toMatchObject({ of: "page", keys: { "hero.title": "A mug worth getting up for" } });
  expect(Object.keys(page.keys)).toEqual(Object.keys(fromPage.keys));
  expect((await keys("Thank you")).id).toBe("tpl-thankyou");
  expect((await keys(page.id)).id).toBe(page.id);

  desk.writes();
  const probed = await keys("tpl-webinar", "--probe");
  expect(desk.writes()).toEqual(["POST /pages/from-template", expect.stringMatching(/^DELETE \/pages\/page_\w+$/)]);
  expect(probed.variables.length).toBeGreaterThan(0);
  const kept = await keys("tpl-webinar");
  expect([Object.keys(kept.keys), kept.variables]).toEqual([Object.keys(probed.keys), probed.variables]);
  expect(kept.source).toContain("landform.keys.json");
  expect(desk.writes()).toEqual([]);
});

test("a probe leaves nothing behind: its answer lost, its map refused, a quiz", async () => {
  const { emulator } = desk;
  const account = new Account(emulator, 2_000);
  const { api } = account;
  const names = async () => (await api.pages.list({ limit: 100 })).map((page) => page.page_name).sort();
  const before = await names();
  emulator.faults.add({ method: "POST", path: "/pages/from-template", phase: "after" });
  expect((await probeTemplate(account, { templateId: "tpl-hero" })).keys).toContain("hero.title");
  emulator.faults.add({ path: "/search/page-content-map", phase: "status", status: 404 });
  await expect(probeTemplate(account, { templateId: "tpl-hero" })).rejects.toThrow("page-content-map");
  expect((await probeTemplate(account, { templateId: "tpl-quiz-plan" })).keys.length).toBeGreaterThan(3);
  emulator.faults.add({ method: "DELETE", path: "/pages/{pageId}", phase: "status", status: 404 });
  expect((await probeTemplate(account, { templateId: "tpl-hero" })).keys).toContain("hero.title");
  expect(await names()).toEqual(before);
  emulator.faults.add({ method: "DELETE", path: "/pages/{pageId}", phase: "status", status: 403 });
  await expect(probeTemplate(account, { templateId: "tpl-hero" })).rejects.toThrow("delete it in the app");
  await api.close();
});
