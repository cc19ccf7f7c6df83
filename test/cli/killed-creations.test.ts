// @module-tag thorough
/**
 * An interrupted creation (its run was killed, or its answer lost), and then another command than the same up. No state has the object, and it must
 * not be forgotten: the ledger knows it, whatever runs next.
 */
import { beforeEach, describe, expect, test } from "vitest";
import { Killed } from "../faults/whole/killed.ts";
import { forEachTest } from "../suite/opened.ts";

const SITE = "sites: { main: { name: killed.example } }";
const page = (template: string): string =>
  `  offer: { template: ${template}, variables: { brand: A }, publish: { site: main, slug: offer } }`;
const manifest = (...parts: string[]): string => ["landform: 1", "name: killed", SITE, ...parts, ""].join("\n");
const WITHOUT = manifest();
const PAGE = manifest("pages:", page("tpl-hero"));
const PRODUCT = manifest("products: { mug: { name: Mug } }");
const HOOK = manifest("hooks: { leads: { eventType: form_lead.created, targetUrl: https://hooks.example.com/x } }");

const SLOW = { timeout: 180_000 };

const killed = forEachTest(() => Killed.open(WITHOUT));
beforeEach(() => killed.up());

/** Checks that nothing is left to look for, and nothing to do. */
async function settles(): Promise<void> {
  await killed.plansNothing();
  expect(await killed.up()).not.toMatch(/interrupted|in no state|not known/);
}

async function killedAt(text: string, path: RegExp): Promise<void> {
  await killed.declare(text).killAt("POST", path);
}

test("a page whose run was killed as it was made is taken along by a destroy, which says so before", SLOW, async () => {
  await killedAt(PAGE, /^\/pages\/from-template$/);
  const said = await killed.run("destroy", "--yes");
  expect(said).toMatch(/page \S+ \(".*\[lf-.*\]"\), which an interrupted run made, is in no state: it is removed/);
  expect(said).toMatch(/Removed page .*, which an interrupted run had left behind/);
  expect(said).toMatch(/^1 to leave in the account, 1 leftover of a killed run to remove ·/m);
  expect(said).toMatch(/^Done: 1 left in the account, 1 leftover of a killed run removed ·/m);
  expect(killed.names("pages")).toEqual([]);
  expect(await killed.run("destroy", "--yes")).not.toContain("interrupted");
});

test("a product whose run was killed as it was made is removed by an up that no longer declares it", SLOW, async () => {
  await killedAt(PRODUCT, /^\/products$/);
  expect(await killed.declare(WITHOUT).run("preview")).toMatch(/^1 unchanged, 1 leftover of a killed run to remove ·/m);
  const said = await killed.up();
  expect(said).toMatch(/Removed product .*, which an interrupted run had left behind/);
  expect(said).toMatch(/^Done: 1 unchanged, 1 leftover of a killed run removed ·/m);
  expect(killed.names("products")).toEqual([]);
  await settles();
});

test("a creation that two runs were killed in is told once, and no more when it is done", SLOW, async () => {
  await killedAt(PAGE, /^\/pages\/from-template$/);
  await killedAt(PAGE, /^\/pages\/publish$/);
  expect((await killed.run("preview")).match(/an earlier run was interrupted while creating/g)).toHaveLength(1);
  await killed.up();
  expect(killed.names("pages")).toEqual(["offer"]);
  await settles();
});

describe("a product whose answer was lost, and that no list showed", () => {
  beforeEach(async () => {
    await killed.declare(PRODUCT).lose("/products");
    expect(killed.names("products")).toEqual(["Mug [lf-…]"]);
  });

  test.each([
    ["a destroy", PRODUCT, ["destroy", "--yes"], /product \S+ \("Mug \[lf-.*\]"\), which .* made, is in no state/, []],
    ["an up without it", WITHOUT, ["up", "--yes"], /Removed product .*, which an interrupted run had left behind/, []],
    ["the same up", PRODUCT, ["up", "--yes"], /which an earlier run left behind/, ["Mug"]],
  ])("is found by %s", SLOW, async (_, text, args, says, left) => {
    expect(await killed.declare(text).run(...args)).toMatch(says);
    expect(killed.names("products")).toEqual(left);
    expect(await killed.run("destroy", "--yes")).not.toMatch(/Mug \[lf-/);
    expect(killed.names("products")).toEqual([]);
  });
});

test.each([
  ["a lost answer", () => killed.lose("/products")],
  ["a kill", () => killed.killAt("POST", /^\/products$/)],
])("what somebody has renamed after %s stays, and is named", SLOW, async (_, leave) => {
  killed.declare(PRODUCT);
  await leave();
  const [row] = killed.rows("products");
  await killed.app("PATCH", "/products", { product_id: row?.["id"], name: `Precious ${String(row?.["name"])}` });
  expect(await killed.declare(WITHOUT).up()).toContain('"Precious Mug [lf-');
  expect(killed.names("products")).toEqual(["Precious Mug [lf-…]"]);
});

describe("a page that was public when its run was killed", () => {
  beforeEach(() => killedAt(PAGE, /^\/pages\/publish$/));

  test("goes with a destroy", SLOW, async () => {
    expect(await killed.run("destroy", "--yes")).toMatch(/Removed page \S+ \("offer"\)/);
    expect(killed.names("pages")).toEqual([]);
  });

  test("stays if the code no longer declares it, and is named once, with the ways on", SLOW, async () => {
    killed.declare(WITHOUT);
    expect(await killed.up()).toMatch(/page \S+ \("offer"\) was made by a run of this stack.*Delete it in the app/s);
    expect(await killed.up()).not.toContain("was made by a run");
    expect(killed.names("pages")).toEqual(["offer"]);
    const id = String(killed.rows("pages")[0]?.["id"]);
    await killed.declare(PAGE.replace("template:", `adoptId: ${id}, template:`)).up();
    expect(killed.names("pages")).toEqual(["offer"]);
    await settles();
  });
});

test.each([
  ["the same up", HOOK, "up"],
  ["an up that no longer declares it", WITHOUT, "up"],
  ["a destroy", HOOK, "destroy"],
])("a subscription that nobody finds is told once by the plan and once by the run: %s", SLOW, async (...row) => {
  const [, text, command] = row;
  await killedAt(HOOK, /^\/hooks$/);
  const said = await killed.declare(text).run(command, "--yes");
  const planEnds = said.indexOf("embedded engine");
  const warnings = (part: string) => part.match(/warning: .*hook "leads".*/g) ?? [];
  expect([said.slice(0, planEnds), said.slice(planEnds)].map((part) => warnings(part).length)).toEqual([1, 1]);
  expect(await killed.run(command, "--yes")).not.toContain('hook "leads"');
});

test("a look that nobody answers is no green run", SLOW, async () => {
  await killedAt(PRODUCT, /^\/products$/);
  killed.declare(WITHOUT);
  const unread = { method: "GET", path: "/search/products", phase: "status", status: 403, times: Infinity } as const;
  killed.machine.emulator.faults.add(unread);
  expect(await killed.says(1, "up", "--yes")).toContain("could not look for");
  killed.showInLists();
  await killed.up();
  expect(killed.names("products")).toEqual([]);
});
