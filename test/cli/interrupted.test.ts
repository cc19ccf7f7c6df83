// @module-tag thorough
/**
 * A killed up, and then something else than the same up: what its creations left is in no state, and must not be forgotten. A destroy
 * takes it along, an up that no longer declares it removes what bears the marker and names what was finished.
 */
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { strike } from "../faults/whole/kill.ts";
import { Machine } from "../faults/whole/machine.ts";

const SITE = "sites: { main: { name: killed.example } }";
const page = (template: string): string =>
  `  offer: { template: ${template}, variables: { brand: A }, publish: { site: main, slug: offer } }`;
const manifest = (...parts: string[]): string => ["landform: 1", "name: killed", ...parts, ""].join("\n");
const WITHOUT = manifest(SITE);
const PAGE = manifest(SITE, "pages:", page("tpl-hero"));
const PRODUCT = manifest(SITE, "products: { mug: { name: Mug } }");
const FUNNEL = manifest(SITE, "funnels: { f: { steps: [ { url: https://x.example, pageType: presell } ] } }");

let machine: Machine;
beforeEach(async () => {
  machine = await Machine.open({ kind: "embedded", form: "landform.yaml" }, { "landform.yaml": WITHOUT });
  await run("up", "--yes");
});
afterEach(() => machine.close());

async function run(...args: string[]): Promise<string> {
  const { code, said } = await machine.run(args);
  expect(code, said).toBe(0);
  return said;
}

async function killAt(text: string, method: string, path: RegExp): Promise<void> {
  machine.write("landform.yaml", text);
  const here = { number: 0, boundary: "after commit" } as const;
  await strike(
    machine,
    ["up", "--yes", "--parallel", "1"],
    here,
    (call) => call.method === method && path.test(call.path),
  );
  await machine.free();
}

type Row = Readonly<Record<string, unknown>>;
const rows = (kind: string): Row[] => machine.emulator.records()[kind] ?? [];
const live = (kind: string): Row[] => rows(kind).filter(({ name }) => !String(name).endsWith("[retired by landform]"));

describe.each([
  ["page", PAGE, "pages", /^\/pages\/from-template$/],
  ["product", PRODUCT, "products", /^\/products$/],
  ["funnel", FUNNEL, "funnels", /^\/funnels$/],
])("a killed creation of a %s", (kind, text, list, path) => {
  test("is taken along by a destroy, which says so before", { timeout: 120_000 }, async () => {
    await killAt(text, "POST", path);
    expect(live(list)).toHaveLength(1);
    const said = await run("destroy", "--yes");
    expect(said).toMatch(
      new RegExp(`${kind} \\S+ \\(".*\\[lf-.*\\]"\\), which a killed run made, is in no state: it is removed as well`),
    );
    expect(said).toMatch(new RegExp(`Removed ${kind} .*, which an interrupted run had left behind`));
    expect(said).toMatch(/^1 to leave in the account, 1 leftover of a killed run to remove ·/m);
    expect(said).toMatch(/^Done: 1 left in the account, 1 leftover of a killed run removed ·/m);
    expect(live(list)).toEqual([]);
    expect(await run("destroy", "--yes")).not.toContain("interrupted");
  });

  test("is removed by an up that no longer declares it", { timeout: 120_000 }, async () => {
    await killAt(text, "POST", path);
    machine.write("landform.yaml", WITHOUT);
    expect(await run("preview")).toMatch(/^1 unchanged, 1 leftover of a killed run to remove ·/m);
    const said = await run("up", "--yes");
    expect(said).toMatch(new RegExp(`Removed ${kind} .*, which an interrupted run had left behind`));
    expect(said).toMatch(/^Done: 1 unchanged, 1 leftover of a killed run removed ·/m);
    expect(live(list)).toEqual([]);
    await run("preview", "--detailed-exitcode");
    expect(await run("up", "--yes")).toMatch(/^Done: no changes, 1 unchanged ·/m);
  });

  test("is carried on with by the same up, of which nothing is left", { timeout: 120_000 }, async () => {
    await killAt(text, "POST", path);
    expect(await run("up", "--yes")).not.toContain("in no state");
    expect(live(list)).toHaveLength(1);
    await run("preview", "--detailed-exitcode");
  });
});

describe("a page that was public when its run was killed", () => {
  test("goes with a destroy", { timeout: 120_000 }, async () => {
    await killAt(PAGE, "POST", /^\/pages\/publish$/);
    expect(rows("pages")).toHaveLength(1);
    expect(await run("destroy", "--yes")).toMatch(/Removed page \S+ \("offer"\)/);
    expect(rows("pages")).toEqual([]);
  });

  test("stays where an up no longer declares it, and is named with the ways on", { timeout: 120_000 }, async () => {
    await killAt(PAGE, "POST", /^\/pages\/publish$/);
    machine.write("landform.yaml", WITHOUT);
    expect(await run("up", "--yes")).toMatch(
      /page \S+ \("offer"\) was made by a run that was killed.*Delete it in the app/s,
    );
    expect(rows("pages")).toHaveLength(1);
    const id = String(rows("pages")[0]?.["id"]);
    machine.write("landform.yaml", PAGE.replace("template:", `adoptId: ${id}, template:`));
    await run("up", "--yes");
    expect(rows("pages")).toHaveLength(1);
    await run("preview", "--detailed-exitcode");
    await run("destroy", "--yes");
    expect(rows("pages")).toEqual([]);
  });

  test("as the replacement of another one, goes with a destroy as that does", { timeout: 120_000 }, async () => {
    machine.write("landform.yaml", PAGE);
    await run("up", "--yes");
    await killAt(manifest(SITE, "pages:", page("tpl-sales")), "POST", /^\/pages\/publish$/);
    expect(rows("pages")).toHaveLength(2);
    await run("destroy", "--yes");
    expect(rows("pages")).toEqual([]);
  });
});

