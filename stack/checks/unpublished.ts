/**
 * Finds changes that the engine doesn't see. An earlier run may have held them back: values that are public otherwise than the code says,
 * and values of kinds without a draft. A changed variable also changes texts that nobody declared.
 */
import { DESTROYS } from "../intents.ts";
import { nameOf, type PropertyMap, typeOf } from "../../engine/index.ts";
import { isHidden } from "../report/text.ts";
import { fieldsBetween, hiddenField, overlaps, unsaidFields, valueAt, visible } from "../report/values.ts";
import { decisive, operationOf, type Told, wantedOf } from "../report/steps.ts";
import type { Learned } from "../report/decide.ts";
import { isCarriedOn } from "../report/learned.ts";
import type { AlsoLive, Change, Field, RenderedText } from "../report/model.ts";
import { definitionOf } from "../../provider/kinds/registry.ts";
import { ObjectState, splitInputs } from "../../provider/reconcile/object-state.ts";
import { changesBetween, withIgnored } from "../../provider/reconcile/diff.ts";
import { heldInputs } from "../../provider/reconcile/foreign-edits.ts";
import { type JsonMap, mapBy, same, text } from "../../provider/values/json.ts";
import { withStaying } from "../report/notes.ts";
import { heldIn, renderedIn, withReplacing } from "../report/rows.ts";
import { releasedBy } from "../run/releases.ts";
import type { AccountReader } from "../run/account-reader.ts";
import { type Check, since } from "./check.ts";

export const unpublished: Check = {
  name: "unpublished",
  not: since("it updates no page, and publishes none", ...DESTROYS),
  run: async ({ ran: { preview }, reader, session }, report) => {
    const updated = report.changes.filter(({ op }) => op === "update" || op === "replace");
    if (report.result !== "succeeded" || updated.length === 0) return {};
    const states = await reader();
    const { alsoLive = [] } = report.impact ?? {};
    const rows = updated.flatMap((change) => {
      const told = preview.told.get(change.urn);
      const asked = told && askedBefore(change, told, states);
      const known = told && (learnedOf(asked === undefined ? change : { ...change, ...asked }, told, states) ?? asked);
      const others = alsoLive.find(({ urn }) => urn === change.urn);
      const learned = others && told ? (withEdited({ ...change, ...known }, others, told) ?? known) : known;
      const held = others?.policy === "hold" ? heldIn(learned?.fields ?? change.fields, others) : undefined;
      const released = told ? releasedFields(told, preview.told, states) : [];
      const fields = released.length > 0 && { fields: [...(learned?.fields ?? change.fields), ...released] };
      const rendered = told && renderedOf(learned?.rendered, renderedAnew(change, told, states));
      const all = { ...learned, ...held, ...fields, ...rendered };
      return Object.keys(all).length === 0 ? [] : [[change.urn, session.redactor.value(all)] as const];
    });
    return { rows: new Map(rows) };
  },
};

/** Returns the texts that a changed variable changes for visitors, with those that only the state knows. */
function renderedAnew({ op, fields }: Change, { steps, id }: Told, states: AccountReader): Pick<Learned, "rendered"> {
  const step = decisive(steps, op);
  const definition = step && definitionOf(step.type);
  const state = step?.old && states.stateOf(step.old.urn);
  if (op !== "update" || definition === undefined || state === undefined) return {};
  if (!fields.some(({ path }) => path[0] === "variables")) return {};
  return renderedIn(step, ObjectState.fromState(definition, id, state));
}

/** Visitors see the published text until now. */
function renderedOf(
  published: readonly RenderedText[] = [],
  { rendered = [] }: Pick<Learned, "rendered">,
): Pick<Learned, "rendered"> {
  const others = rendered.filter(({ path }) => !published.some((one) => same(one.path, path)));
  return published.length + others.length === 0 ? {} : { rendered: [...others, ...published] };
}

/** Texts of the template are no fields of the code. */
function learnedOf(change: Change, told: Told, states: AccountReader): Learned | undefined {
  const found = publishedIn(told, states);
  const isDeclared = ({ path }: Field): boolean => valueAt(wantedOf(told)?.inputs ?? {}, path) !== undefined;
  const [fields, texts] = [found.filter(isDeclared), found.filter((field) => !isDeclared(field))];
  if (found.length === 0) return undefined;
  const rendered = texts.map(({ path, old, new: now }) => ({ path, old: text(old), new: text(now) }));
  return { ...(fields.length > 0 && withPublished(change, fields, told)), ...(rendered.length > 0 && { rendered }) };
}

