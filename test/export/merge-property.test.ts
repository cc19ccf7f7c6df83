// @module-tag repeated
/** Exports merged into random manifests in people's styles: the result parses and shows the account, and the rest stays as it was, to the byte. */
import { strictEqual } from "node:assert";
import * as fc from "fast-check";
import { expect, test } from "vitest";
import { isMap, isScalar, parseDocument } from "yaml";
import { ExportError, type ExportReport } from "../../manifest/export/index.ts";
import { ContentFields } from "../../provider/account/content-map.ts";
import { rounds } from "../suite/parts.ts";
import { hostileTexts, populate, shapesOf } from "./accounts.ts";
import { Stack } from "./apply.ts";
import { TestAccount, TestFolder } from "./harness.ts";
import { restyled } from "./restyle.ts";

/** Every run plays the same manifests. LANDFORM_SEED tries others. */
const SEED = Number(process.env["LANDFORM_SEED"] ?? "1");
const RUNS = rounds({ quick: 2, all: 8, soak: 300 });

interface Edit {
  readonly what: number;
  readonly which: number;
  readonly text: string;
}

const edits = fc.array(
  fc.record({
    what: fc.nat(99),
    which: fc.nat(99),
    text: fc.oneof(fc.constantFrom(...hostileTexts), fc.string({ maxLength: 40 })),
  }),
  { minLength: 1, maxLength: 6 },
);
const style = fc.array(fc.nat(999), { minLength: 40, maxLength: 200 });

test(`an export merged into ${RUNS} random manifests`, { timeout: 60_000 + RUNS * 20_000 }, async () => {
  const property = fc.asyncProperty(shapesOf(1), style, edits, async (shape, numbers, changes) => {
    const account = await TestAccount.open({ notShown: { ...shape.notShown, projectContextOnRead: true } });
    const folder = new TestFolder();
    try {
      await populate(account, shape);
      await folder.export(account);
      const { text, comments } = restyled(folder.read(), numbers);
      folder.write("landform.yaml", text);
      strictEqual((await folder.export(account)).files.length, 0, "nothing has changed, and something was written");
      for (const change of changes) await edit(account, change);
      const report = await folder.export(account).catch(refused);
      if (report === undefined) strictEqual(folder.read(), text, "a refused merge wrote something");
      else {
        keepsTheRest(text, folder.read(), comments, report);
        await meansWhatIsThere(account, folder, report);
      }
    } finally {
      folder.close();
      await account.close();
    }
  });
  await fc.assert(property, { numRuns: RUNS, seed: SEED, endOnFailure: true });
});

/** The export refuses an unsafe edit as a whole. */
function refused(error: unknown): undefined {
  if (!(error instanceof ExportError) || !error.message.includes("can't be edited safely")) throw error;
}

/** Edits as a person does in the app. */
async function edit({ api }: TestAccount, { what, which, text }: Edit): Promise<void> {
  const one = <Row>(rows: readonly Row[]): Row | undefined => rows[which % Math.max(rows.length, 1)];
  const name = text.trim() === "" ? "Renamed" : text.trim();
  const page = one(await api.pages.list());
  const product = one(await api.products.list());
  const funnel = one(await api.funnels.list());
  switch (what % 8) {
    case 0:
    case 1:
    case 2: {
      if (!page) return;
      const key = one(new ContentFields((await api.builder.contentMap(page.id)).fields).keys());
      if (key !== undefined) await api.pages.updateContent({ page_id: page.id, updates: { [key]: text } });
      return;
    }
    case 3:
      if (page) await api.pages.updateMetadata({ page_id: page.id, name });
      return;
    case 4:
      if (product) await api.products.update({ product_id: product.id, price: which / 4, description: text });
      return;
    case 5:
      if (funnel)
        await api.funnels.update({ funnel_id: funnel.id, pages: stepsLess(funnel.steps as unknown as Step[], which) });
      return;
    case 6:
      await api.products.create({ name, price: 1 });
      return;
    default:
      if (product) await api.products.update({ product_id: product.id, name });
  }
}

interface Step {
  readonly pageType: string;
}

/** Returns the steps without one, or with another before the first. */
function stepsLess(steps: readonly Step[], which: number): Step[] {
  const less = steps.filter((_, index) => index !== which % Math.max(steps.length, 1));
  const fresh = { url: "https://new.example", pageType: "sales" };
  return which % 2 === 0 ? less : [fresh, ...less];
}

/** Checks that everything around the changed entries is there, in its order. The report names those entries. */
function keepsTheRest(before: string, after: string, comments: readonly string[], report: ExportReport): void {
  if (before.includes("\r\n")) expect(after.replaceAll("\r\n", "")).not.toContain("\n");
  const changed = new Set(report.updated.map((path) => path.split(".").slice(0, 2).join(".")));
  const kept = linesOutside(before, changed);
  const lines = after.split("\n");
  let at = 0;
  for (const line of kept) {
    const found = lines.indexOf(line, at);
    if (found === -1) throw new Error(`this line is gone: ${JSON.stringify(line)}\n${before}\n=====\n${after}`);
    at = found + 1;
  }
  const isInList = report.updated.some((path) => path.endsWith(".steps"));
  const lost = comments.filter((comment) => !after.includes(comment));
  if (!isInList) expect(lost).toEqual([]);
}

function linesOutside(text: string, changed: ReadonlySet<string>): string[] {
  const lines = text.split("\n");
  const lineOf = (offset: number): number => text.slice(0, offset).split("\n").length - 1;
  const root = parseDocument(text).contents;
  const entries = isMap(root)
    ? root.items.flatMap(({ key: section, value }) => {
        const items = isMap(value) ? value.items : [];
        return [
          { address: undefined, start: startOf(section) },
          ...items.map(({ key }) => ({ address: `${nameOf(section)}.${nameOf(key)}`, start: startOf(key) })),
        ];
      })
    : [];
  for (const [index, { address, start }] of entries.entries()) {
    if (address === undefined || !changed.has(address)) continue;
    const next = entries[index + 1];
    lines.fill("", lineOf(start), next === undefined ? lines.length : lineOf(next.start));
  }
  // If one place of a shared value changes, each place gets the value written out.
  return lines.filter((line) => line.trim() !== "" && !/[*&]a\d/.test(line));
}

function startOf(node: unknown): number {
  return isScalar(node) ? (node.range?.[0] ?? 0) : 0;
}

function nameOf(node: unknown): string {
  return isScalar(node) ? String(node.value) : "";
}

/** Checks that the result adopts everything without a write, and that a further export changes nothing. */
async function meansWhatIsThere(account: TestAccount, folder: TestFolder, { kept }: ExportReport): Promise<void> {
  const again = await folder.export(account);
  expect(again.files).toEqual([]);
  expect(again.kept.map(withoutPlaces)).toEqual(kept.map(withoutPlaces));
  if (kept.length > 0) return;
  account.calls();
  const stack = new Stack(account);
  try {
    await stack.up(folder);
    expect(await stack.pending()).toEqual([]);
  } finally {
    await stack.close();
  }
  expect(account.writes()).toEqual([]);
}

/** Leaves out line numbers, because lines move with the text above them. */
function withoutPlaces(kept: string): string {
  return kept.replace(/ \(.*/, "");
}
