/**
 * Finds creations of a plan whose object an earlier run made: the history has it, no run has deleted it since, and the account still has
 * it. The state has lost it by `pulumi state delete`, or is older than its history, for example after a merge that took one side. A kind that
 * the API never shows may also be there twice after a lost state. It only reads.
 */
import { isLook, DESTROYS } from "../intents.ts";
import { listed } from "../../provider/values/wording.ts";
import type { ResourceState } from "../../engine/index.ts";
import { isUnfindable } from "../../provider/reconcile/creation.ts";
import { ObjectState } from "../../provider/reconcile/object-state.ts";
import { definitionOf, keyOfKind, keyOfType } from "../../provider/kinds/registry.ts";
import { objectsHeld } from "../engines/recorded.ts";
import { KeyRing, valuesOf } from "../history/keys.ts";
import { historyOf } from "../history/place.ts";
import { nameText } from "../report/text.ts";
import type { Planned } from "../report/build.ts";
import type { Advice, Change, Warning } from "../report/model.ts";
import { decisive, inputsOf } from "../report/steps.ts";
import { isMadeAs } from "../run/leftovers.ts";
import type { AccountReader } from "../run/account-reader.ts";
import { type Check, type Look, since, warns } from "./check.ts";
import { askEach } from "./planned.ts";
import type { StackSession } from "../run/session.ts";

interface MadeBefore {
  readonly change: Change;
  readonly id: string;
  /** The last run that changed it. */
  readonly run: string;
  /** True if only the history tells of it: the account could not be asked, or never shows such an object. */
  readonly unasked?: true;
}

export const madeBefore: Check = {
  name: "made before",
  not: since("it makes nothing", ...DESTROYS),
  run: async (look, { result }) => {
    if (result !== "succeeded") return {};
    const { ran, session, intent } = look;
    const known = await doubledBy(look);
    const seen = known.filter(({ change }) => !isUnseen(change.type));
    const unseen = known.filter((one) => !seen.includes(one));
    const { lost, why } = await unseenAfterLoss(look, unseen);
    const made = seen.length === 0 ? [] : [doubledText(seen)];
    // Nobody looks at the plan of a run that doesn't ask, so that the run needs --force.
    const isHeld = intent.yes === true && intent.force !== true && !isLook(intent);
    const perhaps = unseen.flatMap(({ change, run }) =>
      unseenText(change, `run ${run} made it, and the state has lost it`),
    );
    const without = [...unseen.map(({ change }) => change), ...lost];
    const types = session.options.target.length > 0 ? [] : without.map(({ type }) => type);
    const wait = waiting(ran.preview.changes, types);
    const waits = wait === undefined ? [] : [wait];
    const unseenAgain = lost.flatMap((change) => unseenText(change, why));
    const before = [...together(made, [ADOPTS]), ...together(perhaps, waits)];
    return {
      findings: [
        ...(isHeld ? before.map((one) => ({ ...one, weight: "hold" as const, allowed: TWICE })) : warns(before)),
        ...warns(together(unseenAgain, waits)),
      ],
    };
  },
};

const TWICE = "--force makes a second one";

function together(texts: readonly string[], advice: readonly Advice[]): Warning[] {
  return texts.length === 0 ? [] : [{ text: texts.join("\n"), advice }];
}

export const ADOPTS = { command: "adopt", arguments: [], reason: "finds them by their names, and writes their ids." };

const LOST = "this plan takes objects over into an empty state, and an earlier run of this code may have made it, too";
const WAITED =
  "the first run of this state took objects over and was limited to targets without it, and an earlier run of this code may have made it, too";

/** Tells if the API never shows such an object. */
function isUnseen(type: string): boolean {
  const definition = definitionOf(type);
  return definition !== undefined && isUnfindable({ definition });
}

/**
 * After a lost state the code takes its objects over again, and nothing can take these over. The reason is still there after a first run
 * that was limited to targets, and left these out.
 */
async function unseenAfterLoss({ session, ran }: Look, known: readonly MadeBefore[]): Promise<Lost> {
  const { changes } = ran.preview;
  const made = changes.filter((change) => change.op === "create" && !known.some((one) => one.change === change));
  const unseen = made.filter(({ type }) => isUnseen(type));
  if (unseen.length === 0) return NOTHING_LOST;
  const recorded = (await session.engine.records()) ?? [];
  const isEmpty = !recorded.some(({ type }) => definitionOf(type) !== undefined);
  if (!isEmpty) return { why: WAITED, lost: await leftOutAtFirst(unseen, session) };
  return changes.some(({ op }) => op === "adopt") ? { why: LOST, lost: unseen } : NOTHING_LOST;
}

interface Lost {
  readonly why: string;
  readonly lost: readonly Change[];
}

const NOTHING_LOST: Lost = { why: LOST, lost: [] };

/** Returns the creations that no run has begun since the state's first run, which took objects over and was limited to targets. */
async function leftOutAtFirst(unseen: readonly Change[], { engine, folder }: StackSession): Promise<Change[]> {
  const { store } = await historyOf(engine, folder);
  const { runs: all } = store.list();
  const runs = all.slice(0, all.findIndex(({ start }) => start.isFirst === true) + 1);
  const first = runs.at(-1);
  if (first?.start.part !== true || first.end?.changes.some(({ op }) => op === "adopt") !== true) return [];
  const told = new Set(
    runs.flatMap(({ start, end }) => [...(start.planned ?? []), ...(end?.changes ?? [])]).map(labelOf),
  );
  return unseen.filter((change) => !told.has(labelOf(change)));
}

