/**
 * Where a project has stacks with resources already, one more holds all that is declared a second time: a slip of a name is no word
 * for that. Settings that were written for the stack are one.
 */
import { existsSync } from "node:fs";
import { basename } from "node:path";
import { nearest } from "../../provider/lifecycle/nearest.ts";
import { UsageError } from "../exit/codes.ts";
import type { EngineChoice } from "../options.ts";
import type { StackFolder } from "../project/open.ts";
import { lastName } from "../project/stack-name.ts";
import { withStacks } from "./stacks.ts";

export async function refuseUnmeant(engine: EngineChoice, folder: StackFolder): Promise<void> {
  const { project, stack, config } = folder;
  // The list may be far away.
  if (existsSync(config.file)) return;
  const name = lastName(stack);
  await withStacks(engine, folder, async (stacks) => {
    const all = await stacks.list();
    const others = all.filter(({ resources }) => resources !== 0).map((one) => one.name);
    if (others.length === 0 || all.some((one) => one.name === name)) return;
    throw new UsageError(
      `${project.name} has no stack "${name}" in ${stacks.place}. It has ${others.join(", ")}.${near(name, others)} Nothing was sent. ` +
        `Another stack makes all that is declared once more: npx landform up --create says that this is meant, or settings of its own in ${basename(config.file)}`,
    );
  });
}

function near(name: string, others: readonly string[]): string {
  const [best] = nearest(name, others);
  return best === undefined ? "" : ` Did you mean ${best}?`;
}
