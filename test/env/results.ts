/** The table in RESULTS.md from runs before a release: a line a test, so that parts may run one after another. */
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { table } from "../faults/results.ts";
import { asked } from "../suite/parts.ts";

const FILE = join(import.meta.dirname, "RESULTS.md");

const HEADINGS = ["what", "how often", "figures", "on"] as const;

/** Writes a line, in a full run only. A new figure replaces the old one for the same thing. */
export function writeResult(what: string, times: number, figures: string): void {
  if (asked !== "soak") return;
  const others = existsSync(FILE) ? rowsIn(readFileSync(FILE, "utf8")).filter(([one]) => one !== what) : [];
  const rows = [...others, [what, String(times), figures, new Date().toISOString().slice(0, 10)]].sort(([a], [b]) =>
    (a ?? "").localeCompare(b ?? "", "en"),
  );
  writeFileSync(FILE, `${TITLE}\n${table(HEADINGS, rows)}\n\n${SIZES}\n`);
}

/** Returns the lines of a table without its head. */
function rowsIn(text: string): string[][] {
  const lines = text.split("\n").filter((line) => line.startsWith("| "));
  return lines.slice(2).map((line) =>
    line
      .split("|")
      .slice(1, -1)
      .map((cell) => cell.trim()),
  );
}

const TITLE = `# Previews under faults and kills

Written by \`npm run test:soak\` (test/env/walks.test.ts), on the embedded engine: each command a process of its own. Afterwards the account
held the base and the pool of retired funnels, byte for byte, and nothing else.
`;

const SIZES = `\`LANDFORM_ENV_WALK=20x12\`, \`LANDFORM_ENV_MANY=10\` and \`LANDFORM_ENV_KILLS=30\` set the sizes, which are these unless something else is said;
\`LANDFORM_SEED\` sets another order.`;
