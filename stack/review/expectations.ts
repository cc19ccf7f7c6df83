/**
 * Digests the values that a plan starts from, where it changes or deletes something: hand edits, drafts of others, and values of objects
 * that go. Landform computes them at the review and at the apply, and compares them: the reviewer has not seen later edits, declared or
 * not, published or not. It only reads.
 */
import { createHash } from "node:crypto";
import { formatPath, type Json } from "../../engine/index.ts";
import { editsDigest, type ForeignEdit, keyOf } from "../../provider/messages/foreign-edits.ts";
import { isMap, type JsonMap, same } from "../../provider/values/json.ts";
import type { Path } from "../../provider/values/paths.ts";
import { waitingEdits } from "../../provider/reconcile/foreign-edits.ts";
import { heldBy } from "../../provider/reconcile/apply.ts";
import { ObjectState, splitInputs } from "../../provider/reconcile/object-state.ts";
import type { RunRequest } from "../engines/contract.ts";
import type { Planned } from "../report/build.ts";
import { type AlsoLive, type Change, type Field, type Report, SECRET } from "../report/model.ts";
import { renderedBy } from "../report/drift.ts";
import { aboutOf, decisive, inputsOf, isRetained, operationOf, recordedAs, type Told } from "../report/steps.ts";
import { fieldsBetween, hiddenField, sidesOf, unsaidEdits, unsaidValue } from "../report/values.ts";
import type { AccountReader } from "../run/account-reader.ts";
import type { StackSession } from "../run/session.ts";
import type { Conflict } from "./agreement.ts";

import { definitionOf } from "../../provider/kinds/registry.ts";

type Tolds = Planned["told"];

/** By URN and place, a digest of the starting value. */
export type Expectations = Record<string, Record<string, string>>;

/** One place of a plan, with its present value. */
interface Start {
  readonly urn: string;
  readonly place: string;
  readonly digest: string;
  /** The conflicts to tell if the value is not the reviewed one. */
  readonly conflicts: readonly Conflict[];
  /** True if it is told only when no other place of the resource is. */
  readonly isWhole?: true;
}

/** `live`: the result of a look at the existing objects. Without it, nobody knows of hand edits. */
export async function startsOf(
  session: StackSession,
  plan: Report,
  { told, live }: { readonly told: Tolds; readonly live: Tolds },
): Promise<Start[]> {
  const touched = plan.changes.filter(({ op }) => TOUCHING.has(op));
  const edited = touched.flatMap((change) => {
    const looked = live.get(recordedUrn(change, told)) ?? live.get(change.urn);
    return handEdits(change, looked, inputsOf(change, told.get(change.urn)));
  });
  return session.redactor.value([...edited, ...drafts(plan, edited), ...(await holdings(session, told))]);
}

export function expectationsOf(starts: readonly Start[]): Expectations {
  const byUrn = Map.groupBy(starts, ({ urn }) => urn);
  return Object.fromEntries(
    [...byUrn].map(([urn, all]) => [urn, Object.fromEntries(all.map(({ place, digest }) => [place, digest]))]),
  );
}

export function movedSince(reviewed: Expectations, starts: readonly Start[]): Conflict[] {
  const moved = starts.filter(({ urn, place, digest }) => reviewed[urn]?.[place] !== digest);
  const named = new Set(moved.flatMap(({ urn, isWhole }) => (isWhole === true ? [] : [urn])));
  return moved.flatMap(({ urn, isWhole, conflicts }) => (isWhole === true && named.has(urn) ? [] : conflicts));
}

/** Finds hand edits of resources that the plan touches. Returns a failed report if it can't look. */
export async function lookAtTouched(session: StackSession, { changes }: Report, told: Tolds): Promise<Tolds | Report> {
  const targets = changes.filter(({ op }) => TOUCHING.has(op)).map((change) => recordedUrn(change, told));
  if (targets.length === 0) return new Map();
  const request: RunRequest = { kind: "refresh", dryRun: true, targets };
  const { report, preview } = await session.run("refresh", request, { quiet: true });
  return report.result === "succeeded" ? preview.told : report;
}

const TOUCHING: ReadonlySet<string> = new Set(["update", "replace", "delete"]);

