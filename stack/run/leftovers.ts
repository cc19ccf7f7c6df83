/**
 * What a killed run was creating and the run of now does not take in, because the code declares it otherwise or no longer, or an
 * undo takes it back. It is named in the plan and removed once the run is through; by then neither the state nor our record
 * need know of it, so both are read before.
 */
import { reveal } from "../../engine/index.ts";
import type { JsonMap } from "../../provider/values/json.ts";
import { specOf } from "../../provider/reconcile/creation.ts";
import type {
  OpenQuestion,
  RecordedCreation,
  SoughtCreation,
  UnwantedCreation,
} from "../../provider/reconcile/creation-record.ts";
import { identityFor, ownIn } from "../../provider/reconcile/identity.ts";
import { splitInputs } from "../../provider/reconcile/inputs.ts";
import { noticeText } from "../../provider/messages/notices.ts";
import type { ObjectKey } from "../../provider/definition/object-key.ts";
import { definitionOf, keyOfKind, keyOfType } from "../../provider/kinds/registry.ts";
import { NOTHING_KEPT } from "../engines/kept-creations.ts";
import type { StateResource } from "../engines/recorded.ts";
import type { Remains } from "../plan/plan.ts";
import type { Planned } from "../report/build.ts";
import type { Report } from "../report/model.ts";
import { decisive, operationOf } from "../report/steps.ts";
import type { Told } from "../report/told.ts";
import { Interrupted, notCleaned, notLookedFor, withLeftovers } from "./interrupted.ts";
import { asCreation, asUnwanted, recordedOf, type Recorded } from "./left-by-killed.ts";
import { questionText } from "./left-words.ts";
import type { StackSession } from "./session.ts";

interface Begun {
  readonly creations: readonly StateResource[];
  readonly known: Recorded;
  /** Ids that a run of now may take in: our record has not crossed them out. */
  readonly open: ReadonlySet<ObjectKey>;
  readonly questions: readonly OpenQuestion[];
  readonly sought: readonly SoughtCreation[];
}

const LOOKING =
  "Looking for what an interrupted run may have left in the account: lists may be behind by some seconds.";
/** A wait of less needs no word. */
const SHORT_MS = 1_000;
const STOPPED_LOOKING =
  "what an interrupted run may have left in the account was not looked for to the end, since this one was interrupted, too: the next up looks again.";

const NOTHING_BEGUN: Begun = { creations: [], known: new Map(), open: new Set(), questions: [], sought: [] };

export class Leftovers {
  readonly #session: StackSession;
  readonly #creations: readonly StateResource[];
  readonly #known: Recorded;
  readonly #open: ReadonlySet<ObjectKey>;
  readonly #questions: readonly OpenQuestion[];
  readonly #sought: readonly SoughtCreation[];
  /** Of the stack: what else there is, a later run comes to. */
  readonly #isPart: boolean;
  #unwanted: readonly StateResource[] = [];

  private constructor(session: StackSession, { creations, known, open, questions, sought }: Begun, isPart: boolean) {
    this.#session = session;
    this.#creations = creations;
    this.#known = known;
    this.#open = open;
    this.#questions = questions;
    this.#sought = sought;
    this.#isPart = isPart;
  }

  /** Before the plan is made. */
  static async begin(session: StackSession, command: "up" | "undo"): Promise<Leftovers> {
    const isPart = command === "undo" || session.options.target.length > 0;
    if (session.options.target.length > 0) return new Leftovers(session, NOTHING_BEGUN, isPart);
    const kept = await session.engine.creations();
    const creations = await creationsFor(session, command, kept.unwanted);
    const open = new Set(kept.made.map(({ kind, id }) => keyOfKind(kind, id)));
    const known = recordedOf(kept, creations);
    const { questions } = kept;
    const sought = isPart ? [] : kept.sought;
    return new Leftovers(session, { creations, known, open, questions, sought }, isPart);
  }

  /** For the plan that was made after they were looked for. */
  remains(planned: Planned): Remains {
    // Of thousands of resources a plan is large, and is not held while it is carried out.
    let plan: Planned | undefined = planned;
    return {
      has: () => false,
      foretold: async (report) => {
        const foretold = plan === undefined ? report : await this.foretold(report, plan);
        plan = undefined;
        return foretold;
      },
      begin: async () => {
        await this.#keepInSight();
        return [];
      },
      removed: (report) => this.removed(report),
      close: () => Promise.resolve(),
    };
  }

  /** Before a run that may forget them, and be killed before they are removed. */
  async #keepInSight(): Promise<void> {
    if (this.#unwanted.length === 0) return;
    const { engine } = this.#session;
    const open = (await engine.underWay()).map(({ urn }) => urn);
    const unwanted = this.#unwanted.flatMap((one) => asUnwanted(one, this.#known));
    await (await engine.creations()).note(unwanted, open);
  }

