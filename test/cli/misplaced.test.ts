// @module-tag thorough
/** A service that publishes a page at a path beside the taken one (`offer-2`), and answers with success. */
import { beforeEach, expect, test } from "vitest";
import { Machine } from "../faults/whole/machine.ts";
import { inTheApp } from "../suite/app.ts";
import { forEachTest } from "../suite/opened.ts";

interface Code {
  readonly slugs: readonly [string, string];
  readonly isReleased?: boolean;
}

const manifest = ({ slugs: [a, b], isReleased = false }: Code): string =>
  [
    "landform: 1\nname: beside\nsites: { m: { name: m.example } }\npages:\n",
    `  a: { name: A, template: tpl-hero, variables: { brand: Acme }, publish: { site: m, slug: ${a} } }\n`,
    `  b: { name: B, template: tpl-hero, variables: { brand: Acme }, publish: { site: m, slug: ${b} } }\n`,
    isReleased ? "releases: { go: { pages: [ { page: a }, { page: b } ] } }\n" : "",
  ].join("");

const machine = forEachTest(() =>
  Machine.open({ kind: "embedded", form: "landform.yaml" }, { "landform.yaml": manifest({ slugs: ["x", "y"] }) }),
);
beforeEach(() => {
  machine.emulator.notShown.duplicateSlug = "suffix";
});

async function run(code: number, ...args: string[]): Promise<string> {
  const ended = await machine.run(args);
  expect(ended.code, ended.said).toBe(code);
  return ended.said;
}

async function quiet(): Promise<void> {
  await run(0, "preview", "--detailed-exitcode");
  await run(0, "drift", "--full", "--detailed-exitcode");
}

const pagesNow = (): Record<string, unknown>[] => machine.emulator.records()["pages"] ?? [];
const paths = (): Record<string, unknown> =>
  Object.fromEntries(pagesNow().map(({ pageName, slug }) => [String(pageName), slug]));

const call = (path: string, body: object): Promise<Record<string, unknown>> => inTheApp(machine, "POST", path, body);

test.each([false, true])("pages that swap paths end where they are to be (in a release: %j)", async (isReleased) => {
  machine.write("landform.yaml", manifest({ slugs: ["x", "y"], isReleased }));
  await run(0, "up", "--yes");
  machine.write("landform.yaml", manifest({ slugs: ["y", "x"], isReleased }));
  await run(0, "up", "--yes");
  expect(paths()).toEqual({ A: "y", B: "x" });
  await quiet();
  await run(0, "undo", "--yes");
  expect(paths()).toEqual({ A: "x", B: "y" });
});

test.each(["of a page that moves", "of a new page", "of a release"])(
  "a path that somebody takes meanwhile fails, and is told until it is free: %s",
  { timeout: 180_000 },
  async (what) => {
    const isReleased = what === "of a release";
    const code = (slug: string): string => manifest({ slugs: [slug, "y"], isReleased });
    machine.write("landform.yaml", code("x").replace(what === "of a new page" ? /^ {2}a: .*\n/m : "", ""));
    await run(0, "up", "--yes");
    const theirs = String((await call("/pages/from-template", { template_id: "tpl-hero", name: "Theirs" }))["id"]);
    const site = machine.emulator.records()["sites"]?.[0]?.id;
    await call("/pages/publish", { page_id: theirs, site_id: site, slug: "offer" });
    // No list shows it yet.
    for (const path of ["/pages", "/search/pages"])
      machine.emulator.faults.add({ method: "GET", path, phase: "altered", list: "empty", times: Infinity });
    machine.write("landform.yaml", code("offer"));
    expect(await run(1, "up", "--yes")).toMatch(/to be at \/offer of site \S+, at \/offer-2 instead/);
    expect(paths()).toMatchObject({ A: isReleased ? "x" : "offer-2", Theirs: "offer" });
    machine.emulator.faults.clear();
    expect(await run(2, "drift", "--full", "--detailed-exitcode")).toMatch(isReleased ? /Release go/ : /Page a/);
    await call("/pages/publish", { page_id: theirs, site_id: site, slug: "elsewhere" });
    await run(2, "preview", "--detailed-exitcode");
    await run(0, "up", "--yes");
    expect(paths()).toMatchObject({ A: "offer", B: "y", Theirs: "elsewhere" });
    await quiet();
  },
);
