/**
 * Finds objects of a plan that another stack manages as well. With adoptId, any stack can take an object over. Then each run writes its own
 * values, and one deletion removes the object for both. Landform reads only the states in the same folder and asks no service.
 */
import { verbOf } from "../intents.ts";
import { FileBackend, nameOf } from "../../engine/index.ts";
import type { ObjectKey } from "../../provider/ledger/identity.ts";
import { reasonOf } from "../../provider/values/wording.ts";
import { definitionOf, keyOfKind, keyOfType, type Kind } from "../../provider/kinds/registry.ts";
import type { Engine } from "../engines/contract.ts";
import { stateHome } from "../engines/place.ts";
import { projectFileIn } from "../project/files.ts";
import { openStack, type StackFolder } from "../project/open.ts";
import { hasChanges } from "../report/verdict.ts";
import type { Planned } from "../report/build.ts";
import type { Change, Report, Warning } from "../report/model.ts";
import { type Intent } from "../review/plan.ts";
import { type Check, warns } from "./check.ts";
import { wantedOf } from "../report/steps.ts";

export const heldElsewhere: Check = {
  name: "held elsewhere",
  not: {
    "env down": "all of it is a copy that nobody else has",
    "env up": "what the program adopts becomes a copy in an environment: nobody else has it",
  },
  run: async ({ session, ran, intent }, report) =>
    isAsked(report, intent) ? { findings: warns(await managedElsewhere(session, ran.preview), { lasts: true }) } : {},
};

function isAsked(report: Report, intent: Intent): boolean {
  return verbOf(intent) === "destroy" || (report.impact !== undefined && hasChanges(report));
}

/** Returns one warning for each object. It names a stack whose state can't be read, because nothing is known about its objects. */
async function managedElsewhere(
  { engine, folder }: { engine: Engine; folder: StackFolder },
  { changes, told }: Pick<Planned, "changes" | "told">,
): Promise<Warning[]> {
  const concerned = changes.flatMap((change) => idsIn(change, told).map((id) => ({ change, id })));
  if (concerned.length === 0) return [];
  return (await otherStacks(engine, folder)).flatMap(({ title, held, failed }) => {
    if (failed !== undefined)
      return [{ text: `Landform can't tell if stack ${title} manages some of this as well: ${failed}` }];
    return concerned.flatMap(({ change, id }) => {
      const urn = held.get(keyOfType(change.type, id));
      return urn === undefined ? [] : [warning(change, id, `stack ${title}, as ${nameOf(urn)},`)];
    });
  });
}

export async function managerElsewhere(
  { engine, folder }: { engine: Engine; folder: StackFolder },
  key: ObjectKey,
): Promise<string | undefined> {
  const found = (await otherStacks(engine, folder)).find(({ held }) => held.has(key));
  return found && `Stack ${found.title} manages that one, as ${nameOf(found.held.get(key) ?? "")}`;
}

/** Returns the objects that other stacks in the same place own, with the stack of each. */
export async function heldBeside(folder: StackFolder): Promise<ReadonlyMap<ObjectKey, string>> {
  const others = await stacksBeside((await stateHome(folder)).files, folder);
  return new Map(others.flatMap(({ title, held }) => [...held.keys()].map((key) => [key, title] as const)));
}

interface OtherStack {
  readonly title: string;
  /** By object, its URN there. */
  readonly held: ReadonlyMap<ObjectKey, string>;
  /** The reason why its state can't be read. */
  readonly failed?: string;
}

/** Returns the stacks beside one that manage an object, in words; undefined if none is known to. An export leaves their objects to them. */
export async function claimedBeside(dir: string, stack: string): Promise<Claimed> {
  if (projectFileIn(dir) === undefined) return { by: () => undefined, unread: [] };
  const folder = await openStack(dir, stack, { runs: false });
  const others = await stacksBeside((await stateHome(folder)).files, folder);
  return {
    by: (kind, id) => {
      const found = others.find(({ held }) => held.has(keyOfKind(kind, id)));
      return found && `stack ${found.title} manages it, as ${nameOf(found.held.get(keyOfKind(kind, id)) ?? "")}`;
    },
    unread: others.flatMap(({ title, failed }) => (failed === undefined ? [] : [`stack ${title}: ${failed}`])),
  };
}

interface Claimed {
  readonly by: (kind: Kind, id: string) => string | undefined;
  /** Stacks whose states can't be read, with the reasons. */
  readonly unread: readonly string[];
}

async function otherStacks(engine: Engine, folder: StackFolder): Promise<OtherStack[]> {
  return stacksBeside(
    engine.stateFolder === undefined ? undefined : await FileBackend.open(engine.stateFolder),
    folder,
  );
}

async function stacksBeside(backend: FileBackend | undefined, { project, stack }: StackFolder): Promise<OtherStack[]> {
  if (backend === undefined) return [];
  const others = (await backend.list()).filter((ref) => ref.project !== project.name || ref.stack !== stack);
  const read = others.map(async (ref): Promise<OtherStack> => {
    const title = ref.project === project.name ? ref.stack : `${ref.project}/${ref.stack}`;
    try {
      const { resources = [] } = await backend.readStored(ref);
      const held = resources.flatMap(({ id, urn, type }) =>
        id !== undefined && isOwned(type) ? [[keyOfType(type, id), urn] as const] : [],
      );
      return { title, held: new Map(held) };
    } catch (error) {
      return { title, held: new Map(), failed: reasonOf(error) };
    }
  });
  return Promise.all(read);
}

/** Tells if one stack owns objects of the type. Stacks share objects that stay in place, such as sites, on purpose. */
function isOwned(type: string): boolean {
  const definition = definitionOf(type);
  return definition !== undefined && definition.leaves !== "in place";
}

function idsIn({ op, id, urn, stays }: Change, told: Planned["told"]): string[] {
  const one = told.get(urn);
  const [first] = one?.steps.values() ?? [];
  if (!isOwned(first?.type ?? "")) return [];
  const adopted = wantedOf(one)?.inputs["adoptId"];
  const taken = (op === "adopt" || op === "replace") && typeof adopted === "string" ? [adopted] : [];
  const goes = (op === "delete" || op === "replace") && stays === undefined && id !== undefined && !taken.includes(id);
  return goes ? [...taken, id] : taken;
}

function warning({ urn, op, type, name }: Change, id: string, where: string): Warning {
  const what = `${type} ${name}: ${id} is managed by ${where} as well`;
  const text =
    op === "delete"
      ? `${what}. This deletion takes it from there, too. To keep it, use the option retainOnDelete.`
      : `${what}. Each run writes what its own code says, and a deletion by either deletes it. Let one of the two look it up instead.`;
  return { text, urn };
}
