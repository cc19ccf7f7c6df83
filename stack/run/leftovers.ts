/**
 * Finds objects that creations left and that the run doesn't take in: the code declares them otherwise or no longer, or a destroy takes
 * them back. The plan names them. An up removes them at its end, a destroy before it begins.
 */
import { reveal } from "../../engine/index.ts";
import type { JsonMap } from "../../provider/values/json.ts";
import { type Change, crossedOut, type Entry, isLeft, isLongAgo, isOpen } from "../../provider/ledger/ledger.ts";
import { isUnfindable, creationDigestOf } from "../../provider/reconcile/creation.ts";
import { splitInputs } from "../../provider/reconcile/object-state.ts";
import { patienceIn } from "../../provider/account/presence.ts";
import { definitionOf, keyOfType } from "../../provider/kinds/registry.ts";
import { keyOf, type StackLedger } from "../engines/ledger.ts";
import { objectsHeld } from "../engines/recorded.ts";
import type { Planned } from "../report/build.ts";
import { type Report, withFound } from "../report/model.ts";
import { decisive, operationOf, type Told } from "../report/steps.ts";
import {
  definitionFor,
  goingText,
  type Left,
  type Looked,
  lookForLeft,
  notLookedFor,
  ownedIn,
  removal,
  removedText,
  stayingText,
  stillThereText,
  unfoundText,
} from "./left.ts";
import type { StackSession } from "./session.ts";
import type { ObjectKey } from "../../provider/ledger/identity.ts";

/** A shorter wait is not told. */
const SHORT_MS = 1_000;
const LOOKING = "Looking for leftovers of an interrupted run. The service's lists may lag behind for some seconds.";
const STOPPED_LOOKING =
  "Landform did not finish looking for leftovers of an interrupted run, since this run was interrupted, too. The next up looks again.";

export type LeftCommand = "up" | "destroy";

export class Leftovers {
  readonly #session: StackSession;
  readonly #command: LeftCommand | undefined;
  /** The ledger before the run. Lists may show the run's own creations late. */
  readonly #before: StackLedger | undefined;
  /** For a destroy: sentences about its leftovers, and the number of removed ones. */
  #said: readonly string[] = [];
  #gone = 0;

  private constructor(session: StackSession, command: LeftCommand | undefined, before: StackLedger | undefined) {
    this.#session = session;
    this.#command = command;
    this.#before = before;
  }

  /** Begins before the plan is made. A run with targets, or another command, has no leftovers to remove. */
  static async begin(session: StackSession, command: LeftCommand | undefined): Promise<Leftovers> {
    const isPart = command === undefined || session.options.target.length > 0;
    return new Leftovers(session, command, isPart ? undefined : await session.engine.ledger());
  }

