// @module-tag thorough
/** Somebody works in the app after a run was killed: the next plain run finishes its own work, and holds theirs. */
import { beforeEach, describe, expect, test } from "vitest";
import { Killed } from "../faults/whole/killed.ts";
import { onBothEngines, realEngine } from "../suite/parts.ts";
import { forEachTest } from "../suite/opened.ts";

const manifest = (title: string, price = 5, brand = "A"): string => `landform: 1
name: killed
sites: { m: { name: k.example } }
pages:
  a:
    template: tpl-hero
    variables: { brand: ${brand} }
    content: { hero.title: ${title}, hero.text: Text, hero.note: "Only {{brand}}" }
    publish: { site: m, slug: a }
products:
  mug: { name: Mug, price: ${price} }
`;

onBothEngines((kind) => {
  const killed = forEachTest(() => Killed.open(manifest("One"), { kind, path: realEngine }));
  beforeEach(() => killed.up());
  const id = (list: string): unknown => killed.rows(list)[0]?.["id"];

  /** The run that writes this title is killed, and then she edits texts. */
  async function killedAtTwo(updates: Readonly<Record<string, string>>): Promise<void> {
    await killed.declare(manifest("Two")).killAt("PATCH", /^\/pages\/content$/);
    await killed.edits(updates);
  }

  test("a declared text that she wrote is held, and goes by word; the killed run's own text is nobody's edit", async () => {
    await killedAtTwo({ "hero.text": "HERS" });
    const plan = await killed.declare(manifest("Three")).run("preview");
    expect(plan).toMatch(/! hero\.text "HERS"/);
    expect(plan).not.toContain('! hero.title "Two"');
    const said = await killed.says(1, "up", "--yes");
    expect(said).toMatch(/1 held back[^]*hero\.text "HERS"|hero\.text "HERS"[^]*held back/);
    expect(said).not.toContain('! hero.title "Two"');
    expect(JSON.stringify(killed.rows("documents"))).toContain("HERS");
    await killed.applies("--foreign-edits", "include");
  });

  test("the text that the killed run was writing is hers, once she has written it anew", async () => {
    await killedAtTwo({ "hero.title": "HERS" });
    expect(await killed.says(1, "up", "--yes")).toMatch(/hero\.title "HERS" in the app/);
    expect(JSON.stringify(killed.rows("documents"))).toContain("HERS");
    await killed.applies("--refresh", "--foreign-edits", "include");
    expect(JSON.stringify(killed.rows("documents"))).not.toContain("HERS");
  });

  test("a page's name that she wrote is held; the killed run's own name is not", async () => {
    const named = (name: string): string => manifest("One").replace("    template", `    name: ${name}\n    template`);
    await killed.declare(named("B")).killAt("PATCH", /^\/pages\/metadata$/);
    expect(await killed.declare(named("C")).up()).not.toContain("held");
    await killed.declare(named("D")).killAt("PATCH", /^\/pages\/metadata$/);
    await killed.app("PATCH", "/pages/metadata", { page_id: id("pages"), name: "HERS" });
    expect(await killed.says(1, "up", "--yes")).toContain('"HERS"');
    expect(killed.rows("pages")).toMatchObject([{ pageName: "HERS" }]);
    await killed.applies("--foreign-edits", "include");
    expect(killed.rows("pages")).toMatchObject([{ pageName: "D" }]);
  });

  test("nothing is held where nobody has edited anything, also with another variable", async () => {
    await killed.declare(manifest("Two", 5, "B")).killAt("PATCH", /^\/pages\/content$/);
    expect(await killed.declare(manifest("Three", 5, "C")).applies()).not.toContain("held");
  });

  test("a price that she set is held; the killed run's own price is not", async () => {
    await killed.declare(manifest("One", 6)).killAt("PATCH", /^\/products$/);
    expect(await killed.declare(manifest("One", 7)).up()).not.toContain("held");
    await killed.declare(manifest("One", 8)).killAt("PATCH", /^\/products$/);
    await killed.app("PATCH", "/products", { product_id: id("products"), price: 50 });
    expect(await killed.run("preview")).toMatch(/held back/);
    expect(await killed.says(1, "up", "--yes")).toMatch(/1 held back/);
    expect(killed.rows("products")).toMatchObject([{ price: 50 }]);
    await killed.applies("--foreign-edits", "include");
  });
});

const MANY = 32;
const many = (title: string, price: number): string =>
  manifest(title).replace(
    /products:[^]*/,
    [
      "products:",
      ...Array.from({ length: MANY }, (_, at) => `  m${at}: { price: ${price}, options: { dependsOn: [pages.a] } }`),
      "",
    ].join("\n"),
  );

describe.skipIf(realEngine === undefined)(
  "a large run, killed before Pulumi's engine has saved the state",
  { timeout: 240_000 },
  () => {
    const killed = forEachTest(() => Killed.open(many("One", 5), { kind: "pulumi", path: realEngine }));
    const killedOnTheWay = (text: string): Promise<void> =>
      killed
        .declare(text)
        .kill(["up"], ({ method, path }) => method === "PATCH" && path === "/products", { number: 3 });
    const draft = async (): Promise<string> =>
      JSON.stringify(
        await killed.app("GET", `/search/page-content-map?page_id=${String(killed.rows("pages")[0]?.["id"])}`),
      );

    test("the next run holds what she edited of a published page, and does the rest", async () => {
      await killed.up("--force");
      await killedOnTheWay(many("Two", 5.5));
      await killed.edits({ "hero.title": "HERS" });
      expect(await killed.says(1, "up", "--yes")).toMatch(/Page a[^]*hero\.title "HERS" in the app/);
      expect(await draft()).toContain("HERS");
      expect(killed.rows("products").map(({ price }) => price)).toEqual(Array.from({ length: MANY }, () => 5.5));
      await killed.applies("--foreign-edits", "include");
    });

    test("what the killed run itself has changed is nobody's edit, also where only a count shows it", async () => {
      const bundles = (...items: string[]): string =>
        many("One", 5).replaceAll(
          "price: 5,",
          `price: 5, type: bundle, bundleItems: ${JSON.stringify(items.map((product) => ({ product })))},`,
        );
      await killed.declare(bundles("a")).up("--force");
      await killedOnTheWay(bundles("a", "b"));
      await killed.applies();
    });

    test("an engine that outlives its run, and saves the state: the next run leaves her text alone, as any other would", async () => {
      await killed.up("--force");
      await killed.declare(many("Two", 5.5)).up("--force");
      killed.machine.losesEnd();
      await killed.edits({ "hero.title": "HERS" });
      expect(await killed.up()).not.toContain("writes over");
      expect(await draft()).toContain("HERS");
    });
  },
);
