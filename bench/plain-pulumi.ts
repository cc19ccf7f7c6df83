/**
 * Runs Pulumi's own command line on the program of this folder, without landform: EXECUTABLE KIND [--dry-run]. The program is served as landform
 * serves one where Pulumi has no Node language host, so that both take the same time for that.
 */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { serveLanguage } from "../engine/index.ts";
import { argumentsOf, DRIVEN, type OperationRequest } from "../stack/engines/pulumi/operation.ts";

const [path = "", kind = "", dryRun] = process.argv.slice(2);
const request: OperationRequest = {
  pulumi: { path },
  workDir: process.cwd(),
  stack: "dev",
  env: {},
  run: { kind: kind as OperationRequest["run"]["kind"], dryRun: dryRun === "--dry-run" },
};
const load = async () => ({ ...((await import(pathToFileURL(join(process.cwd(), "index.ts")).href)) as object) });
const { port } = await serveLanguage(load);
const args = argumentsOf(request, { events: join(process.cwd(), "events.jsonl"), program: port });
const pulumi = spawn(path, args, { env: { ...process.env, ...DRIVEN }, stdio: "inherit" });
const [code] = (await once(pulumi, "exit")) as [number | null];
process.exit(code ?? 1);