  get #isDestroy(): boolean {
    return this.#command === "destroy";
  }

  /** Adds the objects that would be removed and those that stay. Lists may lag behind: an object that shows up later is told when it is removed. */
  async foretold(report: Report, { told }: Pick<Planned, "told">): Promise<Report> {
    const before = this.#before;
    if (report.result !== "succeeded" || before === undefined) return report;
    const making = new Map([...told.values()].flatMap((one) => (makes(one) ? [[keyOf(one.urn), one] as const] : [])));
    const due = before.entries.filter((entry) => !isTakenIn(entry, making.get(entry.key)));
    const look = { taken: adoptedIn(told), making: [...making.keys()], waits: this.#isDestroy };
    const found = await this.#look({ ...before, entries: due }, look);
    if (typeof found === "string") return warning(report, [found]);
    this.#said = found.words;
    const count = found.going.length;
    const whole = warning(report, [...found.going.map(goingText), ...found.words]);
    return count === 0 ? whole : { ...whole, leftovers: { count, removed: false } };
  }

  /** Removes leftovers after the run. An up that failed leaves them to the next one. */
  async removed(report: Report): Promise<Report> {
    if (this.#isDestroy) return withRemoved(warning(report, this.#said), this.#gone);
    if (report.result !== "succeeded" || this.#before === undefined) return report;
    const startedAt = Date.now();
    const now = await this.#session.engine.ledger();
    if (now.entries.length === 0) return report;
    const signal = this.#session.interruption.cancel;
    const telling = setTimeout(() => this.#session.teller.line(LOOKING), SHORT_MS);
    const found = await this.#look(now, { signal, waits: true }).finally(() => clearTimeout(telling));
    if (typeof found === "string") return notCleaned(report, [found]);
    const { removed, kept, failed, keys } = await this.#remove(now, found);
    const pending = report.pending.map((one) =>
      keys.has(keyOf(one.urn)) ? { ...one, outcome: "delete" as const } : one,
    );
    const durationMs = report.durationMs + (Date.now() - startedAt);
    const cleaned = withRemoved({ ...report, pending, durationMs }, removed.length);
    const whole = warning(cleaned, [...removed, ...kept, ...found.words]);
    return failed.length === 0 ? whole : notCleaned(whole, failed);
  }

  /** Removes leftovers before a destroy. The destroy must not begin if one could not be removed. */
  async remove(): Promise<readonly string[]> {
    const before = this.#before;
    if (before === undefined || before.entries.length === 0) return [];
    // The plan has already waited for lists that lag behind.
    const found = await this.#look(before, { waits: false });
    if (typeof found === "string") return [found];
    const { removed, kept, failed } = await this.#remove(before, found);
    this.#said = [...this.#said, ...removed, ...kept];
    this.#gone = removed.length;
    return failed;
  }

  /** Returns the reason in words if it could not look. */
  async #look(ledger: StackLedger, look: Look): Promise<Found | string> {
    const { engine } = this.#session;
    const entries = ledger.entries.filter((one) => definitionFor(one) !== undefined && !isLeft(one));
    if (entries.length === 0) return NOTHING_FOUND;
    const records = (await engine.records()) ?? [];
    const made = records.filter(({ id, delete: condemned }) => id !== undefined && condemned !== true);
    const standing = new Set([...made.map(({ urn }) => keyOf(urn)), ...(look.making ?? [])]);
    const isSuperseded = ({ key }: Entry): boolean => standing.has(key);
    const known = new Set(this.#before?.entries.map(idOf));
    const waits = (one: Entry): boolean =>
      look.waits && one.state !== "unwanted" && !(isSuperseded(one) && known.has(idOf(one)));
    const reader = await this.#session.account();
    try {
      const looks = await lookForLeft(entries, {
        reader,
        held: new Set([...objectsHeld(records), ...(look.taken ?? [])]),
        patienceMs: (one) => (waits(one) ? patienceIn(process.env) : 0),
        signal: look.signal,
      });
      return this.#judge(looks, ledger, { isSuperseded, waits: look.waits || this.#isDestroy });
    } catch (error) {
      return look.signal?.aborted === true ? STOPPED_LOOKING : notLookedFor(entries, error);
    }
  }

  #judge(looks: readonly Looked[], { begun }: StackLedger, { isSuperseded, waits }: Judging): Found | string {
    const broken = looks.filter(({ failed }) => failed !== undefined);
    const untold = broken.map(({ entry, failed }) => notLookedFor([entry], failed));
    const fatal = broken.filter(({ entry }) => !isSuperseded(entry)).map(({ entry }) => entry);
    if (fatal.length > 0) return notLookedFor(fatal, broken.find(({ entry }) => fatal.includes(entry))?.failed);
    const { left, words } = ownedIn(looks);
    const isAlone = ({ entry }: Left): boolean =>
      entry.state === "unwanted" || (entry.alone === true && !begun.has(entry.key));
    const isGoing = (one: Left): boolean => one.marked || isSuperseded(one.entry) || (this.#isDestroy && !isAlone(one));
    const staying = left.filter((one) => !isGoing(one) && isAlone(one) === this.#isDestroy);
    const empty = looks.filter((one) => one.left.length === 0 && one.failed === undefined && !one.isElsewhere);
    const lost = empty.filter(({ entry, words: told }) => isLost(entry) && told.length === 0 && !isSuperseded(entry));
    const unfound = waits ? lost.map(({ entry }) => unfoundText(entry)) : [];
    return {
      going: left.filter(isGoing),
      words: [...new Set([...words, ...unfound, ...untold, ...staying.map(stayingText)])],
      changes: [
        ...staying.map(({ entry }): Entry => ({ ...entry, state: "unwanted" })),
        ...empty.flatMap(({ entry, words: told }) => ended(entry, isSuperseded(entry), told.length > 0)),
      ],
    };
  }

  async #remove(ledger: StackLedger, { going, changes }: Found): Promise<Removed> {
    const ends: Removed = { removed: [], kept: [], failed: [], keys: new Set() };
    const settled: Change[] = [...changes];
    // An object may refer to one that was made before it, so later ones go first.
    for (const one of [...going].sort((a, b) => b.entry.at.localeCompare(a.entry.at))) {
      const { end, why } = await removal(one);
      if (end === "removed" || end === "gone" || end === "stays") settled.push(crossedOut(one.entry));
      if (end === "removed") ends.keys.add(one.entry.key);
      if (end === "removed") ends.removed.push(removedText(one));
      else if (end === "failed") ends.failed.push(stillThereText(one, why));
      else if (end !== "gone") ends.kept.push(why);
    }
    if (settled.length > 0) await ledger.change(settled);
    return ends;
  }
}

interface Look {
  /** Objects that a plan takes over. */
  readonly taken?: ReadonlySet<ObjectKey>;
  /** Keys of resources that a plan makes. */
  readonly making?: readonly string[];
  readonly waits: boolean;
  readonly signal?: AbortSignal;
}

interface Found {
  readonly going: readonly Left[];
  /** Sentences about the others. Finished objects stay: for visitors they are somebody's pages. */
  readonly words: readonly string[];
  readonly changes: readonly Change[];
}

interface Judging {
  readonly isSuperseded: (entry: Entry) => boolean;
  readonly waits: boolean;
}

const NOTHING_FOUND: Found = { going: [], words: [], changes: [] };

interface Removed {
  readonly removed: string[];
  /** Objects that nobody can delete through the API, or that are somebody's. */
  readonly kept: string[];
  readonly failed: string[];
  readonly keys: Set<string>;
}

/** A list that lags behind may still show a creation that was not found, unless it was long ago or a person was told. */
function ended(entry: Entry, isSuperseded: boolean, isTold: boolean): Change[] {
  const isOver = !isOpen(entry) || isTold || isLongAgo(entry) || (entry.state === "unknown" && !isSuperseded);
  if (isOver) return [crossedOut(entry)];
  return isSuperseded || entry.state === "unwanted" ? [] : [{ ...entry, state: "unwanted" }];
}

/** Tells if a run ended without an answer and said so. */
function isLost({ state, creationDigest }: Entry): boolean {
  return state === "unknown" && creationDigest !== undefined;
}

function idOf({ key, at }: Entry): string {
  return `${key} ${at}`;
}

/** Tells if the plan makes an object for this resource from the same inputs. Then it takes the existing one in. */
function isTakenIn(entry: Entry, told: Told | undefined): boolean {
  const op = told && makes(told);
  const definition = definitionFor(entry);
  if (told === undefined || op === undefined || (definition && isUnfindable({ definition }))) return false;
  const { type = "", new: planned } = decisive(told.steps, op) ?? {};
  return entry.id === undefined || isMadeAs(entry, type, planned?.inputs ?? {});
}

function makes({ steps }: Told): "create" | "replace" | undefined {
  const op = operationOf(steps);
  return op === "create" || op === "replace" ? op : undefined;
}

/** Tells if a creation from these inputs takes in the object that the ledger knows. */
export function isMadeAs({ creationDigest }: Entry, type: string, inputs: Parameters<typeof reveal>[0]): boolean {
  const definition = definitionOf(type);
  const planned = definition && creationDigestOf(definition, splitInputs(reveal(inputs) as JsonMap));
  return planned === undefined || planned === creationDigest;
}

function adoptedIn(told: Planned["told"]): Set<ObjectKey> {
  const steps = [...told.values()].flatMap((one) => [...one.steps.values()]);
  return new Set(
    steps.flatMap(({ type, new: made }) => {
      const { adoptId } = made?.inputs ?? {};
      return typeof adoptId === "string" ? [keyOfType(type, adoptId)] : [];
    }),
  );
}

function warning(report: Report, more: readonly string[]): Report {
  return withFound(report, "leftovers", more);
}

function withRemoved(report: Report, count: number): Report {
  return count === 0 ? report : { ...report, leftovers: { count, removed: true } };
}

/** Fails the run if objects may be left in the account, even if everything else was done. */
export function notCleaned(report: Report, messages: readonly string[]): Report {
  const failures = messages.map((message) => ({ message, cause: "operation" as const }));
  return { ...report, result: "failed", failures: [...report.failures, ...failures] };
}