test(
  "a page that was killed on its way to the public tells who took its address meanwhile",
  { timeout: 120_000 },
  async () => {
    await killAt(PAGE, "POST", /^\/pages\/publish$/);
    const { emulator } = machine;
    emulator.notShown.duplicateSlug = "newest-wins";
    const call = async (path: string, body: object): Promise<Row> => {
      const headers = { authorization: `Bearer ${emulator.apiKey}`, "content-type": "application/json" };
      const answer = await fetch(emulator.baseUrl + path, { method: "POST", headers, body: JSON.stringify(body) });
      return (await answer.json()) as Row;
    };
    const { id } = await call("/pages/from-template", { template_id: "tpl-thankyou", name: "Theirs" });
    await call("/pages/publish", { page_id: id, site_id: rows("sites")[0]?.["id"], slug: "offer" });
    expect(await run("up", "--yes")).toMatch(/page \S+ \("Theirs"\) has the path \/offer of site \S+, too/);
    await run("preview", "--detailed-exitcode");
  },
);

test("what somebody made of the killed run's page stays", { timeout: 120_000 }, async () => {
  await killAt(PAGE, "POST", /^\/pages\/from-template$/);
  const { emulator } = machine;
  const [made] = rows("pages");
  const name = `${String(made?.["pageName"] ?? made?.["name"])} (copy)`;
  const headers = { authorization: `Bearer ${emulator.apiKey}`, "content-type": "application/json" };
  const body = JSON.stringify({ page_id: made?.["id"], new_name: name });
  await fetch(`${emulator.baseUrl}/pages/duplicate`, { method: "POST", headers, body });
  await run("destroy", "--yes");
  expect(rows("pages").map((row) => row["pageName"] ?? row["name"])).toEqual([name]);
});

test("a look that nobody answers is no green run", { timeout: 120_000 }, async () => {
  await killAt(PRODUCT, "POST", /^\/products$/);
  machine.write("landform.yaml", WITHOUT);
  machine.emulator.faults.add({
    method: "GET",
    path: "/search/products",
    phase: "status",
    status: 403,
    times: Infinity,
  });
  const { code, said } = await machine.run(["up", "--yes"]);
  expect([code, said]).toEqual([
    1,
    expect.stringMatching(/killed run was creating mug, and what it left could not be looked for/),
  ]);
  expect(live("products")).toHaveLength(1);
});

describe("what a killed up was moving to a new project", () => {
  const LONG = `{ description: "${"A shop for mugs. ".repeat(4)}", context: "${"People drink from them. ".repeat(10)}" }`;
  const moved = (projects: readonly string[], project: string): string =>
    manifest(
      SITE,
      `projects: { ${projects.map((name) => `${name}: ${LONG}`).join(", ")} }`,
      `funnels: { way: { project: ${project}, steps: [ { url: https://x.example, pageType: presell } ] } }`,
      `products: { mug: { name: Mug, project: ${project} } }`,
    );

  test.each([
    ["a funnel", /^\/funnels$/],
    ["a product", /^\/products$/],
  ])("is in nobody's way when the code is taken back: %s", { timeout: 120_000 }, async (_, path) => {
    machine.write("landform.yaml", moved(["one"], "one"));
    await run("up", "--yes");
    const before = rows("products").map(({ name }) => name);
    await killAt(moved(["one", "two"], "two"), "POST", path);
    machine.write("landform.yaml", moved(["one"], "one"));
    await run("up", "--yes", "--force");
    expect(rows("products").map(({ name }) => name)).toEqual(before);
    expect(live("funnels").map(({ name }) => name)).toEqual(["way"]);
    expect(
      rows("products")
        .concat(rows("funnels"))
        .filter(({ name }) => String(name).includes("[lf-")),
    ).toEqual([]);
    await run("preview", "--detailed-exitcode");
  });
});

test.each(["an undo", "an up with a target"])(
  "what %s doesn't reach isn't called as it should be, and the next up looks into it",
  { timeout: 120_000 },
  async (which) => {
    const products = (mug: number, hat: number): string =>
      manifest(SITE, `products: { mug: { price: ${mug} }, hat: { price: ${hat} } }`);
    for (const text of [products(1, 1), products(1, 2)]) {
      machine.write("landform.yaml", text);
      await run("up", "--yes");
    }
    const [{ id }] = JSON.parse(await run("history", "--json")) as [{ id: string }];
    await killAt(products(2, 2), "PATCH", /^\/products$/);
    const args = which === "an undo" ? ["undo", id] : ["up", "--target", "Product/hat"];
    machine.write("landform.yaml", products(1, 2));
    expect(await run(...args, "--yes")).toMatch(/interrupted earlier: updating \S+::mug: not looked into by this run/);
    const mug = (): unknown => rows("products").find(({ name }) => name === "mug")?.["price"];
    expect(mug()).toBe(2);
    expect(await run("up", "--yes")).toMatch(/interrupted earlier: updating \S+::mug: done again/);
    expect(mug()).toBe(1);
    expect(await run("up", "--yes")).not.toContain("interrupted");
  },
);
