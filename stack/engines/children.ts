/** Sets up the environment of the program and of the provider's host: this package, Pulumi's SDK, and the facts of the run. */
import { moduleFolders, ownModule } from "../project/package.ts";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { delimiter, join } from "node:path";
import { pathToFileURL } from "node:url";
import { TYPED_LINES } from "../../provider/messages/host-lines.ts";
import { placesBeside, type ProgramPlaces } from "../../provider/pulumi/program-places.ts";
import { FACTS_VARIABLE, KEY_VARIABLE, type RunFacts } from "../../provider/pulumi/run-facts.ts";
import { factsOf, type RecordedState } from "./recorded.ts";
import { seal } from "../../provider/history/kept.ts";
import type { EngineOptions, RunRequest } from "./contract.ts";

/** `require` looks in NODE_PATH last, so a project's own copies come first. */
export function nodePath(env: NodeJS.ProcessEnv): string {
  return [env["NODE_PATH"] ?? "", ...moduleFolders()].filter((folder) => folder !== "").join(delimiter);
}

/** `import` ignores NODE_PATH: Landform's hook does the same for it, and more. The engine's own hook shortens the start of the SDK. */
export function childHook(): string[] {
  return ["engine/sdk/child-hook", "stack/engines/child-hook"].flatMap((hook) => [
    "--import",
    pathToFileURL(ownModule(hook)).href,
  ]);
}

export function hostEnvironment({
  full,
  verbose,
}: Pick<RunRequest, "full"> & Pick<EngineOptions, "verbose">): Record<string, string> {
  return {
    NODE_PATH: nodePath(process.env),
    NODE_OPTIONS: [process.env["NODE_OPTIONS"] ?? "", ...childHook()].join(" ").trim(),
    ...TYPED_LINES,
    ...(full === true ? { LANDFORM_FULL_REFRESH: "1" } : {}),
    ...(verbose === true ? { LANDFORM_VERBOSE: "1" } : {}),
  };
}

export interface FactsFile {
  readonly env: Record<string, string>;
  /** Returns the places that the program has told, as long as the file is there. */
  places(root: string): ProgramPlaces;
  remove(): void;
}

/** Writes the facts into a file that only its owner can read or see. `key` opens what is sealed in it. */
export function writeFacts(facts: RunFacts, key?: string): FactsFile {
  const folder = mkdtempSync(join(tmpdir(), "landform-facts-"));
  const file = join(folder, "facts.json");
  writeFileSync(file, JSON.stringify(facts), { mode: 0o600 });
  const env = { [FACTS_VARIABLE]: file, ...(key !== undefined && { [KEY_VARIABLE]: key }) };
  return {
    env,
    places: (root) => placesBeside(file, root),
    remove: () => rmSync(folder, { recursive: true, force: true }),
  };
}

/** Writes a run's facts: its request, and the state and the ledger of its engine. One key opens all of a run's history. */
export function tellChildren(
  { foreignEdits, makesWay, verify, preview, record, restore, keys, ...run }: RunRequest,
  recorded: RecordedState,
  ofEngine: RunFacts,
): FactsFile & Pick<RunFacts, "steady"> {
  const key = record?.key ?? restore?.key;
  const known = factsOf(recorded, run);
  const facts = {
    ...{ ...known, ...ofEngine, foreignEdits, makesWay, verify, preview, keys },
    ...(record && { history: record.file }),
    ...(restore && key !== undefined && { restore: seal(key, restore.values) }),
  };
  return { ...writeFacts(facts, key), steady: known.steady };
}