  /** With what would be removed, and what stays. Lists may be behind: what shows up later is told when it is removed. */
  async foretold(report: Report, { told }: Planned): Promise<Report> {
    if (report.result !== "succeeded") return report;
    this.#unwanted = this.#creations.filter((one) => !this.#isTakenIn(one, told.get(one.urn)));
    const asked = this.#questions.map(questionText);
    // What the plan makes takes in what it finds of it.
    const made = new Set([...told.values()].flatMap((one) => (makes(one) ? [ownIn(identityFor(one.urn))] : [])));
    const sought = this.#sought.filter(({ own }) => !made.has(own));
    if (this.#unwanted.length + sought.length === 0) return { ...report, warnings: [...report.warnings, ...asked] };
    const looking = { known: this.#known, patienceMs: 0, lost: [], questions: [], sought, taken: adoptedIn(told) };
    const found = await Interrupted.find(this.#session, this.#unwanted, looking).catch((error: unknown) =>
      notLookedFor(this.#unwanted, error),
    );
    if (typeof found === "string") return { ...report, warnings: [...report.warnings, found] };
    await found.close();
    const going = found.planned("unfinished");
    const whole = { ...report, warnings: [...report.warnings, ...going, ...found.finished, ...asked] };
    return withLeftovers(whole, { count: going.length, removed: false });
  }

  /** After the run. One that failed may have closed what it was asked for, and no later one would look again. */
  async removed(report: Report): Promise<Report> {
    const startedAt = Date.now();
    const settled = await this.#removed(report);
    return settled === report ? report : { ...settled, durationMs: settled.durationMs + (Date.now() - startedAt) };
  }

  async #removed(report: Report): Promise<Report> {
    const isDone = report.result === "succeeded";
    const creations = isDone ? this.#creations : await this.#closed();
    const isAll = isDone && !this.#isPart;
    const { lost, questions, sought } = isAll ? await this.#session.engine.creations() : NOTHING_KEPT;
    if (creations.length + lost.length + questions.length + sought.length === 0) return report;
    const signal = this.#session.interruption.cancel;
    const looking = { known: this.#known, lost, questions, sought, soughtBefore: this.#sought, signal };
    const telling = setTimeout(() => this.#session.teller.line(LOOKING), SHORT_MS);
    const found = await Interrupted.find(this.#session, creations, looking)
      .catch((error: unknown) => (signal.aborted ? STOPPED_LOOKING : notLookedFor(creations, error)))
      .finally(() => clearTimeout(telling));
    if (typeof found === "string") return notCleaned(report, [found]);
    try {
      const { removed, kept, failed } = await found.remove("unfinished");
      const ended = [...removed, ...kept];
      const told = this.#isPart || !isDone ? ended : [...found.warnings, ...ended, ...found.finished];
      const said = failed.length === 0 ? report.warnings.filter((one) => !this.#isDenied(one, found)) : report.warnings;
      // The provider has said the same of what it made anew.
      const warned = { ...report, warnings: [...new Set([...said, ...told])] };
      const whole = withLeftovers(warned, { count: removed.length, removed: true });
      return failed.length === 0 ? whole : notCleaned(whole, failed);
    } finally {
      await found.close();
    }
  }

  /** A provider knows of no later removal, and says that it stays. */
  #isDenied(warning: string, found: Interrupted): boolean {
    const gone = [...this.#known.values()].flat().filter(({ kind, id }) => found.has(kind, id));
    return gone.some(({ kind, id }) => noticeText({ code: "left-behind", kind, id }) === warning);
  }

  /** Whether the plan makes an object for this resource, and from the same inputs: then it carries on with what there is. */
  #isTakenIn({ urn, type }: StateResource, told: Told | undefined): boolean {
    const op = told && makes(told);
    if (told === undefined || op === undefined) return false;
    const inputs = decisive(told.steps, op)?.new?.inputs ?? {};
    const recorded = this.#known.get(ownIn(identityFor(urn))) ?? [];
    return recorded.every((one) => this.#open.has(keyOfKind(one.kind, one.id)) && isMadeAs(one, type, inputs));
  }

  async #closed(): Promise<readonly StateResource[]> {
    if (this.#unwanted.length === 0) return [];
    const open = new Set((await this.#session.engine.underWay()).map(({ urn }) => urn));
    return this.#unwanted.filter(({ urn }) => !open.has(urn));
  }
}

/** An undo comes to what has another object alone: anything else the next up carries on with. */
async function creationsFor(
  session: StackSession,
  command: "up" | "undo",
  unwanted: readonly UnwantedCreation[],
): Promise<readonly StateResource[]> {
  const creations = [...(await session.engine.underWay()), ...unwanted.map(asCreation)];
  if (command === "up" || creations.length === 0) return creations;
  const standing = new Set((await session.engine.records())?.flatMap((one) => (one.delete ? [] : [one.urn])));
  return creations.filter(({ urn }) => standing.has(urn));
}

function makes({ steps }: Told): "create" | "replace" | undefined {
  const op = operationOf(steps);
  return op === "create" || op === "replace" ? op : undefined;
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

/** Whether a creation from these inputs carries on with what our record knows. */
export function isMadeAs({ spec }: RecordedCreation, type: string, inputs: Parameters<typeof reveal>[0]): boolean {
  const definition = definitionOf(type);
  const planned = definition && specOf(definition, splitInputs(reveal(inputs) as JsonMap));
  return planned === undefined || planned === spec;
}
