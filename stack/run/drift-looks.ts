/** Finds drift, and drafts that others work on: these are news and no drift. It only reads. */
import { waitingEdits } from "../../provider/reconcile/foreign-edits.ts";
import { reasonOf } from "../../provider/values/wording.ts";
import { definitionOf } from "../../provider/kinds/registry.ts";
import { containsSecret, nameOf, type PropertyMap, type ResourceState, typeOf } from "../../engine/index.ts";
import { movedSince, ObjectState, splitInputs } from "../../provider/reconcile/object-state.ts";
import { declaredIn, isOfInterrupted, whoMoved } from "../report/drift.ts";
import {
  type Drift,
  type DriftField,
  type Report,
  SECRET,
  withFound,
  type DraftOfOthers,
  type Warning,
} from "../report/model.ts";
import { isWithin, sidesOf, unsaidEdits, valueAt, visible } from "../report/values.ts";
import {
  aboutOf,
  asWritten,
  plain,
  recordedAs,
  shortName,
  type Told,
  unaskedEdits,
  urlOf,
  withLeft,
} from "../report/steps.ts";
import type { AccountReader } from "./account-reader.ts";
import { withUnfinishedReleases } from "./releases.ts";
import type { Ran, StackSession } from "./session.ts";
import { mapOf, same } from "../../provider/values/json.ts";

/** A preview that looks at the existing objects first knows all three sides. */
export async function driftOf(
  session: StackSession,
  { full }: { full?: true },
): Promise<Pick<Ran, "report" | "preview">> {
  const planned = await session.run("drift", { kind: "preview", refresh: true, full }, { quiet: true });
  const whole = { ...planned, report: await withUnfinishedReleases(session, planned) };
  const written = { ...whole, report: await withWritten(session, whole) };
  const ran = { ...written, report: session.redactor.value(withUnfilled(written)) };
  return { ...ran, report: await withDrafts(session, ran, { full }) };
}

/** Adds the drafts that others work on, of pages that the refresh saw edited since their publication. `full`: of every page. */
async function withDrafts(session: StackSession, { report, preview }: Ran, { full }: { full?: true }): Promise<Report> {
  const published = [...preview.told.values()].filter(({ outputs }) => urlOf(outputs) !== undefined);
  const edited = published.filter(({ outputs }) => full === true || outputs["hasUnpublishedChanges"] === true);
  if (report.result !== "succeeded" || edited.length === 0) return report;
  const reader = await session.account({ told: preview.told });
  const looks = await Promise.all(edited.map((told) => draftOf(reader, told)));
  const found = looks.flatMap((one) => (one && "edits" in one ? [session.redactor.value(one)] : []));
  const drift = (report.drift ?? []).map((one) => withUnpublished(one, found));
  const drafts = found.flatMap((one) => besides(one, drift));
  const unasked = looks.flatMap((one) => (one && "text" in one ? [one] : []));
  return withFound({ ...report, drift, drafts }, "drafts", [...unasked, ...reader.warnings]);
}

async function draftOf(reader: AccountReader, told: Told): Promise<DraftOfOthers | Warning | undefined> {
  const { urn, steps, id } = told;
  const [step] = steps.values();
  const definition = step && definitionOf(step.type);
  const state = step && reader.stateOf(recordedAs(step), id);
  if (step === undefined || definition?.plan.foreignEdits === undefined || state === undefined) return undefined;
  try {
    const waiting = await waitingEdits({ definition, run: reader.of(step.provider, recordedAs(step)) }, id, state);
    const edits = waiting.filter((edit) => edit.kind !== "field" || !isOfInterrupted(told, edit.at, edit.now));
    return { ...aboutOf(told, step.type), edits: unsaidEdits(edits, sidesOf(steps.values())) };
  } catch (error) {
    return unaskedEdits(urn, reasonOf(error));
  }
}

/**
 * The state has the values that the last run was asked for, or, after a failed run, those from before it. Those that a run held back were
 * never written. Those that an interrupted run wrote are in no state.
 */
async function withWritten(session: StackSession, { report, preview }: Ran): Promise<Report> {
  const { drift = [] } = report;
  const isConcerned = drift.some(({ fields }) => fields.length > 0);
  const states = (isConcerned ? await session.engine.states() : undefined) ?? [];
  const written = new Map(states.map((state) => [state.urn, writtenIn(state)]));
  const left = drift.flatMap((one) => asLeft(one, written.get(one.urn), preview.told.get(one.urn)));
  return { ...report, drift: session.redactor.value(left) };
}

interface Written {
  readonly inputs: PropertyMap;
  /** The inputs that a failed run did not finish; undefined if the last run did not fail. */
  readonly unfinished?: string[];
}

