/**
 * Finds objects of a plan that another stack manages as well. With adoptId, any stack can take an object over. Then each run writes its own
 * values, and one deletion removes the object for both. Landform reads only the states in the same folder and asks no service.
 */
import { FileBackend, nameOf } from "../../engine/index.ts";
import { definitionOf, keyOfType } from "../../provider/kinds/registry.ts";
import type { Engine } from "../engines/contract.ts";
import type { StackFolder } from "../project/open.ts";
import { hasChanges } from "../report/words.ts";
import type { Planned } from "../report/build.ts";
import type { Change, Report } from "../report/model.ts";
import { warns, type Check } from "./check.ts";

interface Concerned {
  readonly change: Change;
  readonly id: string;
}

const COPIES = "what the program adopts becomes a copy in an environment: nobody else has it";

export const heldElsewhere: Check = {
  name: "held elsewhere",
  not: {
    "env up": COPIES,
    "env down": COPIES,
    adopt: "it leaves out what another stack's ids name, and the up is asked",
  },
  run: async ({ session, ran, intent }, report) =>
    isAsked(report, intent.kind)
      ? { findings: warns(await managedElsewhere(session, ran.preview), { lasts: true }) }
      : {},
};

function isAsked(report: Report, kind: string): boolean {
  return kind === "destroy" || (report.impact !== undefined && hasChanges(report));
}

/** Returns one sentence for each object. It names a stack whose state can't be read, because nothing is known about its objects. */
async function managedElsewhere(
  { engine, folder }: { engine: Engine; folder: StackFolder },
  { changes, told }: Pick<Planned, "changes" | "told">,
): Promise<string[]> {
  const concerned = changes.flatMap((change) => idsIn(change, told).map((id): Concerned => ({ change, id })));
  if (engine.stateFolder === undefined || concerned.length === 0) return [];
  const backend = await FileBackend.open(engine.stateFolder);
  const others = (await backend.list()).filter(
    ({ project, stack }) => project !== folder.project.name || stack !== folder.stack,
  );
  const said: string[] = [];
  for (const ref of others) {
    const title = ref.project === folder.project.name ? ref.stack : `${ref.project}/${ref.stack}`;
    try {
      const { resources = [] } = await backend.readStored(ref);
      const held = new Map(
        resources.flatMap(({ id, urn, type }) =>
          id !== undefined && isOwned(type) ? [[keyOfType(type, id), urn] as const] : [],
        ),
      );
      for (const { change, id } of concerned) {
        const urn = held.get(keyOfType(change.type, id));
        if (urn !== undefined) said.push(sentence(change, id, `stack ${title}, as ${nameOf(urn)},`));
      }
    } catch (error) {
      said.push(
        `Landform can't tell if stack ${title} manages some of this as well: ${error instanceof Error ? error.message : String(error)}`,
      );
    }
  }
  return said;
}

/** Tells if one stack owns objects of the type. Stacks share objects that stay in place, such as sites, on purpose. */
function isOwned(type: string): boolean {
  const definition = definitionOf(type);
  return definition !== undefined && definition.leaves !== "in place";
}

function idsIn({ op, id, urn, stays }: Change, told: Planned["told"]): string[] {
  const steps = [...(told.get(urn)?.steps.values() ?? [])];
  if (!isOwned(steps[0]?.type ?? "")) return [];
  const adopted = steps.findLast((step) => step.new !== undefined)?.new?.inputs["adoptId"];
  const taken = (op === "adopt" || op === "replace") && typeof adopted === "string" ? [adopted] : [];
  const goes = (op === "delete" || op === "replace") && stays === undefined && id !== undefined && !taken.includes(id);
  return goes ? [...taken, id] : taken;
}

function sentence({ op, type, name }: Change, id: string, where: string): string {
  const what = `${type} ${name}: ${id} is managed by ${where} as well`;
  return op === "delete"
    ? `${what}, and is deleted for it, too. retainOnDelete keeps it.`
    : `${what}. Each run writes what its own code says, and a deletion by either deletes it. Let one of the two look it up instead.`;
}
