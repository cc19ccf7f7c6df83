/** The outputs that the pictures of the documents show, from real runs on an emulator. */
import { execFile } from "node:child_process";
import { createHash } from "node:crypto";
import { once } from "node:events";
import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { get, type IncomingMessage } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { promisify, stripVTControlCharacters } from "node:util";
import { startEmulator, type Emulator } from "../../emulator/index.ts";

const ROOT = join(import.meta.dirname, "../..");
const TITLE = "A mug worth getting up for";
const NEW_TITLE = "The mug you will reach for first";

export interface Scenes {
  /** The preview as a terminal shows it, with its colours. */
  readonly terminal: string;
  /** The same plan as a page and as the comment of a request. */
  readonly html: string;
  readonly comment: string;
  /** The public page, and its address. */
  readonly page: string;
  readonly url: string;
}

/** Plays the scenes. The page can be visited until `look` has ended. */
export async function withScenes<T>(look: (scenes: Scenes) => Promise<T> | T): Promise<T> {
  const folder = mkdtempSync(join(tmpdir(), "screenshots-"));
  const emulator = await startEmulator();
  const landform = (...args: string[]): Promise<string> => run({ folder, emulator }, args);
  try {
    cpSync(join(ROOT, "examples/quickstart-yaml"), folder, { recursive: true });
    await landform("up", "--yes");
    edit(join(folder, "landform.yaml"));
    const [html, comment] = [join(folder, "plan.html"), join(folder, "plan.md")];
    const terminal = await landform("preview", "--html", html, "--markdown", comment);
    const up = stripVTControlCharacters(await landform("up", "--yes"));
    const url = /http:\S+\/offer/.exec(up)?.[0];
    if (url === undefined) throw new Error(`no address of the offer in:\n${up}`);
    const page = await visited(new URL(url));
    return await look({ terminal, html: read(html), comment: read(comment), page, url });
  } finally {
    await emulator.close();
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Visits the page as a browser does, which finds every name below localhost on this machine. */
async function visited({ host, port, pathname }: URL): Promise<string> {
  const [answer] = (await once(
    get({ hostname: "127.0.0.1", port, path: pathname, headers: { host } }),
    "response",
  )) as [IncomingMessage];
  return text(answer);
}

function read(file: string): string {
  return readFileSync(file, "utf8");
}

function edit(file: string): void {
  const product = "\nproducts:\n  mug: { name: Mug, price: 12.5, project: spring }\n\nfunnels:";
  writeFileSync(file, read(file).replace(TITLE, NEW_TITLE).replace("\nfunnels:", product));
}

async function run(
  { folder, emulator: { baseUrl, apiKey } }: { readonly folder: string; readonly emulator: Emulator },
  args: readonly string[],
): Promise<string> {
  const env = {
    ...process.env,
    // Without Pulumi, so that the embedded engine runs.
    ...{ HOME: folder, PATH: "/usr/bin:/bin", NO_COLOR: undefined, FORCE_COLOR: "1", COLUMNS: undefined },
    ...{ LANDFORM_BASE_URL: baseUrl, LANDFORM_API_KEY: apiKey },
    ...{ PULUMI_BACKEND_URL: `file://${folder}`, PULUMI_CONFIG_PASSPHRASE: "screenshots" },
  };
  const main = join(ROOT, "dist/cli/main.js");
  const { stdout } = await promisify(execFile)(process.execPath, [main, ...args], { cwd: folder, env });
  return stdout;
}

/** The parts of an output that are others in each run. */
const CHANGING: readonly [RegExp, string][] = [
  [/(localhost|127\.0\.0\.1):\d+/g, "$1"],
  [/\b(acct|page|proj|prod|site|funnel|quiz|node|evt)_\w+/g, "$1_id"],
  [/\d{4}-\d\d-\d\dT[\d:.]+Z/g, "DATE"],
  [/\b\d+(\.\d+)? m?s\b/g, "TIME"],
];

/** Returns a digest for each output. It changes with the output, and not with the run. */
export function digestsOf({ terminal, html, comment, page }: Scenes): Record<string, string> {
  return Object.fromEntries(
    Object.entries({ terminal, html, comment, page }).map(([name, output]) => {
      const steady = CHANGING.reduce((whole, [pattern, word]) => whole.replace(pattern, word), output);
      return [name, createHash("sha256").update(steady).digest("hex").slice(0, 16)];
    }),
  );
}
