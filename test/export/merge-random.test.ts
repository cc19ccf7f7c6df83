/**
 * Random manifests, as people write them, and random edits in the app: what an export merges in parses, says what the account
 * shows, leaves every other line as it was, and a second export finds nothing more to write.
 */
import fc from "fast-check";
import { afterAll, beforeAll, expect, test } from "vitest";
import { parse, parseDocument } from "yaml";
import { validate } from "../../manifest/index.ts";
import { rounds } from "../suite/parts.ts";
import { LONG } from "./accounts.ts";
import { TestAccount, TestFolder } from "./harness.ts";
import { join } from "node:path";

const RUNS = rounds({ quick: 3, all: 40, full: 1_000 });
const PRODUCTS = 3;
const KEYS = ["top.brand", "hero.title", "hero.text"];

let account: TestAccount;
let project: string;
let products: string[];
let page: string;

beforeAll(async () => {
  account = await TestAccount.open({ notShown: { projectContextOnRead: true } });
  const { api } = account;
  ({ id: project } = await api.projects.create({ name: "Spring", description: LONG, context: LONG }));
  const made = Array.from({ length: PRODUCTS }, (_, index) =>
    api.products.create({ name: `Product ${index}`, price: index + 1, project_id: project }),
  );
  products = (await Promise.all(made)).map(({ id }) => id);
  ({ id: page } = await api.pages.createFromTemplate({ template_id: "tpl-hero", name: "Home", project_id: project }));
});
afterAll(() => account.close());

const TEXTS = [
  "Plain",
  "two words",
  "a: b # c",
  "",
  "{{brand}} & Co",
  "two\nlines",
  "ends\n",
  " led",
  "ü 🎉",
  "no",
  "1e3",
  "'x'",
  '"y"',
  "- z",
  "long ".repeat(40).trim(),
];
const text = fc.constantFrom(...TEXTS);
const price = fc.constantFrom(0, 1, 12.5, 99.99, 1000);

interface Live {
  readonly products: readonly { price: number; description: string }[];
  readonly content: Record<string, string>;
}

const live: fc.Arbitrary<Live> = fc.record({
  products: fc.array(fc.record({ price, description: text }), { minLength: PRODUCTS, maxLength: PRODUCTS }),
  content: fc.record(Object.fromEntries(KEYS.map((key) => [key, text])) as Record<string, fc.Arbitrary<string>>),
});

interface Style {
  readonly indent: readonly number[];
  readonly notes: readonly number[];
  readonly scalars: readonly number[];
  readonly crlf: boolean;
  readonly shared: boolean;
  readonly flow: boolean;
}

const numbers = (max: number) => fc.array(fc.nat(max), { minLength: 7, maxLength: 7 });
const style: fc.Arbitrary<Style> = fc.record({
  indent: fc.array(fc.constantFrom(1, 2, 3, 4), { minLength: 3, maxLength: 3 }),
  notes: numbers(5),
  scalars: numbers(5),
  crlf: fc.boolean(),
  shared: fc.boolean(),
  flow: fc.boolean(),
});

/** One text in one of the ways in which YAML writes it; `column` is that of the key. */
function scalar(value: string, choice: number, column: number): string {
  const inner = " ".repeat(column + 2);
  const words = value.split(" ");
  if (choice === 1)
    return `'${value.replaceAll("'", "''")}'`.includes("\n")
      ? JSON.stringify(value)
      : `'${value.replaceAll("'", "''")}'`;
  if (choice === 2 && value.trim() === value && !value.includes("\n") && words.length > 1)
    return `>-\n${inner}${words[0] ?? ""}\n${inner}${words.slice(1).join(" ")}`;
  if (choice === 3 && value.trim() === value && value !== "")
    return `|-\n${value
      .split("\n")
      .map((line) => inner + line)
      .join("\n")}`;
  if (choice === 4 && /^[A-Za-z][A-Za-z ]*$/.test(value) && parse(value) === value) return value;
  return JSON.stringify(value);
}

function note(choice: number, column: number): string {
  if (choice === 1) return "\n";
  if (choice === 2) return `${" ".repeat(column)}# what follows: "matters"\n`;
  return choice === 3 ? `\n${" ".repeat(column)}#\n\n` : "";
}

function behind(choice: number, value: string): string {
  return choice >= 4 && !/^[|>]/.test(value) ? `   # note ${choice}` : "";
}