/** A failed run has written what its object declares. The inputs have the marks of secrets. */
function writtenIn(state: ResourceState): Written {
  const { type, id = "", inputs = {}, outputs, initErrors = [] } = state;
  const definition = definitionOf(type);
  if (definition === undefined) return { inputs: visible(inputs) };
  const left = movedSince(definition, plain(outputs));
  if (initErrors.length === 0) return { inputs: visible(withLeft(asWritten(state).inputs ?? {}, left)) };
  const { declared, unfinished } = ObjectState.fromState(definition, id, plain(outputs));
  const open = [...declared].filter(([field]) => !containsSecret(inputs[field] ?? null));
  return { inputs: visible({ ...inputs, ...Object.fromEntries(open) }), unfinished: [...unfinished.keys()] };
}

function asLeft(drift: Drift, written: Written | undefined, told: Told | undefined): Drift[] {
  if (written === undefined || drift.fields.length === 0) return [drift];
  const fields = drift.fields.flatMap((field): DriftField[] => {
    const then = field.lastRun === SECRET ? undefined : valueAt(written.inputs, field.path);
    if (then === undefined || (told && isOfInterrupted(told, field.path, field.live))) return [field];
    // Nobody has changed it since.
    const live = same(field.lastRun, field.live) ? then : field.live;
    return same(then, live) && same(then, field.code) ? [] : [{ ...field, lastRun: then, live }];
  });
  const isEdited = fields.some((field) => whoMoved(field) !== "code");
  if (fields.length > 0)
    return [{ ...drift, fields, kind: drift.kind === "changed" && !isEdited ? "unsettled" : drift.kind }];
  const { unfinished: inputs } = written;
  return inputs === undefined ? [] : [{ ...drift, fields, kind: "unfinished", ...(inputs.length > 0 && { inputs }) }];
}

/** Adds texts that the account shows without the values of their variables: no comparison of texts tells them from those of the code. */
function withUnfilled({ report, preview }: Pick<Ran, "report" | "preview">): Report {
  const { drift = [] } = report;
  const rows = new Map(drift.map((one) => [one.urn, one]));
  for (const told of preview.told.values()) {
    const known = rows.get(told.urn)?.fields ?? [];
    const fields = unfilledIn(told).filter(({ path }) => !known.some((one) => isWithin(path, one.path)));
    if (fields.length === 0) continue;
    const { urn, id } = told;
    const about = { urn, type: shortName(typeOf(urn)), name: nameOf(urn), ...(id !== "" && { id }) };
    rows.set(urn, { ...about, kind: "changed", fields: [...known, ...fields] });
  }
  return { ...report, drift: [...rows.values()] };
}

function unfilledIn(told: Told): DriftField[] {
  const { live, id, outputs } = told;
  const [definition, code] = [definitionOf(typeOf(told.urn)), declaredIn(told)];
  if (definition?.plan.unfilled === undefined || !live || code === undefined) return [];
  const { inputs, ignored } = splitInputs(plain(code));
  const object = ObjectState.fromState(definition, id, plain(outputs));
  object.ignored = ignored;
  const [then, now] = [live.before, code].map((side) => definition.plan.rendered?.(visible(side)) ?? {});
  return Object.entries(definition.plan.unfilled(object, inputs)).flatMap(([input, texts]) =>
    Object.keys(mapOf(texts)).map((key): DriftField => {
      const path = [input, key];
      const [lastRun, shows, says] = [then, outputs, now].map((side) => valueAt(side ?? {}, path));
      return { path, lastRun, live: shows, code: says };
    }),
  );
}

/** Marks the edits that wait in a draft: visitors don't get them yet. */
function withUnpublished(drift: Drift, drafts: readonly DraftOfOthers[]): Drift {
  const { edits = [] } = drafts.find(({ urn }) => urn === drift.urn) ?? {};
  const isWaiting = ({ path }: DriftField): boolean =>
    edits.some((edit) => edit.kind === "field" && isWithin(path, edit.at));
  return {
    ...drift,
    fields: drift.fields.map((field) => (isWaiting(field) ? { ...field, unpublished: true as const } : field)),
  };
}

function besides(draft: DraftOfOthers, drift: readonly Drift[]): DraftOfOthers[] {
  const { fields = [] } = drift.find(({ urn }) => urn === draft.urn) ?? {};
  const edits = draft.edits.filter(
    (edit) => edit.kind !== "field" || !fields.some(({ path }) => isWithin(path, edit.at)),
  );
  return edits.length === 0 ? [] : [{ ...draft, edits }];
}
