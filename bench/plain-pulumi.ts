/**
 * Runs Pulumi's own command line on the program of this folder, without landform: EXECUTABLE VERSION KIND [--dry-run]. The Automation API drives it,
 * as landform does without a Node language host, so that both take the same time for that.
 */
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { perform, type OperationRequest } from "../stack/engines/pulumi/operation.ts";

const [path = "", version = "", kind = "", dryRun] = process.argv.slice(2);
const said: string[] = [];
const request: OperationRequest = {
  pulumi: { path, version },
  workDir: process.cwd(),
  stack: "dev",
  isThere: true,
  env: {},
  inline: join(process.cwd(), "index.ts"),
  run: { kind: kind as OperationRequest["run"]["kind"], dryRun: dryRun === "--dry-run" },
};
try {
  await perform(request, {
    signal: new AbortController().signal,
    onEvent: ({ diagnosticEvent }) => {
      if (diagnosticEvent?.severity === "error") said.push(diagnosticEvent.message);
    },
    load: async (file) => ({ ...((await import(pathToFileURL(file).href)) as object) }),
  });
  process.exit(0);
} catch (error) {
  console.log([String(error), ...said].join("\n"));
  process.exit(1);
}
