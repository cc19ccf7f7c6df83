/** A definition as the methods that Pulumi's dynamic-provider host calls. No method gets a URN, a type or a preview flag. */
import { isUnfindable } from "./creation.ts";
import type { HiddenValues } from "../messages/hidden.ts";
import type { AnyDefinition } from "../definition/define.ts";
import type { Restore } from "../history/kept.ts";
import { whenApiFails } from "../account/making.ts";
import { inOneTurn } from "../api/gate.ts";
import { explainedBy, failureOf, leadToGuide, type StepFailure } from "../messages/failures.ts";
import { type JsonMap, same, sanitize } from "../values/json.ts";
import type { Notice } from "../messages/notices.ts";
import { pathsBetween, propertyPath } from "../values/paths.ts";
import type { CheckFailure } from "../values/problems.ts";
import { failureText, problemText } from "../values/wording.ts";
import { checkInputs, type Claims, conflictingClaims, forbiddenTexts, HOLDS_KEY } from "./check.ts";
import { keepBeforeDelete, letGo, type Outcome, update } from "./apply.ts";
import { create } from "./create.ts";
import { isKeptForEdits } from "./going.ts";
import { agreesWithOthers, changesBetween, diffOf, type DiffResult, refuseToFail } from "./diff.ts";
import { PreviewStackError, RefusedChangeError } from "../messages/errors.ts";
import { environmentIn, nameIn, objectKey, type ObjectKey, resourceKeyIn } from "../ledger/identity.ts";
import { type ObjectInRun, ObjectState, splitInputs } from "./object-state.ts";
import { discard, namesOf, findDuplicate } from "./marked-objects.ts";
import { read, type ReadOutcome } from "./read.ts";
import type { RunContext, SeenStates } from "./run-context.ts";
import { yesOrNo } from "../api/config.ts";

export interface Configuration {
  readonly config: { get(key: string): string | undefined };
}

/** The source of a run's services: the host's configuration, or the environment. */
export interface Runtime {
  configure(request: Configuration): void;
  run(): RunContext;
  key?(): string | undefined;
  expectAccount(account: string | undefined): void;
  readonly claims: Claims;
  /** The stack's own objects that this run changes or deletes, and nobody else's. */
  readonly ours: Set<ObjectKey>;
  readonly restore?: Restore | undefined;
  readonly seen: SeenStates;
  readonly hidden?: HiddenValues;
  /** Hears of a step that failed, as data. The message reaches the user by itself. */
  failed?(failure: StepFailure): void;
  tell?(notice: Notice): void;
  /** Resolves when all that was told is on its way to the person: an answer must not come before its notices. */
  told?(): Promise<unknown>;
}

export interface PulumiFailure {
  readonly property: string;
  readonly reason: string;
}

export interface Handler {
  configure(request: Configuration): Promise<void>;
  check(olds: JsonMap, news: JsonMap): Promise<{ inputs: JsonMap; failures: PulumiFailure[] }>;
  diff(id: string, olds: JsonMap, news: JsonMap): Promise<DiffResult>;
  create(props: JsonMap): Promise<Outcome>;
  read(id: string, props: JsonMap): Promise<ReadOutcome>;
  update(id: string, olds: JsonMap, news: JsonMap): Promise<{ outs: JsonMap }>;
  delete(id: string, props: JsonMap): Promise<void>;
}