function recordedUrn({ urn, op }: Change, told: Tolds): string {
  return recordedAs({ urn, old: decisive(told.get(urn)?.steps ?? new Map(), op)?.old });
}

/** An update leaves edits of other fields alone. They are drift. */
function handEdits(change: Change, told: Told | undefined, code: JsonMap): Start[] {
  const { urn, type, name, op } = change;
  const found = told?.live;
  if (found === undefined) return [];
  if (found === null)
    return op === "delete" ? [] : [{ urn, place: "", digest: "", conflicts: [{ urn, type, name, code: "gone" }] }];
  const planned = new Set([...change.fields, ...(change.rendered ?? [])].map(({ path }) => formatPath(path)));
  // Settings of the program alone, such as the id that an object was taken over by, are nothing that the account shows.
  const isShown = ({ path: [field] }: Field): boolean => definitionOf(type)?.rule(String(field)).onChange !== "none";
  const isTouched = ({ path }: Field): boolean => op !== "update" || planned.has(formatPath(path));
  const isRendered = renderedBy(type, code);
  // Somebody took the edit over into the code, and that was reviewed: the new value is already live.
  const isThereAlready = ({ path, new: live }: Field): boolean => {
    const becomes = change.fields.find((field) => same(field.path, path))?.new;
    if (op !== "update" || live === undefined || JSON.stringify(live).includes(SECRET)) return false;
    return same(becomes, live) || isRendered(path, live);
  };
  return fieldsBetween(found.before, found.after)
    .filter((field) => isTouched(field) && isShown(field) && !isThereAlready(field))
    .map(({ path, old, new: now }) => {
      const conflict: Conflict = { urn, type, name, path, code: "changed by hand", reviewed: old, now };
      return { urn, place: formatPath(path), digest: digestOf(now ?? null), conflicts: [conflict] };
    });
}

/**
 * Finds values that the plan writes over and that no refresh has shown: of objects that this plan alone has looked at, and draft texts that
 * the content map doesn't show, because it shows what is live. The stack's setting decides about edits beside the plan's changes: they are
 * held back or included. `known`: the starts that a refresh did show.
 */
function drafts(plan: Report, known: readonly Start[]): Start[] {
  const isKnown = (urn: string, place: string): boolean => known.some((one) => one.urn === urn && one.place === place);
  return (plan.impact?.alsoLive ?? []).flatMap((found) => {
    const { urn, type, name, edits, noDraft, digest } = found;
    const written = edits.flatMap(partsReplaced);
    const starts = written.flatMap(({ path, old, new: now }): Start[] => {
      const place = formatPath(path);
      const conflict: Conflict = { urn, type, name, path, code: "changed by hand", reviewed: old, now };
      // The draft as a whole tells its own conflicts.
      const conflicts = noDraft === true ? [conflict] : [];
      // The plan hides a value in the place of a secret, and not its digest.
      const seen = now === SECRET ? digest : digestOf(now ?? null);
      return isKnown(urn, place) ? [] : [{ urn, place, digest: seen, conflicts }];
    });
    return noDraft === true ? starts : [...starts, draftOf(found, isKnown)];
  });
}

/** Returns the parts of a value that the plan writes over, from the value of the last run to the present one. */
function partsReplaced(edit: ForeignEdit): Field[] {
  if (edit.kind !== "field" || edit.over === undefined) return [];
  if (edit.now === SECRET) return [hiddenField(edit.at)];
  const side = (value: Json | undefined): JsonMap => (value === undefined ? {} : { [keyOf(edit)]: value });
  return fieldsBetween(side(edit.over.then), side(edit.now)).map((field) => ({
    ...field,
    path: [...edit.at.slice(0, -1), ...field.path],
  }));
}

function draftOf(found: AlsoLive, isKnown: (urn: string, place: string) => boolean): Start {
  const { urn, type, name, edits, digest } = found;
  const byPlace = Map.groupBy(edits.flatMap(replacedIn), ({ path }) => formatPath(path));
  const conflicts = [...byPlace].flatMap(([place, [first, ...more]]): Conflict[] => {
    if (first === undefined || isKnown(urn, place)) return [];
    const of = [first, ...more].map(({ edit }) => edit);
    return [{ urn, type, name, path: first.path, code: "edited in its draft", edits: of }];
  });
  return { urn, place: "(draft)", digest, conflicts };
}

