/**
 * Compares a thousand pages from one entry with `each` with the same pages written out. The runs alternate, so that a busy moment falls on all of
 * them.
 */
import { rmSync } from "node:fs";
import { stringify } from "yaml";
import { startEmulator } from "../emulator/index.ts";
import { entryOf, manifestOf } from "./account.ts";
import { landform, median, type Place, type Took } from "./command.ts";
import { makeProject, type Form } from "./project.ts";

export interface OneEntry {
  readonly pages: number;
  readonly rounds: number;
  readonly lines: { readonly entry: number; readonly written: number };
  /** Medians of both forms. */
  readonly took: Readonly<Record<string, { readonly entry: Took; readonly written: Took }>>;
}

const EMBEDDED = ["-s", "dev", "--engine", "embedded"];

export async function measureOneEntry(pages: number, rounds: number): Promise<OneEntry> {
  const size = { pages, products: 0, funnels: 0 };
  const forms = ["entry", "written"] as const;
  const [made, empty] = [await both(), await both()];
  const commands: Readonly<Record<string, (form: (typeof forms)[number]) => Promise<Took>>> = {
    check: (form) => landform(made[form], "check"),
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
    const lines = { entry: linesOf(stringify(entryOf(size).manifest)), written: linesOf(stringify(manifestOf(size))) };
    return { pages, rounds, lines, took: Object.fromEntries(medians) };
  } finally {
    for (const { folder, emulator } of [made, empty].flatMap((pair) => Object.values(pair))) {
      rmSync(folder, { recursive: true, force: true });
      await emulator.close();
    }
  }

  async function both(): Promise<Record<(typeof forms)[number], Place>> {
    return { entry: await open("entry"), written: await open("manifest") };
  }

  async function open(form: Form): Promise<Place> {
    const env = { ...process.env, PULUMI_CONFIG_PASSPHRASE: "" };
    return { folder: makeProject(form, size), emulator: await startEmulator(), env };
  }
}

function linesOf(text: string): number {
  return text.trimEnd().split("\n").length;
}
