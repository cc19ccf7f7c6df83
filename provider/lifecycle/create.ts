/**
 * Create, exactly once. A POST is never repeated: the object carries a marker until everything else is done, a creation
 * first looks for the marker, and after a lost answer it looks again with patience.
 */
import type { AnyDefinition, Apply, Created, Found } from "../define.ts";
import { ApiError } from "../api/index.ts";
import type { Json, JsonMap } from "../json.ts";
import { adopt } from "./adopt.ts";
import { complete, withoutAdoption, type Outcome } from "./complete.ts";
import { LostAnswerError, UnfindableError } from "./errors.ts";
import { markedName, markerOf, nameIn, type Marker } from "./identity.ts";
import { splitInputs, type Raw } from "./inputs.ts";
import { lookFor, takeLeftover } from "./marked-objects.ts";
import { patientLook } from "./patience.ts";
import type { RunContext } from "./run-context.ts";
import { ObjectState } from "./object-state.ts";

/** `replaced` tells by identity which object this run replaces with a new one. */
export async function create(
  definition: AnyDefinition,
  run: RunContext,
  props: JsonMap,
  replaced: ReadonlyMap<string, string>,
): Promise<Outcome> {
  const raw = splitInputs(props);
  const account = await run.account();
  const { adoptId } = raw.inputs;
  if (typeof adoptId === "string") return adopt(definition, run, raw, adoptId, account);
  const marker = markerFor(definition, raw);
  const leftover = marker && (await takeLeftover(definition, run, marker, raw.inputs, raw.identity));
  const object = leftover ? resumed(definition, leftover, raw) : new ObjectState(definition);
  object.account = account;
  object.identity = raw.identity;
  object.predecessor = replaced.get(raw.identity ?? "");
  if (leftover) run.warn({ code: "carried-on", kind: definition.kind, id: leftover.id });
  if (!leftover) await begin(definition, run, raw, marker, object);
  return finish(definition, run, raw, object, marker);
}

/** The marker's spec: the inputs that an object can't change later. */
function markerFor(definition: AnyDefinition, raw: Raw): Marker | undefined {
  if (!definition.marked || raw.identity === undefined) return undefined;
  const spec = fixedInputs(definition, raw).map((field): Json => [field, raw.inputs[field] as Json]);
  return markerOf(raw.identity, spec);
}

function fixedInputs(definition: AnyDefinition, raw: Raw): string[] {
  return Object.keys(definition.inputs.shape).filter(
    (field) => definition.rule(field).onChange === "replace" && raw.inputs[field] !== undefined,
  );
}

async function begin(
  definition: AnyDefinition,
  run: RunContext,
  raw: Raw,
  marker: Marker | undefined,
  object: ObjectState,
): Promise<void> {
  const inputs = definition.inputs.parse(withoutAdoption(raw.inputs));
  const plain = typeof raw.inputs["name"] === "string" ? raw.inputs["name"] : "";
  const name = marker ? markedName(plain, marker) : plain;
  const reused = await definition.reuse?.(run, inputs, name);
  const refind = refindBy(definition, run, inputs, name, marker, fixedInputs(definition, raw));
  const post = (): Promise<Created> => definition.create(run, inputs, name);
  const made = reused ?? (await createOrFind(called(definition, raw), run, post, refind));
  object.id = made.id;
  object.wrote = true;
  object.learn(made.answer);
  for (const field of made.sent) if (!(marker && field === "name")) object.declare(field, raw.inputs[field]);
}

type Refind = () => Promise<Created | undefined>;

function refindBy(
  definition: AnyDefinition,
  run: RunContext,
  inputs: Record<string, unknown>,
  name: string,
  marker: Marker | undefined,
  fixed: readonly string[],
): Refind | undefined {
  const { refind } = definition;
  if (refind) return () => refind(run, inputs, name);
  if (!marker || !definition.search) return undefined;
  return async () => {
    const found = await lookFor(definition, run, marker.full);
    return found && { id: found.id, answer: found.answer, sent: fixed };
  };
}

async function createOrFind(
  what: string,
  run: RunContext,
  post: () => Promise<Created>,
  refind: Refind | undefined,
): Promise<Created> {
  try {
    return await post();
  } catch (error) {
    if (!(error instanceof ApiError) || error.outcome !== "unknown") throw error;
    if (!refind) throw new UnfindableError(what, error);
    const { patienceMs } = run.settings;
    const found = await patientLook(() => refind().catch(whenApiFails), patienceMs);
    if (!found) throw new LostAnswerError(what, Math.round(patienceMs / 1000), error);
    return found;
  }
}

/** As the app shows it, or as the program calls it. */
function called({ kind }: AnyDefinition, { inputs, identity }: Raw): string {
  const name = typeof inputs["name"] === "string" ? inputs["name"] : identity && nameIn(identity);
  return name === undefined ? `the ${kind}` : `${kind} "${name}"`;
}

/** A look that fails says nothing about the object: the next one may succeed. */
function whenApiFails(error: unknown): undefined {
  if (!(error instanceof ApiError)) throw error;
}

/** The marker tells that it was created from the same fixed inputs; so do the name, ids and date of a finished one. */
function resumed(definition: AnyDefinition, leftover: Found, raw: Raw): ObjectState {
  const object = new ObjectState(definition, leftover.id);
  object.learn(leftover.answer);
  if (definition.resumes?.(raw.inputs) === false) object.notes = { blind: true };
  for (const field of fixedInputs(definition, raw)) object.declare(field, raw.inputs[field]);
  return object;
}

async function finish(
  definition: AnyDefinition,
  run: RunContext,
  raw: Raw,
  object: ObjectState,
  marker: Marker | undefined,
): Promise<Outcome> {
  const id = object.id ?? "";
  const now = definition.inputs.parse(withoutAdoption(raw.inputs));
  const changed = new Set(
    Object.keys(raw.inputs).filter((field) => field !== "adoptId" && !object.declared.has(field)),
  );
  const pass: Apply<typeof now> = {
    run,
    id,
    now,
    changed,
    removed: new Set(),
    object,
    created: marker !== undefined,
  };
  return complete(definition, pass, raw);
}
