/** Which engine runs: the one that was asked for, or Pulumi's own where one is found. */
import { UsageError } from "../exit.ts";
import type { EngineChoice } from "../options.ts";
import type { StackFolder } from "../project.ts";
import { EmbeddedEngine } from "./embedded.ts";
import type { Engine } from "./types.ts";

export async function openEngine(
  choice: EngineChoice,
  folder: StackFolder,
  options: { verbose?: boolean },
): Promise<Engine> {
  if (choice === "pulumi") throw new UsageError("not yet");
  return EmbeddedEngine.open(folder, options);
}
