/** The pages that a stack's state knows, and their templates. */
import { type ExportedStack, nameOf, typeOf } from "../../engine/index.ts";
import { registry } from "../../provider/kinds/registry.ts";
import type { EngineChoice } from "../options.ts";
import { openProject } from "../project/open.ts";
import { projectFileIn } from "../project/project-files.ts";
import { withStacks } from "../stacks/stacks.ts";
import type { MadePage } from "./find.ts";

/** What takes content has a content map. */
const TYPES = Object.values(registry)
  .filter(({ inputs }) => "content" in inputs.shape)
  .map(({ type }) => `landform:${type}`);

export function madePages({ deployment: { resources = [] } }: ExportedStack): MadePage[] {
  return resources.flatMap(({ urn, id, inputs }) => {
    if (id === undefined || !TYPES.some((type) => typeOf(urn).endsWith(type))) return [];
    const templateId = inputs?.["templateId"];
    return [{ name: nameOf(urn), id, ...(typeof templateId === "string" && { templateId }) }];
  });
}

/** Of a stack. Nothing outside a project, and before its first run. */
export async function recordedPages(of: { C: string; stack: string; engine: EngineChoice }): Promise<MadePage[]> {
  const { C, stack, engine } = of;
  if (projectFileIn(C) === undefined) return [];
  return withStacks(engine, await openProject(C), async (stacks) => {
    const exists = (await stacks.list()).some(({ name }) => name === stack);
    return exists ? madePages(await stacks.export(stack, { showSecrets: false })) : [];
  });
}