export function handlerFor(definition: AnyDefinition, runtime: Runtime): Handler {
  const quietly = <T>(step: () => T | Promise<T>) => explained(definition.kind, runtime, step);
  const begun = async (identity: string | undefined): Promise<RunContext> => {
    const run = runtime.run();
    const { savesAtEnd, ledger } = run.settings;
    if (savesAtEnd === true && identity !== undefined) await ledger.markUnsaved(resourceKeyIn(identity));
    return run;
  };
  /** The resources that the program has declared so far. */
  const checked = new Set<string>();
  return {
    configure: (request) => quietly(() => runtime.configure(request)),
    check: (olds, news) =>
      quietly(() => {
        const { inputs, identity, hidden } = splitInputs(news);
        const old = splitInputs(olds);
        runtime.hidden?.learn(old.inputs, old.hidden);
        runtime.hidden?.learn(inputs, hidden);
        refuseOtherEnvironment(definition, old.identity, identity);
        if (identity !== undefined) checked.add(identity);
        const failures = forbiddenTexts(inputs, nameIn(identity ?? ""), runtime.key?.());
        if (failures.length === 0) failures.push(...checkInputs(definition, inputs));
        if (failures.length === 0) failures.push(...conflictingClaims(definition, inputs, identity, runtime.claims));
        return {
          inputs: sanitize(news),
          failures: failures.map((failure) => {
            const { property, reason } = forPulumi(definition, failure);
            return { property, reason: runtime.hidden?.text(reason) ?? reason };
          }),
        };
      }),
    diff: (id, olds, news) =>
      quietly(async () => {
        const old = ObjectState.fromState(definition, id, olds);
        runtime.expectAccount(old.account);
        const { inputs, identity, ignored, hidden } = splitInputs(news);
        runtime.hidden?.note(id, hidden);
        old.ignored = ignored;
        runtime.seen.note(definition, old, inputs, identity);
        const planned = await diffOrLook(definition, runtime, old, inputs);
        if (isUnfindable({ definition }) && runtime.seen.mayBeRemoved(old)) return madeAnew(definition, runtime, old);
        // A refresh also asks about the values that the account shows.
        const isChecked = identity !== undefined && checked.has(identity);
        if (isChecked) refuseToFail(definition, old, inputs, planned);
        const isKept = isChecked && planned.replaces.length > 0 && (await isKeptHere(definition, runtime, old, inputs));
        const { changes, replaces } = isKept ? { changes: false, replaces: [] } : planned;
        const isRecorded = isChecked && !isKept && agreesWithOthers(old, inputs);
        const result = { changes: changes || isRecorded || isRestored(definition, runtime.restore, id), replaces };
        // An object that stays as it is keeps its place, wherever somebody moved it. A refresh asks before there is a program, and says
        // nothing about resources that the program leaves out.
        if (!isChecked) return result;
        const key = objectKey(definition, id);
        if (result.changes) runtime.ours.add(key);
        else runtime.ours.delete(key);
        if (result.changes) tellMoved(definition, runtime, old, inputs);
        return result;
      }),
    create: (props) =>
      quietly(async () => create({ definition, run: await begun(splitInputs(props).identity) }, props)),
    read: (id, props) => quietly(() => read({ definition, run: runtime.run() }, id, props)),
    update: (id, olds, news) =>
      quietly(async () => {
        const run = await begun(splitInputs(news).identity);
        const { outs } = await update({ definition, run }, id, olds, news);
        return { outs };
      }),
    delete: (id, props) =>
      quietly(async () => {
        const run = runtime.run();
        const object = ObjectState.fromState(definition, id, props);
        await begun(object.identity);
        runtime.seen.note(definition, object);
        await run.accountId(object.account);
        const key = objectKey(definition, id);
        const owner = runtime.seen.letGo(key, object.identity);
        const why = run.adopted.has(key)
          ? "a resource of this run has taken it over, by adoptId"
          : owner && `it is also ${nameIn(owner)} of this stack, and only the deletion of that resource deletes it`;
        if (why !== undefined) {
          const name = object.identity === undefined ? {} : { name: nameIn(object.identity) };
          const text = `${definition.type} ${id} is not deleted: ${why}.`;
          run.warn({ code: "stays", kind: definition.kind, id, text, ...name });
        } else await deleteObject({ definition, run, object });
        if (object.identity !== undefined) runtime.claims.free(object.identity);
        runtime.seen.forget(object.identity);
      }),
  };
}

/** If the service can't be asked, or there is no key, the run looks again before the object makes way. */
async function isKeptHere(
  definition: AnyDefinition,
  runtime: Runtime,
  object: ObjectState,
  inputs: JsonMap,
): Promise<boolean> {
  if (runtime.key?.() === undefined) return false;
  const isKept = async (): Promise<boolean> => isKeptForEdits({ definition, run: runtime.run(), object }, inputs);
  return (await isKept().catch(whenApiFails)) === true;
}

/** Replaces an object that may be gone. The deletion of the old one is then sent once more. */
function madeAnew(definition: AnyDefinition, runtime: Runtime, { id = "", declared }: ObjectState): DiffResult {
  const { kind } = definition;
  const text = `A run that was killed may have deleted ${kind} ${id}, and nothing shows if it did: it is made anew.`;
  runtime.tell?.({ code: "of-kind", kind, id, topic: "may-be-removed", text });
  return {
    changes: true,
    replaces: [...declared.keys()].filter((field) => definition.rule(field).onChange === "replace"),
  };
}

function tellMoved(definition: AnyDefinition, runtime: Runtime, old: ObjectState, inputs: JsonMap): void {
  const changes = changesBetween(definition, old, inputs).filter(({ kind }) => kind === "changed");
  const paths = changes.flatMap(({ field }) => pathsBetween(field, old.declared.get(field), inputs[field]));
  if (paths.length > 0) runtime.tell?.({ code: "moved", kind: definition.kind, id: old.id ?? "", by: "code", paths });
}