/** Returns the inputs that the plan writes and whose texts an edit has replaced. */
function replacedIn(edit: ForeignEdit): { readonly path: Path; readonly edit: ForeignEdit }[] {
  if (edit.kind === "field" && edit.over !== undefined) return [{ path: edit.at, edit }];
  return edit.kind === "node" ? (edit.insteadOf ?? []).map((path) => ({ path, edit })) : [];
}

/** Digests the objects that a plan deletes, because the reviewer has to see their values. */
async function holdings(session: StackSession, told: Tolds): Promise<Start[]> {
  const isGoing = ({ steps }: Told): boolean => ["delete", "replace"].includes(operationOf(steps) ?? "");
  const planned = [...told.values()].filter((one) => isGoing(one) && !isRetained(one));
  if (planned.length === 0) return [];
  const reader = await session.account({ full: true, told });
  return (await Promise.all(planned.flatMap((one) => goingOf(one, reader) ?? []).map(heldNow))).flat();
}

async function heldNow({ about: { urn, type, name }, definition, run, id, state, sides }: Deletion): Promise<Start[]> {
  const object = ObjectState.fromState(definition, id, state);
  await run.accountId(object.account);
  const answer = await definition.read(run, id, ObjectState.fromState(definition, id, state));
  // Somebody has deleted it.
  if (!answer) return [];
  const conflict = { urn, type, name, code: "edited since the review" } as const;
  const { then } = await heldBy({ definition, run, object });
  const values = Object.entries(then).flatMap(([field, value]): Start[] =>
    isMap(value) ? Object.entries(value).map(([key, now]) => held([field, key], now)) : [held([field], value)],
  );
  // The value of a field is already above.
  const edits = (await waitingEdits({ definition, run }, id, state)).filter(({ kind }) => kind !== "field");
  const told = { ...conflict, edits: unsaidEdits(edits, sides) };
  const waiting = { urn, place: "(edits)", digest: editsDigest(edits), conflicts: [told] };
  const parts: Start[] = [...values, ...(edits.length === 0 ? [] : [waiting])];
  const record = (definition.shown.movedByRelease ?? []).map((output) => [output, answer[output] ?? null]);
  const whole = JSON.stringify([record, ...parts.map(({ place, digest }) => [place, digest])]);
  return [...parts, { urn, place: "(all)", digest: digestOf(whole), conflicts: [conflict], isWhole: true }];

  function held(path: readonly string[], now: Json): Start {
    const said = { ...conflict, path, now: unsaidValue(now, path, sides) };
    return { urn, place: formatPath(path), digest: digestOf(now), conflicts: [said] };
  }
}

/** 24 bits. A longer digest would let somebody guess a short text. */
function digestOf(value: Json): string {
  return createHash("sha256").update(JSON.stringify(value)).digest("base64url").slice(0, 4);
}

/** A planned deletion of an object that others may work on, too. */
type Deletion = NonNullable<ReturnType<typeof goingOf>>;

/** Returns undefined if the object stays as it is in the account. */
export function goingOf({ urn, steps, outputs, id }: Told, reader: AccountReader) {
  const op = operationOf(steps);
  const step = op === "delete" || op === "replace" ? decisive(steps, op) : undefined;
  const definition = step && definitionOf(step.type);
  const recorded = recordedAs({ urn, old: step?.old });
  const state = reader.stateOf(recorded);
  if (step === undefined || definition === undefined || definition.leaves === "in place" || state === undefined)
    return undefined;
  const inputs = step.old?.inputs ?? {};
  return {
    about: aboutOf({ urn, outputs }, step.type),
    ...{ definition, id, state },
    run: reader.of(step.provider, recorded),
    /** The reason why no undo can make it anew. */
    lost: inputs["adoptId"] === undefined ? undefined : definition.undo.lost?.(inputs),
    /** The inputs of the object that takes its place; nothing if none does. */
    becomes: op === "replace" ? splitInputs(step.new?.inputs ?? {}).inputs : {},
    /** Inputs that show which of its values are secret. */
    sides: sidesOf(steps.values()),
  };
}
