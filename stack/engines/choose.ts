/** Chooses the engine: the one that was asked for, or Pulumi's own if it is found. */
import { UsageError } from "../exit/codes.ts";
import type { EngineChoice } from "../options.ts";
import type { StackFolder } from "../project/open.ts";
import { EmbeddedEngine } from "./embedded.ts";
import { INSTALL_HINT, isAtLeast, lookForPulumi, OLDEST, type FoundPulumi } from "./pulumi/cli.ts";
import { PulumiEngine } from "./pulumi/engine.ts";
import type { Engine, EngineOptions } from "./contract.ts";

export async function openEngine(choice: EngineChoice, folder: StackFolder, options: EngineOptions): Promise<Engine> {
  if (choice === "embedded") return EmbeddedEngine.open(folder, options);
  const { found, silent } = await lookForPulumi();
  if (found !== undefined && isAtLeast(found.version, OLDEST)) return PulumiEngine.open(found, folder, options);
  const why = reasonAgainst(found, silent);
  if (choice === "pulumi") {
    throw new UsageError(`Pulumi ${why}. Install it with ${INSTALL_HINT}, or run with --engine embedded`);
  }
  const engine = await EmbeddedEngine.open(folder, options);
  if (found !== undefined || silent.length > 0) engine.notes.push(`the embedded engine runs: Pulumi ${why}`);
  return engine;
}

function reasonAgainst(found: FoundPulumi | undefined, silent: readonly string[]): string {
  if (found !== undefined) return `${found.version} at ${found.path} is older than ${OLDEST}`;
  const [path] = silent;
  if (path !== undefined) return `at ${path} does not tell its version: \`${path} version\` fails`;
  return "is not found on PATH or in ~/.pulumi";
}