/** The engine compares the code with the values that the last run was asked for, and not with those that it wrote. */
function askedBefore(change: Change, { steps, id }: Told, states: AccountReader): Learned | undefined {
  const step = decisive(steps, change.op);
  const definition = step && definitionOf(step.type);
  const record = step?.old && states.recordOf(step.old.urn);
  if (step?.new === undefined || definition === undefined || record === undefined || steps.has("refresh"))
    return undefined;
  const held = heldInputs(definition, record as Parameters<typeof heldInputs>[1]);
  if (held.size === 0) return undefined;
  const { inputs: given, ignored } = splitInputs(step.new.inputs);
  const old = ObjectState.fromState(definition, id, (record.outputs ?? {}) as JsonMap);
  const inputs = withIgnored(given, old.declared, ignored);
  const isReplaced = change.op === "replace" || change.held === "values";
  const changed = changesBetween(definition, old, inputs).map(({ field }) => field);
  const due = isReplaced ? [...held.keys()] : changed.filter((field) => held.has(field));
  const [then, now] = [(field: string) => held.get(field), (field: string) => inputs[field]].map((of) =>
    mapBy(due, of),
  );
  const found = shownBetween([step.old?.inputs ?? {}, step.new.inputs], then ?? {}, now ?? {});
  const fields = [...change.fields.filter(({ path }) => !overlaps(found, path)), ...found];
  const all = isReplaced ? withReplacing(fields, step) : withStaying(fields, change.type, inputs);
  return { fields: all, ...(isCarriedOn(change) && { reason: undefined }) };
}

function publishedIn({ steps, id }: Told, states: AccountReader): Field[] {
  const op = operationOf(steps);
  const step = op && decisive(steps, op);
  const definition = step && definitionOf(step.type);
  const state = step?.old && states.stateOf(step.old.urn);
  if (step?.new === undefined || definition?.plan.unpublished === undefined || state === undefined) return [];
  const object = ObjectState.fromState(definition, id, state);
  // A text that holds a secret is filled in with its mark.
  const [inputs, { ignored }] = [visible(step.new.inputs), splitInputs(step.new.inputs)];
  object.ignored = ignored;
  const before = steps.get("refresh")?.old?.outputs;
  const found = before && { before, after: step.old?.outputs ?? {} };
  const { then, now } = definition.plan.unpublished(object, withIgnored(inputs, object.declared, ignored), found);
  return shownBetween([step.old?.inputs ?? {}, step.new.inputs], then, now);
}

/** Adds the values of others that the plan writes over, and that no other part of the plan tells: an earlier run has left them. */
function withEdited(change: Change, { edits }: Pick<AlsoLive, "edits">, { steps }: Told): Learned | undefined {
  const inputs = decisive(steps, change.op)?.new?.inputs;
  if (change.op !== "update" || inputs === undefined) return undefined;
  const left = edits.flatMap((edit): Field[] => {
    const now = edit.kind === "field" && edit.over !== undefined ? valueAt(inputs, edit.at) : undefined;
    if (edit.kind !== "field" || now === undefined || overlaps(change.fields, edit.at)) return [];
    return [isHidden(now) ? hiddenField(edit.at) : { path: edit.at, kind: "update", old: edit.now, new: now }];
  });
  if (left.length === 0) return undefined;
  return { fields: [...change.fields, ...left], ...(isCarriedOn(change) && { reason: undefined }) };
}

/** Returns the changes of pages that a release publishes as an earlier run left them. */
function releasedFields(release: Told, told: ReadonlyMap<string, Told>, states: AccountReader): Field[] {
  const { members = "" } = definitionOf(typeOf(release.urn))?.gathers ?? {};
  return releasedBy(release, told, (urn) => states.stateOf(urn)).flatMap((page) =>
    waitingIn(page, states).map((field) => ({ ...field, path: [members, nameOf(page.urn), ...field.path] })),
  );
}

function waitingIn({ urn, steps }: Told, states: AccountReader): Field[] {
  const [step] = steps.values();
  const values = definitionOf(typeOf(urn))?.gathered?.valuesIn(states.stateOf(step?.old?.urn ?? urn) ?? {});
  return values === undefined ? [] : shownBetween([step?.old?.inputs ?? {}], values.then, values.now);
}

function shownBetween(sides: readonly PropertyMap[], then: PropertyMap, now: PropertyMap): Field[] {
  return unsaidFields(fieldsBetween(then, now), sides);
}

function withPublished(change: Change, found: readonly Field[], { steps }: Told): Learned {
  const others = change.fields.filter(({ path }) => !overlaps(found, path));
  const fields = [...others, ...found];
  if (!isCarriedOn(change)) return { fields };
  const draft = decisive(steps, change.op)?.old?.outputs ?? {};
  const paths = found.filter(({ path, new: said }) => same(valueAt(draft, path), said)).map(({ path }) => path);
  return { fields, reason: paths.length === 0 ? undefined : { code: "publishes edits", paths } };
}
