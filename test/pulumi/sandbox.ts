import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { stringify } from "yaml";
import { encryptionSalt, encryptSecret } from "./secrets.ts";

export const project = "differential";
export const stack = "test";
export const passphrase = "correct horse";

/** The place of one scenario on one engine. Plain data, because it goes to the process that drives the real engine. */
export interface Sandbox {
  root: string;
  /** The program's folder: Pulumi.yaml, Pulumi.test.yaml, index.js. */
  work: string;
  backend: string;
  /** The toy service's objects. */
  store: string;
}

export type ConfigValue = string | { secret: string };

const repository = fileURLToPath(new URL("../..", import.meta.url));
const runProgram = fileURLToPath(new URL("toy/run-program.ts", import.meta.url));

export function createSandbox(): Sandbox {
  const root = mkdtempSync(join(tmpdir(), "landform-differential-"));
  const sandbox = { root, work: join(root, "work"), backend: join(root, "backend"), store: join(root, "store") };
  for (const folder of [sandbox.work, sandbox.backend, sandbox.store]) mkdirSync(folder);
  symlinkSync(join(repository, "node_modules"), join(sandbox.work, "node_modules"), "junction");
  writeFileSync(
    join(sandbox.work, "Pulumi.yaml"),
    stringify({ name: project, runtime: { name: "nodejs", options: { typescript: false } } }),
  );
  writeFileSync(join(sandbox.work, "package.json"), JSON.stringify({ type: "module", main: "index.js" }));
  setConfig(sandbox, {});
  return sandbox;
}

export function removeSandbox(sandbox: Sandbox): void {
  rmSync(sandbox.root, { recursive: true, force: true });
}

/** Writes the stack's configuration, with secrets encrypted under the passphrase as `pulumi config set --secret` does. */
export function setConfig(sandbox: Sandbox, config: Record<string, ConfigValue>): void {
  const values = Object.entries(config).map(([key, value]) => [
    key,
    typeof value === "string" ? value : { secure: encryptSecret(value.secret, passphrase) },
  ]);
  const settings = { encryptionsalt: encryptionSalt(passphrase), config: Object.fromEntries(values) as object };
  writeFileSync(join(sandbox.work, `Pulumi.${stack}.yaml`), stringify(settings));
}

/** Makes a scenario's program the sandbox's program, with the same file for both engines. */
export function writeProgram(sandbox: Sandbox, scenario: string, step: number): void {
  const call = [scenario, step, sandbox.store].map((value) => JSON.stringify(value)).join(", ");
  const source = `import { runProgram } from ${JSON.stringify(runProgram)};\nexport default () => runProgram(${call});\n`;
  writeFileSync(join(sandbox.work, "index.js"), source);
}
