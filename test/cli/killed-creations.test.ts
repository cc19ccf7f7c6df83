// @module-tag thorough
/**
 * An interrupted creation (its run was killed, or its answer lost), and then another command than the same up. No state has the object, and it must
 * not be forgotten: the ledger knows it, whatever runs next.
 */
import { readdirSync, rmSync } from "node:fs";
import { join } from "node:path";
import { beforeEach, describe, expect, test } from "vitest";
import { Killed } from "../faults/whole/killed.ts";
import { forEachTest } from "../suite/opened.ts";

const SITE = "sites: { main: { name: killed.example } }";
const page = (template: string): string =>
  `  offer: { template: ${template}, variables: { brand: A }, publish: { site: main, slug: offer } }`;
const manifest = (...parts: string[]): string => ["landform: 1", "name: killed", SITE, ...parts, ""].join("\n");
const OTHER = page("tpl-thankyou").replace("brand: A", "brand: A, support_email: a@b.example");
const WITHOUT = manifest();
const PAGE = manifest("pages:", page("tpl-hero"));
const PRODUCT = manifest("products: { mug: { name: Mug } }");
const FUNNEL = manifest("funnels: { f: { steps: [ { url: https://x.example, pageType: presell } ] } }");
const HOOK = manifest("hooks: { leads: { eventType: form_lead.created, targetUrl: https://hooks.example.com/x } }");

const SLOW = { timeout: 180_000 };

const killed = forEachTest(() => Killed.open(WITHOUT));
beforeEach(() => killed.up());

/** Checks that nothing is left to look for, and nothing to do. */
async function settles(): Promise<void> {
  await killed.run("preview", "--detailed-exitcode");
  expect(await killed.up()).not.toMatch(/interrupted|in no state|not known/);
}

async function killedAt(text: string, path: RegExp): Promise<void> {
  killed.declare(text);
  await killed.killAt("POST", path);
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
  killed.declare(WITHOUT);
  expect(await killed.run("preview")).toMatch(/^1 unchanged, 1 leftover of a killed run to remove ·/m);
  const said = await killed.up();
  expect(said).toMatch(/Removed product .*, which an interrupted run had left behind/);
  expect(said).toMatch(/^Done: 1 unchanged, 1 leftover of a killed run removed ·/m);
  expect(killed.names("products")).toEqual([]);
  await settles();
});

test("a funnel whose run was killed as it was made is carried on with by the same up", SLOW, async () => {
  await killedAt(FUNNEL, /^\/funnels$/);
  expect(await killed.up()).not.toContain("in no state");
  expect(killed.names("funnels")).toHaveLength(1);
  await settles();
});

