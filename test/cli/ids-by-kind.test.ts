// @module-tag thorough
/** A service whose ids are unique only within a kind: page 1, site 1, product 1 and hook 1 are four objects. */
import { beforeEach, expect, test } from "vitest";
import { Machine } from "../faults/whole/machine.ts";
import { forEachTest } from "../suite/opened.ts";

interface Code {
  readonly template?: string;
  readonly hook?: string;
  readonly more?: boolean;
}

function manifest({ template = "tpl-thankyou", hook = "a", more = true }: Code): string {
  const page = (key: string, name: string): string =>
    `  ${key}: { name: ${name}, template: ${template}, variables: ${VARIABLES}, publish: { site: m, slug: ${key} } }\n`;
  return [
    "landform: 1\nname: ids\nsites: { m: { name: m.example } }\npages:\n",
    page("offer", "Offer"),
    more ? page("thanks", "Thanks") : "",
    "quizzes:\n  q: { name: Quiz, template: tpl-quiz-product, variables: { brand: Acme, product_count: '3' }, publish: { site: m, slug: quiz } }\n",
    more ? "products: { mug: { name: Mug, price: 2 } }\n" : "",
    `funnels: { f: { steps: [ { page: offer, pageType: sales }, { quiz: q, pageType: quiz } ] } }\n`,
    `hooks: { l: { eventType: form_lead.created, targetUrl: "https://example.com/${hook}" } }\n`,
  ].join("");
}

const VARIABLES = "{ brand: Acme, support_email: a@example.com, headline: H, product: Mug }";

const machine = forEachTest(() =>
  Machine.open({ kind: "embedded", form: "landform.yaml" }, { "landform.yaml": manifest({}) }),
);
beforeEach(async () => {
  machine.emulator.notShown.ids = "counted-by-kind";
  await run("up", "--yes");
});

async function run(...args: string[]): Promise<string> {
  const { code, said } = await machine.run(args);
  expect(code, said).toBe(0);
  return said;
}

/** Runs an up, and then a plan without changes. */
async function up(code: Code): Promise<string> {
  machine.write("landform.yaml", manifest(code));
  const said = await run("up", "--yes");
  await quiet();
  return said;
}

async function quiet(): Promise<void> {
  await run("preview", "--detailed-exitcode");
  await run("drift", "--full", "--detailed-exitcode");
}

const rows = (collection: string): Record<string, unknown>[] => machine.emulator.records()[collection] ?? [];
const there = (): unknown => ({
  pages: rows("pages")
    .map(({ slug }) => slug)
    .sort(),
  products: rows("products").length,
  hooks: rows("hooks").filter(({ active }) => active === true).length,
  funnels: rows("funnels").filter(({ name }) => name === "f").length,
});
const ALL = { pages: ["offer", "quiz", "thanks"], products: 1, hooks: 1, funnels: 1 };

test("what goes is deleted, and an undo brings it back", async () => {
  await quiet();
  expect(there()).toEqual(ALL);
  expect(new Set(["pages", "sites", "products", "hooks", "funnels"].map((kind) => rows(kind)[0]?.["id"]))).toEqual(
    new Set(["1"]),
  );
  expect(await up({ more: false })).not.toMatch(/is not deleted/);
  expect(there()).toEqual({ ...ALL, pages: ["offer", "quiz"], products: 0 });
  await run("undo", "--yes");
  expect(there()).toEqual(ALL);
  await up({});
  await run("destroy", "--yes");
  expect(there()).toEqual({ pages: [], products: 0, hooks: 0, funnels: 0 });
});