/** The account as somebody may have written it down. */
function manifestOf({ products: rows, content }: Live, { indent, notes, scalars, crlf, shared, flow }: Style): string {
  const at = (list: readonly number[], index: number): number => list[index % list.length] ?? 0;
  const lines = ["# Kept by hand.\nlandform: 1\nname: spring\n"];
  const wide = at(indent, 0);
  lines.push(
    `${note(at(notes, 0), 0)}projects:\n${" ".repeat(wide)}spring: { name: Spring, adoptId: ${project} } # ours\n`,
  );
  const step = at(indent, 1);
  const [one, two] = [" ".repeat(step), " ".repeat(2 * step)];
  lines.push(`${note(at(notes, 1), 0)}products:\n`);
  for (const [index, row] of rows.entries()) {
    const same = shared && index === 1 && row.description === rows[0]?.description;
    const anchor = shared && index === 0 && rows[1]?.description === row.description ? "&text " : "";
    const description = same ? "*text" : scalar(row.description, at(scalars, index), 2 * step);
    if (flow && index === 2) {
      lines.push(
        `${one}p2: { adoptId: ${products[2] ?? ""}, price: ${row.price}, description: ${JSON.stringify(row.description)}, project: spring, name: Product 2 }\n`,
      );
      continue;
    }
    lines.push(
      note(at(notes, index + 2), step),
      `${one}p${index}:\n${two}name: Product ${index}\n${two}adoptId: ${products[index] ?? ""}\n${two}project: spring\n`,
    );
    lines.push(`${two}price: ${row.price}${behind(at(notes, index), "")}\n${note(at(notes, index + 3), 2 * step)}`);
    lines.push(`${two}description: ${anchor}${description}${behind(at(notes, index + 1), description)}\n`);
  }
  const deep = at(indent, 2);
  const [a, b, c] = [1, 2, 3].map((level) => " ".repeat(level * deep));
  lines.push(
    `${note(at(notes, 5), 0)}pages:\n${a ?? ""}home:\n${b ?? ""}name: Home\n${b ?? ""}adoptId: ${page}\n${b ?? ""}project: spring\n${b ?? ""}content:\n`,
  );
  for (const [index, key] of KEYS.entries()) {
    const value = scalar(content[key] ?? "", at(scalars, index + 3), 3 * deep);
    lines.push(`${note(at(notes, index), 3 * deep)}${c ?? ""}${key}: ${value}${behind(at(notes, index + 2), value)}\n`);
  }
  lines.push("# The end.\n");
  const whole = lines.join("");
  return crlf ? whole.replaceAll("\n", "\r\n") : whole;
}

async function bring({ products: rows, content }: Live): Promise<void> {
  const { api } = account;
  for (const [index, row] of rows.entries()) await api.products.update({ product_id: products[index] ?? "", ...row });
  await api.pages.updateContent({ page_id: page, updates: content });
}

interface Declared {
  products: Record<string, { price?: number; description?: string }>;
  pages: Record<string, { content?: Record<string, string> }>;
}

/** What is declared of what was edited. A text with a placeholder and no value for it stands for itself. */
function meant({ products: rows, content }: Live, path: string): void {
  const declared = parse(path) as Declared;
  for (const [index, row] of rows.entries()) {
    const entry = declared.products[`p${index}`];
    expect(entry?.price ?? 0).toBe(row.price);
    expect(entry?.description ?? "").toBe(row.description);
  }
  for (const key of KEYS) expect(declared.pages["home"]?.content?.[key], key).toBe(content[key]);
}

/** Lines of what was not edited, in their order. */
function otherLines(before: string, then: Live, now: Live): string[] {
  const document = parseDocument(before.replaceAll("\r\n", "\n"));
  const edited: (readonly [number, number])[] = [];
  const pathsOf = [
    ...then.products.flatMap((row, index) => [
      ...(row.price === now.products[index]?.price ? [] : [["products", `p${index}`, "price"]]),
      ...(row.description === now.products[index]?.description ? [] : [["products", `p${index}`, "description"]]),
    ]),
    ...KEYS.filter((key) => then.content[key] !== now.content[key]).map((key) => ["pages", "home", "content", key]),
  ];
  for (const path of pathsOf) {
    const node = document.getIn(path, true) as { range?: [number, number, number] } | undefined;
    if (node?.range) edited.push([node.range[0], node.range[1]]);
  }
  // A shared text is told apart at either place.
  if (before.includes("*text")) {
    for (const key of ["p0", "p1"]) {
      const node = document.getIn(["products", key, "description"], true) as
        { range?: [number, number, number] } | undefined;
      if (node?.range) edited.push([node.range[0], node.range[1]]);
    }
  }
  const lines: string[] = [];
  let offset = 0;
  for (const line of before.replaceAll("\r\n", "\n").split("\n")) {
    const [start, end] = [offset, offset + line.length];
    offset = end + 1;
    if (!edited.some(([from, to]) => from <= end && to >= start)) lines.push(line);
  }
  return lines;
}

function expectInOrder(lines: readonly string[], text: string): void {
  const all = text.replaceAll("\r\n", "\n").split("\n");
  let from = 0;
  for (const line of lines) {
    const found = all.indexOf(line, from);
    expect(found, `${JSON.stringify(line)} is no longer where it was:\n${text}`).toBeGreaterThanOrEqual(0);
    from = found + 1;
  }
}

async function merges(folder: TestFolder, written: string, then: Live, now: Live): Promise<string> {
  await bring(now);
  await folder.export(account);
  const merged = folder.read();
  const { manifest, diagnostics } = validate(join(folder.path, "landform.yaml"));
  expect(manifest, JSON.stringify(diagnostics)).toBeDefined();
  meant(now, merged);
  expectInOrder(otherLines(written, then, now), merged);
  if (written.includes("\r\n")) expect(merged.replaceAll("\r\n", "")).not.toContain("\n");
  else expect(merged).not.toContain("\r");
  expect((await folder.export(account)).files).toEqual([]);
  expect(folder.read()).toBe(merged);
  return merged;
}

test(
  "whatever is edited in the app comes into whatever is written, and nothing else",
  { timeout: RUNS * 20_000 },
  async () => {
    const runs = fc.asyncProperty(
      live,
      style,
      fc.array(live, { minLength: 1, maxLength: 2 }),
      async (first, how, edits) => {
        const folder = new TestFolder();
        try {
          let [written, then] = [manifestOf(first, how), first];
          folder.write("landform.yaml", written);
          // What was not declared comes in first, beside what stands as it is.
          written = await merges(folder, written, then, first);
          for (const now of edits) {
            written = await merges(folder, written, then, now);
            then = now;
          }
        } finally {
          folder.close();
        }
      },
    );
    await fc.assert(runs, { numRuns: RUNS });
  },
);
