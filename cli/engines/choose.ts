/** Which engine runs: the one that was asked for, or Pulumi's own where one is found. */
import { UsageError } from "../exit/codes.ts";
import type { EngineChoice } from "../options.ts";
import type { StackFolder } from "../project/open.ts";
import { EmbeddedEngine } from "./embedded.ts";
import { findPulumi, INSTALL_HINT, isAtLeast, OLDEST } from "./pulumi/find.ts";
import { PulumiEngine } from "./pulumi/engine.ts";
import type { Engine } from "./types.ts";

export async function openEngine(
  choice: EngineChoice,
  folder: StackFolder,
  options: { verbose?: boolean },
): Promise<Engine> {
  if (choice === "embedded") return EmbeddedEngine.open(folder, options);
  const found = await findPulumi();
  if (found !== undefined && isAtLeast(found.version, OLDEST)) return PulumiEngine.open(found, folder, options);
  if (choice === "auto") return EmbeddedEngine.open(folder, options);
  const what =
    found === undefined ? "is not found on PATH or in ~/.pulumi" : `${found.version} is older than ${OLDEST}`;
  throw new UsageError(`Pulumi ${what}. Install it with ${INSTALL_HINT}, or run with --engine embedded`);
}
