/**
 * Refuses a reviewed plan that was already applied and that later applies took back, at least in part. A code host runs any old job again
 * that somebody clicks on.
 */
import { RefusedError } from "../exit/codes.ts";
import { historyOf } from "../history/place.ts";
import type { Report } from "../report/model.ts";
import type { SavedPlan } from "./saved-plan.ts";
import type { StackSession } from "../run/session.ts";

export interface Reviewed {
  /** For people: `pull request #12`. */
  readonly name: string;
  /** The commit that was reviewed. */
  readonly head: string;
}

/** A run or an update that changed the stack. */
interface Applied {
  /** ISO-8601. */
  readonly at: string;
  readonly reviewed?: string;
  /** For people. */
  readonly name: string;
}

/** Returns the last change after the last apply of `head`. Returns undefined if that apply is the last change, or if it never happened. Pure. */
export function overtaking(all: readonly Applied[], head: string): Applied | undefined {
  const inOrder = all.toSorted((one, other) => Date.parse(one.at) - Date.parse(other.at));
  const own = inOrder.findLastIndex(({ reviewed }) => reviewed === head);
  return own === -1 ? undefined : inOrder.slice(own + 1).at(-1);
}

/** A plan without changes is never refused. */
export async function refuseOvertaken(
  session: StackSession,
  { changes }: Report,
  { madeAt }: SavedPlan,
  { name, head }: Reviewed,
): Promise<void> {
  if (changes.length === 0) return;
  await tellOwnHistory(session);
  const last = overtaking(await applied(session, new Date(Date.parse(madeAt) - DAY_MS)), head);
  if (last === undefined) return;
  throw new RefusedError(
    `the plan of ${name} has been applied already, and ${last.name} came after it, at ${last.at}: applying the old plan again would undo later work. Nothing was sent. ` +
      `Run the latest job again instead. To bring something back, open a new request and have it reviewed`,
  );
}

/** Pulumi's own history gets an update only when it has ended. Only this machine knows of a killed one. */
async function tellOwnHistory({ engine, folder, teller }: StackSession): Promise<void> {
  if (engine.stateFolder !== undefined || (await historyOf(engine, folder)).hasPlace) return;
  teller.aside(
    "note: the history of this stack stays on this machine. If an apply is killed here, another machine may not learn of it, and may apply its plan again after a later run has taken it back. Set landform:history or LANDFORM_HISTORY to a folder or a bucket that all machines share.",
  );
}

/** Clocks of machines differ, but no plan is applied before it is made. */
const DAY_MS = 86_400_000;

/** Landform's history has a run from its start. Pulumi's has the runs that keep no history here. */
async function applied({ engine, folder, teller }: StackSession, since: Date): Promise<Applied[]> {
  const [{ runs }, updates] = await Promise.all([
    historyOf(engine, folder, (line) => teller.aside(`note: ${line}`)).then((history) => history.runs()),
    engine.updates?.(since) ?? [],
  ]);
  return [
    ...runs.map(({ start }) => ({ ...start, name: `the run ${start.id} (${start.command})` })),
    ...updates.map((update) => ({ ...update, name: "an update" })),
  ];
}
