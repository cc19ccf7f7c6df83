/** A reviewed plan in a file. Landform applies today's plan if the two agree: others may have merged and applied elsewhere meanwhile. */
import { accountOfKey, ENVIRONMENT } from "../settings/whose-key.ts";
import { z } from "zod";
import { byUrn, type StateResource } from "../engines/recorded.ts";
import { NothingLeftError, RefusedError, UsageError } from "../exit/codes.ts";
import { readNamed } from "../project/files.ts";
import { historyOf } from "../history/place.ts";
import type { Report } from "../report/model.ts";
import { agreement, reviewedChange, type Conflict, type RecordedSides, PlanConflictError } from "./agreement.ts";
import type { StackSession } from "../run/session.ts";

const field = z.object({
  path: z.array(z.union([z.string(), z.number()])).readonly(),
  old: z.json().optional(),
  new: z.json().optional(),
  stays: z.literal(true).optional(),
});

const change = z.object({
  urn: z.string(),
  type: z.string(),
  name: z.string(),
  op: z.enum(["create", "adopt", "update", "replace", "delete"]),
  stays: z.enum(["in place", "retired"]).optional(),
  id: z.string().optional(),
  perhapsReplaced: z.literal(true).optional(),
  fields: z.array(field),
});

const format = z.object({
  landformPlan: z.literal(3),
  engine: z.enum(["embedded", "pulumi"]),
  project: z.string(),
  stack: z.string(),
  targets: z.array(z.string()),
  madeAt: z.iso.datetime(),
  /** The run that the plan takes back. Absent if it applies the program. */
  undoes: z.string().optional(),
  changes: z.array(change),
  /** By URN and place, digests of the values that it started from. */
  expects: z.record(z.string(), z.record(z.string(), z.string())),
  /** By URN, a digest of the edits of others that go live with the plan, by the option that it was made with. */
  includes: z.record(z.string(), z.string()).optional(),
  /** Account ids by the program's name for the account, "" for the environment's. */
  accounts: z.record(z.string(), z.string()).optional(),
  /** The reviewer has allowed it to delete more than the limit. */
  force: z.literal(true).optional(),
  /** The plan starts from a look at the account, and so does its apply. */
  refresh: z.literal(true).optional(),
  /** The engine's own plan, for secrets, which no report tells. It has them digested or encrypted. */
  engines: z.unknown(),
});

export type SavedPlan = z.output<typeof format>;

export function savedPlan(
  { engine, folder, options }: StackSession,
  report: Report,
  plan: unknown,
  { undoes, expects, accounts }: Pick<SavedPlan, "undoes" | "expects" | "accounts">,
): SavedPlan {
  return {
    landformPlan: 3,
    engine: engine.name,
    project: folder.project.name,
    stack: folder.stack,
    targets: options.target,
    madeAt: new Date().toISOString(),
    undoes,
    changes: report.changes.map(reviewedChange),
    expects,
    includes: includedEdits(report),
    accounts,
    engines: plan,
  };
}

export function readPlan(file: string, makes: Makes = "preview"): SavedPlan {
  return parsePlan(readNamed(file, "--plan"), file, makes);
}

type Makes = "preview" | "undo";

/** `name`: the name of the plan in messages. */
export function parsePlan(text: string, name: string, makes: Makes = "preview"): SavedPlan {
  const { data, error } = format.safeParse(parsed(text, name));
  if (data) return data;
  const where = error.issues[0]?.path.join(".") || "no object";
  throw new UsageError(`${name} is not a saved plan of this version (${where})`, {
    advice: [{ command: makes, arguments: ["--save", "FILE"], reason: "makes one." }],
  });
}

function parsed(text: string, name: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    if (error instanceof SyntaxError) throw new UsageError(`${name} is not a saved plan: ${error.message}`);
    throw error;
  }
}

/** Refuses before a stack is made that the plan isn't for. */
export function refuseOtherStack({ stack }: SavedPlan, wanted: string): void {
  const name = wanted.slice(wanted.lastIndexOf("/") + 1);
  if (name !== stack) throw new RefusedError(`the plan was made for the stack ${stack}, and this is ${name}`);
}