describe("a product whose answer was lost, and that no list showed", () => {
  beforeEach(async () => {
    killed.declare(PRODUCT);
    await killed.lose("/products");
    expect(killed.names("products")).toEqual(["Mug [lf-…]"]);
  });

  test.each([
    [
      "a destroy",
      PRODUCT,
      ["destroy", "--yes"],
      /product \S+ \("Mug \[lf-.*\]"\), which an interrupted run made, is in no state/,
      [],
    ],
    ["an up without it", WITHOUT, ["up", "--yes"], /Removed product .*, which an interrupted run had left behind/, []],
    ["the same up", PRODUCT, ["up", "--yes"], /which an earlier run left behind/, ["Mug"]],
  ])("is found by %s", SLOW, async (_, text, args, says, left) => {
    killed.declare(text);
    expect(await killed.run(...args)).toMatch(says);
    expect(killed.names("products")).toEqual(left);
    expect(await killed.run("destroy", "--yes")).not.toMatch(/Mug \[lf-/);
    expect(killed.names("products")).toEqual([]);
  });
});

describe("a product whose run was killed, and that lists showed when another one was made in its place", () => {
  beforeEach(async () => {
    killed.hideFromLists();
    await killedAt(PRODUCT, /^\/products$/);
    await killed.up();
    killed.showInLists();
    expect(killed.names("products")).toEqual(["Mug", "Mug [lf-…]"]);
  });

  test("is told by a preview, and removed by the same up, after which nothing is asked", SLOW, async () => {
    const { code, said } = await killed.machine.run(["preview", "--detailed-exitcode"]);
    expect([code, said]).toEqual([2, expect.stringMatching(/product \S+ \("Mug \[lf-.*it is removed as well/)]);
    expect(await killed.up()).toMatch(/Removed product .*, which an interrupted run had left behind/);
    expect(killed.names("products")).toEqual(["Mug"]);
    await settles();
    killed.machine.emulator.requests.length = 0;
    await killed.up();
    expect(killed.machine.emulator.requests).toEqual([]);
  });

  test("goes with a destroy", SLOW, async () => {
    await killed.run("destroy", "--yes");
    expect(killed.names("products")).toEqual([]);
  });
});

test("a page whose run was killed, and killed once more as lists showed nothing, is removed twice", SLOW, async () => {
  await killedAt(PAGE, /^\/pages\/from-template$/);
  killed.hideFromLists();
  await killed.killAt("POST", /^\/pages\/from-template$/);
  killed.showInLists();
  expect(killed.names("pages")).toEqual(["offer [lf-…]", "offer [lf-…]"]);
  expect(await killed.run("preview")).not.toMatch(/page \S+ \("offer \[lf-.*it is removed as well/);
  const said = await killed.run("destroy", "--yes");
  expect(said.match(/page \S+ \("offer \[lf-.*it is removed as well/g)).toHaveLength(2);
  expect(killed.names("pages")).toEqual([]);
});

describe("what somebody has made of it stays, and is named", () => {
  test.each([
    ["renamed, after a lost answer", () => killed.lose("/products"), WITHOUT],
    ["renamed, after a kill", () => killed.killAt("POST", /^\/products$/), WITHOUT],
  ])("%s", SLOW, async (_, leave, text) => {
    killed.declare(PRODUCT);
    await leave();
    const [row] = killed.rows("products");
    await killed.app("PATCH", "/products", { product_id: row?.["id"], name: `Precious ${String(row?.["name"])}` });
    killed.declare(text);
    expect(await killed.up()).toContain('"Precious Mug [lf-');
    expect(killed.names("products")).toEqual(["Precious Mug [lf-…]"]);
  });

  test("a copy of it", SLOW, async () => {
    await killedAt(PAGE, /^\/pages\/from-template$/);
    const [made] = killed.rows("pages");
    const name = `${String(made?.["pageName"] ?? made?.["name"])} (copy)`;
    await killed.app("POST", "/pages/duplicate", { page_id: made?.["id"], new_name: name });
    await killed.run("destroy", "--yes");
    expect(killed.names("pages")).toEqual(["offer [lf-…] (copy)"]);
  });

  test(
    "a copy under exactly its name, of a page that was finished: it is nobody's leftover, whatever becomes of that",
    SLOW,
    async () => {
      killed.declare(PAGE);
      killed.machine.between.turn = async ({ method, path, body }) => {
        if (method !== "PATCH" || path !== "/pages/metadata" || !body.includes('"name"')) return;
        const [made] = killed.rows("pages");
        const name = made?.["pageName"] ?? made?.["name"];
        if (killed.rows("pages").length === 1)
          await killed.app("POST", "/pages/duplicate", { page_id: made?.["id"], new_name: name });
      };
      await killed.up();
      killed.machine.between.turn = () => Promise.resolve();
      expect(killed.names("pages")).toEqual(["offer", "offer [lf-…]"]);
      await killed.up("--refresh");
      const own = killed.rows("pages").find((row) => (row["pageName"] ?? row["name"]) === "offer");
      await killed.app("DELETE", `/pages/${String(own?.["id"])}`);
      await killed.up("--refresh");
      expect(killed.names("pages")).toEqual(["offer", "offer [lf-…]"]);
      await killed.run("destroy", "--yes");
      expect(killed.names("pages")).toEqual(["offer [lf-…]"]);
    },
  );
});

describe("a page that was public when its run was killed", () => {
  beforeEach(() => killedAt(PAGE, /^\/pages\/publish$/));

  test("goes with a destroy", SLOW, async () => {
    expect(await killed.run("destroy", "--yes")).toMatch(/Removed page \S+ \("offer"\)/);
    expect(killed.names("pages")).toEqual([]);
  });

  test("stays where an up no longer declares it, and is named once, with the ways on", SLOW, async () => {
    killed.declare(WITHOUT);
    expect(await killed.up()).toMatch(/page \S+ \("offer"\) was made by a run of this stack.*Delete it in the app/s);
    expect(await killed.up()).not.toContain("was made by a run");
    expect(killed.names("pages")).toEqual(["offer"]);
    const id = String(killed.rows("pages")[0]?.["id"]);
    killed.declare(PAGE.replace("template:", `adoptId: ${id}, template:`));
    await killed.up();
    expect(killed.names("pages")).toEqual(["offer"]);
    await settles();
  });

  test("is left alone by a destroy that comes after an up had named it", SLOW, async () => {
    killed.declare(WITHOUT);
    await killed.up();
    expect(await killed.run("destroy", "--yes")).toMatch(
      /page \S+ \("offer"\) was made by a run of this stack and is in no state/,
    );
    expect(killed.names("pages")).toEqual(["offer"]);
  });

  test("keeps its own path where the ledger alone is left of the stack", SLOW, async () => {
    for (const one of readdirSync(killed.machine.state))
      if (one !== "landform") rmSync(join(killed.machine.state, one), { recursive: true });
    await killed.run("preview");
    expect(await killed.up()).toContain("which an earlier run left behind");
    expect(killed.names("pages")).toEqual(["offer"]);
    await settles();
  });

  test("holds its path where nothing tells of it", SLOW, async () => {
    rmSync(killed.machine.state, { recursive: true });
    const { code, said } = await killed.machine.run(["preview"]);
    expect([code, said]).toEqual([4, expect.stringContaining("/offer is taken on this site")]);
  });

  test("tells who took its address meanwhile", SLOW, async () => {
    killed.machine.emulator.notShown.duplicateSlug = "newest-wins";
    const { id } = await killed.app("POST", "/pages/from-template", { template_id: "tpl-thankyou", name: "Theirs" });
    const site_id = killed.rows("sites")[0]?.["id"];
    await killed.app("POST", "/pages/publish", { page_id: id, site_id, slug: "offer" });
    expect(await killed.up()).toMatch(/page \S+ \("Theirs"\) has the path \/offer of site \S+, too/);
    await killed.run("preview", "--detailed-exitcode");
  });
});

test("a public page that was the replacement of another one goes with a destroy as that does", SLOW, async () => {
  killed.declare(PAGE);
  await killed.up();
  await killedAt(manifest("pages:", OTHER), /^\/pages\/publish$/);
  expect(killed.names("pages")).toHaveLength(2);
  await killed.run("destroy", "--yes");
  expect(killed.names("pages")).toEqual([]);
});

test("a page that is to be made from something else goes, though lists show it a while longer", SLOW, async () => {
  await killedAt(PAGE, /^\/pages\/from-template$/);
  killed.declare(manifest("pages:", OTHER));
  killed.machine.emulator.notShown.listLagMs = 600;
  await killed.up();
  killed.machine.emulator.notShown.listLagMs = 0;
  expect(killed.names("pages")).toEqual(["offer"]);
  await settles();
});

test.each([
  ["the same up", HOOK, "up"],
  ["an up that no longer declares it", WITHOUT, "up"],
  ["a destroy", HOOK, "destroy"],
])("a subscription that nobody finds is told once by the plan and once by the run: %s", SLOW, async (...row) => {
  const [, text, command] = row;
  await killedAt(HOOK, /^\/hooks$/);
  killed.declare(text);
  const said = await killed.run(command, "--yes");
  const planEnds = said.indexOf("embedded engine");
  const warnings = (part: string) => part.match(/warning: .*hook "leads".*/g) ?? [];
  expect([said.slice(0, planEnds), said.slice(planEnds)].map((part) => warnings(part).length)).toEqual([1, 1]);
  expect(await killed.run(command, "--yes")).not.toContain('hook "leads"');
});

test("a look that nobody answers is no green run", SLOW, async () => {
  await killedAt(PRODUCT, /^\/products$/);
  killed.declare(WITHOUT);
  killed.machine.emulator.faults.add({
    method: "GET",
    path: "/search/products",
    phase: "status",
    status: 403,
    times: Infinity,
  });
  const { code, said } = await killed.machine.run(["up", "--yes"]);
  expect([code, said]).toEqual([1, expect.stringContaining("could not look for")]);
  killed.showInLists();
  await killed.up();
  expect(killed.names("products")).toEqual([]);
});

test("what an up with a target doesn't reach isn't called as it should be, and the next up looks into it", async () => {
  const products = (mug: number, hat: number): string =>
    manifest(`products: { mug: { price: ${mug} }, hat: { price: ${hat} } }`);
  for (const text of [products(1, 1), products(1, 2)]) {
    killed.declare(text);
    await killed.up();
  }
  killed.declare(products(2, 2));
  await killed.killAt("PATCH", /^\/products$/);
  killed.declare(products(1, 2));
  expect(await killed.run("up", "--target", "Product/hat", "--yes")).toMatch(
    /interrupted earlier: updating \S+::mug: not looked into by this run/,
  );
  const mug = (): unknown => killed.rows("products").find(({ name }) => name === "mug")?.["price"];
  expect(mug()).toBe(2);
  expect(await killed.up()).toMatch(/interrupted earlier: updating \S+::mug: done again/);
  expect(mug()).toBe(1);
  expect(await killed.up()).not.toContain("interrupted");
}, 180_000);
