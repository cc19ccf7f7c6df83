// @module-tag thorough
/**
 * Random programs, applied step by step on the embedded engine: up to 30 resources with random dependencies, changes, deletions and failing calls.
 * After each step the account holds what the program says, and a second run plans nothing.
 */
import fc from "fast-check";
import { rounds } from "../suite/parts.ts";
import { mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test, vi } from "vitest";
import { deploy, startTestAccount, type TestAccount } from "../../stack/testing.ts";

const RUNS = rounds({ quick: 1, all: 1, soak: 20 });
vi.setConfig({ testTimeout: RUNS * 240_000 });

interface Declared {
  readonly kind: "Product" | "Page";
  readonly number: number;
  /** The price of a product, or the product label of a page. */
  readonly value: number;
  /** Numbers of earlier resources. */
  readonly after: readonly number[];
}

interface Step {
  readonly program: readonly Declared[];
  /** The calls that fail at the first try, by their number among the writes. */
  readonly failures: readonly number[];
}

const declared = fc.record({
  kind: fc.constantFrom("Product" as const, "Page" as const),
  number: fc.nat(29),
  value: fc.integer({ min: 1, max: 4 }),
  after: fc.array(fc.nat(29), { maxLength: 3 }),
});
const program = fc
  .uniqueArray(declared, { selector: ({ number }) => number, maxLength: 30 })
  .map((list) => list.sort((a, b) => a.number - b.number))
  // A resource keeps its kind, so that a number always means the same one.
  .map((list) =>
    list.map((item) => ({ ...item, kind: item.number % 2 === 0 ? ("Product" as const) : ("Page" as const) })),
  );
const step: fc.Arbitrary<Step> = fc.record({ program, failures: fc.uniqueArray(fc.nat(20), { maxLength: 3 }) });

const PROGRAM = `import { readFileSync } from "node:fs";
import { Page, Product } from "landform";
const made = new Map();
for (const { kind, number, value, after } of JSON.parse(readFileSync(new URL("resources.json", import.meta.url), "utf8"))) {
  const options = { dependsOn: after.flatMap((earlier) => made.get(earlier) ?? []) };
  const name = "r" + number;
  made.set(number, kind === "Page" ? new Page(name, { name: name + "-" + value }, options) : new Product(name, { price: value }, options));
}
`;

function makeFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), "landform-random-"));
  symlinkSync(join(import.meta.dirname, "../../node_modules"), join(folder, "node_modules"), "junction");
  writeFileSync(
    join(folder, "Pulumi.yaml"),
    JSON.stringify({ name: "random", runtime: { name: "nodejs", options: { typescript: false } } }),
  );
  writeFileSync(join(folder, "package.json"), JSON.stringify({ name: "random", type: "module", main: "index.js" }));
  writeFileSync(join(folder, "index.js"), PROGRAM);
  return folder;
}

async function list(account: TestAccount, path: string): Promise<Record<string, unknown>[]> {
  const headers = { authorization: `Bearer ${account.emulator.apiKey}` };
  const response = await fetch(`${account.emulator.baseUrl}${path}?limit=100`, { headers });
  return (await response.json()) as Record<string, unknown>[];
}

async function content(account: TestAccount): Promise<string[]> {
  const products = await list(account, "/products");
  const pages = await list(account, "/pages");
  return [
    ...products.map(({ name, price }) => `Product ${String(name)} ${String(price)}`),
    ...pages.map(({ page_name }) => `Page ${String(page_name)}`),
  ].sort();
}

function wanted(program: readonly Declared[]): string[] {
  return program
    .map(({ kind, number, value }) => (kind === "Page" ? `Page r${number}-${value}` : `Product r${number} ${value}`))
    .sort();
}

async function applyStep(folder: string, account: TestAccount, { program, failures }: Step): Promise<void> {
  writeFileSync(join(folder, "resources.json"), JSON.stringify(program));
  for (const skip of failures) {
    for (const method of ["POST", "PATCH", "DELETE"])
      account.emulator.faults.add({ method, phase: "status", status: 403, skip });
  }
  if (failures.length > 0) await deploy(folder, { account });
  account.emulator.faults.clear();
  const applied = await deploy(folder, { account });
  expect(applied.failures).toEqual([]);
  expect(await content(account)).toEqual(wanted(program));
  const again = await deploy(folder, { account, operation: "preview" });
  expect([again.failures, again.changes]).toEqual([[], []]);
}

test("random programs converge, whatever fails on the way", async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 2, maxLength: 3 }), async (steps) => {
      const account = await startTestAccount();
      const folder = makeFolder();
      try {
        for (const next of steps) await applyStep(folder, account, next);
      } finally {
        rmSync(folder, { recursive: true, force: true });
        await account.close();
      }
    }),
    { numRuns: RUNS, endOnFailure: true },
  );
});
