/** A stack that a slip of its name would make holds all that is declared a second time. Settings that were written for it say that it is meant. */
import { existsSync } from "node:fs";
import { basename } from "node:path";
import { isSlipOf } from "../../provider/values/nearest.ts";
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
    if (all.some((one) => one.name === name)) return;
    const meant = all.find((one) => one.resources !== 0 && isSlipOf(name, one.name));
    if (meant === undefined) return;
    throw new UsageError(
      `${project.name} has no stack "${name}" in ${stacks.place}. Did you mean ${meant.name}? Nothing was sent. ` +
        `Another stack makes all that is declared once more: npx landform up --create says that this is meant, or settings of its own in ${basename(config.file)}`,
    );
  });
}
