/** A thousand pages from one entry with `each`, beside the same ones written out: interleaved, so that a busy moment falls on all of them. */
import { rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { stringify } from "yaml";
import { startEmulator } from "../emulator/index.ts";
import { manifestOf } from "./account.ts";
import { landform, median, type Place, type Took } from "./command.ts";
import { makeProject } from "./project.ts";

export interface OneEntry {
  readonly pages: number;
  readonly rounds: number;
  readonly lines: { readonly entry: number; readonly written: number };
  /** Medians, of both forms. */
  readonly took: Readonly<Record<string, { readonly entry: Took; readonly written: Took }>>;
}

interface Page {
  readonly content: Readonly<Record<string, string>>;
  readonly publish: { readonly site: string; readonly slug: string };
}

const EMBEDDED = ["-s", "dev", "--engine", "embedded"];

export async function measureOneEntry(pages: number, rounds: number): Promise<OneEntry> {
  const size = { pages, products: 0, funnels: 0 };
  const forms = ["entry", "written"] as const;
  const [made, empty] = [await both(), await both()];
  const commands: Readonly<Record<string, (form: (typeof forms)[number]) => Promise<Took>>> = {
    validate: (form) => landform(made[form], "validate"),
    lint: (form) => landform(made[form], "lint"),
    "preview from empty": (form) => landform(empty[form], "preview", ...EMBEDDED),
    "preview without changes": (form) => landform(made[form], "preview", ...EMBEDDED),
  };
  try {
    for (const form of forms) await landform(made[form], "up", "--yes", ...EMBEDDED);
    const took = new Map(Object.keys(commands).map((title) => [title, { entry: [] as Took[], written: [] as Took[] }]));
    for (let round = 0; round < rounds; round++) {
      for (const [title, run] of Object.entries(commands)) {
        for (const form of forms) {
          const used = await run(form);
          took.get(title)?.[form].push(used);
          console.log(title, form, used.seconds.toFixed(2), used.cpuSeconds.toFixed(2));
        }
      }
    }
    const medians = [...took].map(
      ([title, { entry, written }]) => [title, { entry: median(entry), written: median(written) }] as const,
    );
    const lines = { entry: linesOf(entryOf(size)), written: linesOf(stringify(manifestOf(size))) };
    return { pages, rounds, lines, took: Object.fromEntries(medians) };
  } finally {
    for (const { folder, emulator } of [made, empty].flatMap((pair) => Object.values(pair))) {
      rmSync(folder, { recursive: true, force: true });
      await emulator.close();
    }
  }

  async function both(): Promise<Record<(typeof forms)[number], Place>> {
    const [entry, written] = [await open(), await open()];
    writeFileSync(join(entry.folder, "landform.yaml"), entryOf(size));
    writeFileSync(join(entry.folder, "pages.csv"), rowsOf(pagesOf(size)));
    return { entry, written };
  }

  async function open(): Promise<Place> {
    const env = { ...process.env, PULUMI_CONFIG_PASSPHRASE: "" };
    return { folder: makeProject("manifest", size), emulator: await startEmulator(), env };
  }
}

type Size = Parameters<typeof manifestOf>[0];

function pagesOf(size: Size): Page[] {
  return Object.values((manifestOf(size) as { pages: Record<string, Page> }).pages);
}

/** The same manifest with one entry for all pages: each text is a column. */
function entryOf(size: Size): string {
  const [first] = pagesOf(size);
  if (first === undefined) throw new TypeError("there are no pages");
  const each = (column: string): string => `\${each[${JSON.stringify(column)}]}`;
  const page = {
    ...first,
    each: { file: "pages.csv", key: "page" },
    content: Object.fromEntries(Object.keys(first.content).map((key) => [key, each(key)])),
    publish: { ...first.publish, slug: each("slug") },
  };
  return stringify({ ...manifestOf(size), pages: { page } });
}

function rowsOf(pages: readonly Page[]): string {
  const cell = (text: string): string => `"${text.replaceAll('"', '""')}"`;
  const keys = Object.keys(pages[0]?.content ?? {});
  const rows = pages.map(({ content, publish }, index) => [
    String(index),
    publish.slug,
    ...keys.map((key) => content[key] ?? ""),
  ]);
  return [["page", "slug", ...keys], ...rows].map((row) => `${row.map(cell).join(",")}\n`).join("");
}

function linesOf(text: string): number {
  return text.trimEnd().split("\n").length;
}