/** Refuses a plan that was made for another command, engine, project or stack. */
export function checkPlan(saved: SavedPlan, { engine, folder, options }: StackSession, by: "up" | "undo"): void {
  const { undoes } = saved;
  if ((undoes === undefined ? "up" : "undo") !== by) throw otherCommand(undoes);
  const wanted = { engine: engine.name, project: folder.project.name, stack: folder.stack };
  for (const [what, value] of Object.entries(wanted)) {
    const planned = saved[what as keyof typeof wanted];
    if (planned !== value) throw new RefusedError(`the plan was made for the ${what} ${planned}, and this is ${value}`);
  }
  if (saved.targets.join("\n") !== options.target.join("\n"))
    throw new RefusedError("the plan was made for other targets; give the same --target");
}

/** Refuses before another account is asked than the reviewed one. The stack's state may not tell the account. */
export async function refuseOtherAccount({ accounts = {} }: SavedPlan, session: StackSession): Promise<void> {
  const planned = accounts[ENVIRONMENT];
  const now = planned === undefined ? undefined : await accountOfKey(await session.settings());
  if (planned === undefined || now === undefined || now.id === planned) return;
  throw new RefusedError(otherAccount(planned, `the key (${now.variable})`, now.id));
}

/** Does the same for the accounts that the program has itself, once they are known. */
export function refuseOtherAccounts(saved: SavedPlan, accounts: Readonly<Record<string, string>>): void {
  for (const [name, now] of Object.entries(accounts)) {
    const planned = saved.accounts?.[name];
    if (planned !== undefined && planned !== now)
      throw new RefusedError(otherAccount(planned, `the key of "${name}"`, now));
  }
}

function otherAccount(planned: string, key: string, now: string): string {
  return (
    `the plan was made for account ${planned}, and ${key} belongs to account ${now}. ` +
    `Nothing was sent. Use a key of account ${planned}, or preview again with this one and review the new plan.`
  );
}

function otherCommand(undoes: string | undefined): RefusedError {
  const about = undoes === undefined ? "the plan is one of preview" : `the plan takes back the run ${undoes}`;
  const command = undoes === undefined ? "up" : "undo";
  return new RefusedError(about, { advice: [{ command, arguments: ["--plan", "FILE"], reason: "applies it." }] });
}

/** Refuses if today's plan disagrees. Returns the plan to follow: the reviewed one if only the engine can compare the secrets of the two. */
export async function heldToReview(
  saved: SavedPlan,
  { report, plan }: { report: Report; plan: unknown },
  { engine }: Pick<StackSession, "engine">,
  { inCi = false } = {},
): Promise<unknown> {
  const secrets = await engine.changedSecrets(saved.engines, plan);
  const records = await engine.records();
  const states = new Map([...byUrn(records ?? [])].map(([urn, state]) => [urn, sidesOf(state)]));
  const changes = report.changes.map(reviewedChange);
  const today = { changes, recorded: (urn: string) => states.get(urn), secrets: secrets ?? new Map() };
  const { conflicts, applied } = agreement(saved.changes, today);
  if (conflicts.length > 0)
    throw new PlanConflictError("the plan has changed since it was reviewed", conflicts, nextOf(conflicts, inCi));
  if (changes.length === 0 && applied.length > 0)
    throw new NothingLeftError("nothing is left to do: all that was reviewed has been applied. Nothing was sent.");
  return secrets === undefined ? saved.engines : plan;
}

function sidesOf({ inputs = {}, outputs, initErrors = [] }: StateResource): RecordedSides {
  return { declared: inputs, broughtAbout: initErrors.length > 0 ? outputs : undefined };
}

function nextOf(conflicts: readonly Conflict[], inCi: boolean): string {
  const isMore = conflicts.some(({ code }) => code === "not reviewed" || code === "not reviewed field");
  return `Nothing was sent. Preview again and review the new plan.${inCi && isMore ? ` ${SEVERAL_AT_ONCE}` : ""}`;
}

const SEVERAL_AT_ONCE =
  "Where one push has landed several requests, as a merge queue does: check out the commit of each and run ci apply there, the earliest first.";

function includedEdits({ impact }: Report): Record<string, string> {
  const included = (impact?.alsoLive ?? []).filter(({ policy }) => policy === "include");
  return Object.fromEntries(included.map(({ urn, digest }) => [urn, digest]));
}

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

/**
 * Refuses a reviewed plan that later applies took back, at least in part: a code host runs any old job again that somebody clicks on. A plan
 * without changes is never refused.
 */
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
