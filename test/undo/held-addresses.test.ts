// @module-tag thorough
/** If an undo leaves a page where it is, the pages that point to it keep their links, too. */
import { afterEach, beforeEach, expect, test } from "vitest";
import { Machine } from "../faults/whole/machine.ts";
import { onBothAtRelease, realEngine } from "../suite/parts.ts";
import { editInApp, publishInApp } from "../suite/app.ts";

const manifest = (slug: string): string => `landform: 1
name: held
sites: { main: { name: held.example } }
pages: { offer: { template: tpl-hero, variables: { brand: A }, publish: { site: main, slug: ${slug} } } }
products: { mug: { price: 3, ctaUrl: { ref: pages.offer.url } } }
outputs: { offerUrl: pages.offer.url, offerId: pages.offer.id }
`;

let machine: Machine;

async function run(...args: string[]): Promise<string> {
  const { code, said } = await machine.run(args);
  expect(code, said).toBe(0);
  return said;
}

const row = (kind: string): Readonly<Record<string, unknown>> => machine.emulator.records()[kind]?.[0] ?? {};
const slugOf = (url: unknown): string => String(url).split("/").at(-1) ?? "";
const publish = (slug: string): Promise<unknown> =>
  publishInApp(machine, row("pages")["id"], { siteId: row("pages")["siteId"], slug });

async function exported(): Promise<string> {
  return slugOf((JSON.parse(await run("output", "--json")) as Record<string, unknown>)["offerUrl"]);
}

onBothAtRelease((engine) => {
  beforeEach(async () => {
    const on = { kind: engine, form: "landform.yaml", ...(engine === "pulumi" && { path: realEngine }) } as const;
    machine = await Machine.open(on, { "landform.yaml": manifest("old") });
    await run("up", "--yes");
    machine.write("landform.yaml", manifest("new"));
    await run("up", "--yes");
  });
  afterEach(() => machine.close());

  test("a draft that somebody edited holds the page back: the button stays until it moves", async () => {
    const updates = { "hero.cta.text": "By hand" };
    await editInApp(machine, row("pages")["id"], updates);
    const { code, said } = await machine.run(["undo", "--yes"]);
    expect(code, said).toBe(1);
    expect([row("pages")["slug"], slugOf(row("products")["ctaUrl"]), await exported()]).toEqual(["new", "new", "new"]);
    await publish("new");
    await run("undo", "--yes");
    expect([row("pages")["slug"], slugOf(row("products")["ctaUrl"]), await exported()]).toEqual(["old", "old", "old"]);
    machine.write("landform.yaml", manifest("old"));
    await run("preview", "--detailed-exitcode");
    await run("drift", "--full", "--detailed-exitcode");
  });

  test("a page that somebody moved is left alone: the button doesn't go where nothing is", async () => {
    await publish("by-hand");
    expect((await machine.run(["undo", "--yes"])).code).toBe(3);
    await machine.run(["undo", "--yes", "--skip-conflicts"]);
    expect(row("pages")["slug"]).toBe("by-hand");
    expect([slugOf(row("products")["ctaUrl"]), await exported()]).toEqual(["new", "new"]);
  });
});