/** Runs before anything of the run is sent: each resource is checked first, and a plan checks them all. */
function refuseOtherEnvironment({ type }: AnyDefinition, then: string | undefined, now: string | undefined): void {
  if (then === undefined || now === undefined) return;
  const [before, here] = [environmentIn(then), environmentIn(now)];
  if (before !== here) throw new PreviewStackError(`${type} "${nameIn(now)}"`, before, here);
}

async function deleteObject(over: ObjectInRun): Promise<void> {
  const { definition, run, object } = over;
  const { id = "" } = object;
  await keepBeforeDelete(over);
  const key = objectKey(definition, id);
  const restored = run.settings.restore?.objects[key];
  if (restored?.letGo) await letGo(over, restored);
  else {
    await definition.delete(run, id, object);
    run.deleted.add(key);
  }
  const duplicateId = object.duplicateId ?? (await findDuplicate(over));
  if (duplicateId !== undefined) await discard(over, duplicateId, namesOf(object));
}

/** Looks at the object if a change is refused: a person may have made it in the app, as the advice says. */
async function diffOrLook(
  definition: AnyDefinition,
  runtime: Runtime,
  old: ObjectState,
  inputs: JsonMap,
): Promise<DiffResult> {
  const isUndo = runtime.restore !== undefined;
  try {
    return diffOf(definition, old, inputs, { isUndo });
  } catch (refusal) {
    if (!(refusal instanceof RefusedChangeError) || definition.plan.refusal === undefined) throw refusal;
    const look = async (): Promise<JsonMap | undefined> => definition.read(runtime.run(), old.id ?? "", old);
    const live = await look().catch(whenApiFails);
    if (!live) throw refusal;
    old.learn(live);
    await letPass(definition, runtime.run(), old, inputs);
    return diffOf(definition, old, inputs, { isUndo });
  }
}

/** Counts a change that may pass as shown, so that the plan lists it like any other. */
async function letPass(definition: AnyDefinition, run: RunContext, old: ObjectState, inputs: JsonMap): Promise<void> {
  for (const [field, now] of Object.entries(inputs)) {
    if (definition.rule(field).onChange !== "refuse" || same(old.live(field), now)) continue;
    if (await definition.plan.letsPass?.(run, field, old.answer)) old.learn({ [field]: now });
  }
}

/**
 * A failure as Pulumi prints it: Pulumi itself names the property before the reason. Pulumi also prints the property's value, even a secret one
 * (measured on 3.245, 2026-11-21), so a secret's failure names its property in the reason alone.
 */
function forPulumi({ secrets = [] }: AnyDefinition, failure: CheckFailure): PulumiFailure {
  const said = withLogicalName(failure);
  const holdsKey = failure.problem.code === "rule" && failure.problem.rule === HOLDS_KEY;
  const isSecret = holdsKey || secrets.includes(String(failure.path[0]));
  return isSecret
    ? { property: "", reason: failureText(said).toWellFormed() }
    : { property: propertyPath(failure.path).toWellFormed(), reason: problemText(said).toWellFormed() };
}

/** Here resources are claimants by their identity. A reader knows only the name in it. */
function withLogicalName(failure: CheckFailure): CheckFailure {
  const { path, problem } = failure;
  if (problem.code !== "claimed") return failure;
  return { path, problem: { ...problem, holder: nameIn(problem.holder) } };
}

/** The host prints the stack of every error. The message is for the user, and the stack is not. */
async function explained<T>(kind: string, runtime: Runtime, step: () => T | Promise<T>): Promise<T> {
  try {
    return await inOneTurn(step);
  } catch (error) {
    if (!(error instanceof Error)) throw error;
    const cause = explainedBy(error);
    if (cause !== undefined) leadToGuide(error, cause.name);
    // Half of a surrogate pair can't be encoded, and the answer would never be sent.
    error.message = (runtime.hidden?.text(error.message) ?? error.message).toWellFormed();
    if (yesOrNo(process.env["LANDFORM_VERBOSE"]) !== true) error.stack = "";
    if (cause !== undefined) runtime.failed?.(failureOf(kind, cause, error.message));
    throw error;
  } finally {
    await runtime.told?.();
  }
}

/** Tells if an undo restores the object. A kind that gathers others writes their drafts back once it is done with them. */
function isRestored(definition: AnyDefinition, restore: Restore | undefined, id: string): boolean {
  if (restore?.objects[objectKey(definition, id)] !== undefined) return true;
  return (
    definition.gathers !== undefined && Object.values(restore?.objects ?? {}).some(({ draft }) => draft !== undefined)
  );
}
