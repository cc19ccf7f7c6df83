/** The file by which the command line tells program and provider's host what it knows of a run. */
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { FACTS_VARIABLE, KEY_VARIABLE, type RunFacts } from "../../provider/pulumi/run-facts.ts";

export interface FactsFile {
  /** What the children find in their environment. */
  readonly env: Record<string, string>;
  remove(): void;
}

/** Only its owner can read it, nor see that it is there. `key` opens what is sealed in it. */
export function writeFacts(facts: RunFacts, key?: string): FactsFile {
  const folder = mkdtempSync(join(tmpdir(), "landform-facts-"));
  const file = join(folder, "facts.json");
  writeFileSync(file, JSON.stringify(facts), { mode: 0o600 });
  const env = { [FACTS_VARIABLE]: file, ...(key !== undefined && { [KEY_VARIABLE]: key }) };
  return { env, remove: () => rmSync(folder, { recursive: true, force: true }) };
}
