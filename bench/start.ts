/** Measures a small command, which is mostly its start. The runs alternate, so that a busy moment falls on all of them. */
import { rmSync } from "node:fs";
import { startEmulator } from "../emulator/index.ts";
import { landform, median, node, type Place, type Took } from "./command.ts";
import { type Form, makeProject } from "./project.ts";

export type Starts = ReadonlyMap<string, Took>;

/** Ten resources. */
const SIZE = { pages: 8, products: 0, funnels: 0 };
const ROUNDS = 7;

/** Medians. */
export async function measureStarts(): Promise<Starts> {
  const [manifest, program] = await Promise.all([open("manifest"), open("program")]);
  const embedded = ["-s", "dev", "--engine", "embedded"];
  const commands = new Map<string, () => Promise<Took>>([
    ["node -e 0", () => node(manifest, "-e", "0")],
    ["landform --version", () => landform(manifest, "--version")],
    ["landform --help", () => landform(manifest, "--help")],
    ["landform check", () => landform(manifest, "check")],
    ["landform preview, landform.yaml, 10 resources", () => landform(manifest, "preview", ...embedded)],
    ["landform up --yes, landform.yaml, 10 resources", () => landform(manifest, "up", "--yes", ...embedded)],
    ["landform preview, program, 10 resources", () => landform(program, "preview", ...embedded)],
    ["landform up --yes, program, 10 resources", () => landform(program, "up", "--yes", ...embedded)],
  ]);
  try {
    // Run each once before measuring, so that compiled code is kept.
    for (const run of commands.values()) await run();
    const took = new Map([...commands.keys()].map((title): [string, Took[]] => [title, []]));
    for (let round = 0; round < ROUNDS; round++) {
      for (const [title, run] of commands) took.get(title)?.push(await run());
    }
    return new Map([...took].map(([title, runs]) => [title, median(runs)]));
  } finally {
    for (const { folder, emulator } of [manifest, program]) {
      rmSync(folder, { recursive: true, force: true });
      await emulator.close();
    }
  }
}

/** Opens an account of its own: two stacks can't publish at the same paths. */
async function open(form: Form): Promise<Place> {
  const env = { ...process.env, PULUMI_CONFIG_PASSPHRASE: "" };
  return { folder: makeProject(form, SIZE), emulator: await startEmulator(), env };
}