function unseenText(change: Change, why: string): string[] {
  const inputs = Object.fromEntries(change.fields.map(({ path, new: value = null }) => [path.join("."), value]));
  const doubled = definitionOf(change.type)?.life.doubled?.(inputs);
  return doubled === undefined ? [] : [`${change.type} ${nameText(change.name)}: ${why}. ${doubled}`];
}

/** The command that applies everything but the objects that the API never shows. Undefined if there are none, or nothing else. */
export function waiting(changes: readonly Pick<Change, "type">[], types: readonly string[]): Advice | undefined {
  const waits = types.filter((type) => isUnseen(type));
  const others = [...new Set(changes.map(({ type }) => type))].filter((type) => !waits.includes(type));
  if (waits.length === 0 || others.length === 0) return undefined;
  const targets = others.flatMap((type) => ["--target", `${type}/*`]);
  return { command: "up", arguments: targets, reason: "applies everything else, and waits with it." };
}

async function doubledBy({ session, ran: { preview }, reader }: Look): Promise<MadeBefore[]> {
  const { changes, told } = preview;
  const made = changes.filter(({ op, type }) => op === "create" && isDeletable(type));
  const known = made.length === 0 ? [] : await lostFromState(made, session, told);
  if (known.length === 0) return [];
  const asked = await reader();
  return askEach(known, (one) => stillThere(one, asked, told));
}

/** Any other object can't be there twice: Landform finds it again by its name, or it is no object of its own. */
function isDeletable(type: string): boolean {
  return (definitionOf(type)?.calls.delete ?? []).length > 0;
}

/**
 * Leaves out objects that the state or the ledger has: the run doesn't make them again, even under another name. Also those that a killed
 * run began to remove: the state has let them go.
 */
async function lostFromState(
  made: readonly Change[],
  session: StackSession,
  told: Planned["told"],
): Promise<MadeBefore[]> {
  const known = await knownToHistory(made, session);
  if (known.length === 0) return [];
  const { engine } = session;
  const held = objectsHeld((await engine.records()) ?? []);
  const { entries, removed } = await engine.ledger();
  return known.filter(({ change, id }) => {
    const key = keyOfType(change.type, id);
    const inputs = inputsOf(change, told.get(change.urn));
    return (
      !held.has(key) &&
      !removed.has(key) &&
      !entries.some((one) => keyOfKind(one.kind, one.id ?? "") === key && isMadeAs(one, change.type, inputs))
    );
  });
}

async function knownToHistory(made: readonly Change[], { engine, folder }: StackSession): Promise<MadeBefore[]> {
  // A shared place may be far away and hold the runs of months. The check reads only what this machine has of it.
  const { store } = await historyOf(engine, folder);
  const keys = new KeyRing(folder, engine);
  const open = new Set(made);
  const known: MadeBefore[] = [];
  for (const runId of store.ids().reverse().slice(0, MOST_RUNS)) {
    if (open.size === 0) break;
    const run = store.read(runId);
    if (typeof run === "string") continue;
    const told = new Set(run.end?.changes.map(labelOf));
    const touched = [...open].filter((change) => told.has(labelOf(change)));
    if (touched.length === 0) continue;
    const { before, after = [] } = await valuesOf(run, keys).catch(() => UNREADABLE);
    const [then, now] = [idsIn(before), idsIn(after)];
    for (const change of touched) {
      const id = now.get(change.urn);
      if (id !== undefined) known.push({ change, id, run: runId });
      if (id !== undefined || then.has(change.urn)) open.delete(change);
    }
  }
  return known;
}

/** A state is only a few runs older than its history, which may be large. */
const MOST_RUNS = 20;

/** The values of a run that another passphrase or another machine sealed. */
const UNREADABLE = { before: [], after: [] };

function labelOf({ type, name }: Pick<Change, "type" | "name">): string {
  return `${type} ${name}`;
}

function idsIn(states: readonly ResourceState[]): Map<string, string> {
  return new Map(states.flatMap(({ urn, id = "" }) => (id === "" ? [] : [[urn, id]])));
}

async function stillThere(one: MadeBefore, reader: AccountReader, told: Planned["told"]): Promise<MadeBefore[]> {
  const { change, id } = one;
  const definition = definitionOf(change.type);
  if (definition === undefined) return [];
  if (isUnfindable({ definition })) return [{ ...one, unasked: true }];
  const provider = decisive(told.get(change.urn)?.steps ?? new Map(), "create")?.provider;
  try {
    const answer = await definition.read(reader.of(provider, change.urn), id, new ObjectState(definition, id));
    return answer === undefined ? [] : [one];
  } catch {
    return [{ ...one, unasked: true }];
  }
}

function doubledText(doubled: readonly MadeBefore[]): string {
  return `earlier runs made what this plan would make a second time: ${listed(doubled.map(titleOf), 5, "; ")}. The account still has it, and the state doesn't. Somebody has removed it from the state (pulumi state delete), or the state is older than the history beside it, for example after a git merge. Put the ids into the code as adoptId, or let adopt find them.`;
}

function titleOf({ change: { type, name }, id, run, unasked }: MadeBefore): string {
  const doubt = unasked === true ? "; Landform could not ask if it is still there" : "";
  return `${type} ${nameText(name)} (${id}, of run ${run}${doubt})`;
}
