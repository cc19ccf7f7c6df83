/** Reads from the engine's events what happens to each object: the operation, the step that knows both sides, and the fields. Pure. */
import { isRecord, isRootStack, isSecret, nameOf, type StepEventMetadata, typeOf } from "../../engine/index.ts";
import type { AnyDefinition } from "../../provider/definition/define.ts";
import { definitionOf } from "../../provider/kinds/registry.ts";
import type { Notice } from "../../provider/messages/notices.ts";
import { RefusedChangeError } from "../../provider/messages/errors.ts";
import { changesBetween, diffOf } from "../../provider/reconcile/diff.ts";
import { ObjectState, splitInputs } from "../../provider/reconcile/object-state.ts";
import { isMap, type Json, type JsonMap, mapEach, mapOf, same } from "../../provider/values/json.ts";
import type { Change, ChangeOp, Field, Reason, RenderedText, Stay, HeldBack } from "./model.ts";
import { withStaying } from "./notes.ts";
import { decisive, operationOf, shortName, type Told } from "./steps.ts";
import { fieldsOf, hiddenIn, isOwnId, isWithin, refreshedFields, shown } from "./values.ts";
import { hasUnknown, UNKNOWN, valueAt } from "../../provider/values/paths.ts";
import { unfinishedIn } from "../../provider/definition/steady.ts";

export interface Row {
  readonly told: Told;
  readonly op: ChangeOp;
  readonly step: StepEventMetadata | undefined;
  readonly fields: readonly Field[];
  /** True for an old object that a replacement of this or an earlier run left behind and that is deleted. */
  readonly isLeftover: boolean;
  /** Why it leaves its object in the account: the code declares it, its kind does it, or the deletion failed. */
  readonly stay: Stay | undefined;
  /** Edits of others kept this from it, as the run told. */
  readonly held?: Change["held"];
  /** Why it is an update if no field says so, or if it may turn out to be more. */
  readonly why?: Reason | undefined;
}

export function rowsOf(told: Told, planning: boolean, notices: readonly Notice[]): Row[] {
  if (isRootStack(told.urn)) return [];
  const kept = isKept(told, notices);
  const op = kept ? "update" : operationOf(told.steps);
  const leftovers = [...told.leftovers.values()].map((step): Row => ({
    told,
    op: "delete",
    step,
    fields: [],
    isLeftover: true,
    stay: stayOf(step, notices),
  }));
  if (op === undefined || isReleased(told)) return leftovers;
  const step = decisive(told.steps, op);
  const found = step && op !== "delete" ? fieldsIn(told, kept ? "replace" : op, step, notices) : [];
  const { held, fields = found } =
    (step && (op === "update" || op === "create") && heldBy(step, found, notices, told.id)) || {};
  const stay = op === "replace" || (op === "delete" && told.live !== null) ? stayOf(step, notices) : undefined;
  const why = op === "update" ? whyUpdated(step, fields, planning) : undefined;
  return [{ told, op, step, fields, isLeftover: false, stay, held, why }, ...leftovers];
}

/** Tells if edits of others kept an object from its replacement. To an engine it is unchanged. */
export function isKept({ urn, id, steps }: Told, notices: readonly Notice[]): boolean {
  if (!steps.has("same")) return false;
  const kind = definitionOf(typeOf(urn))?.kind;
  return notices.some((one) => one.code === "foreign-edits" && one.goes === true && one.kind === kind && one.id === id);
}

type HeldChange = Partial<Pick<Change, "held" | "fields">>;

/** Finds the notice of a run that it left values, or the publication, to somebody else. A release waits with each of its pages. */
function heldBy(
  step: StepEventMetadata,
  fields: readonly Field[],
  notices: readonly Notice[],
  id = step.old?.id,
): HeldChange | undefined {
  const { kind, gathers } = definitionOf(step.type) ?? {};
  const notice = notices.find((one) => one.code === "foreign-edits" && one.kind === kind && one.id === id);
  if (notice?.code === "foreign-edits") return notice.outcome === "held-back" ? heldIn(fields, notice) : undefined;
  const members = gathers?.memberIds(shown(step.new?.inputs ?? {}) as JsonMap) ?? [];
  const waits = notices.some(
    (one) => one.code === "foreign-edits" && one.outcome === "held-back" && members.includes(one.id),
  );
  return waits ? { held: "draft" } : undefined;
}

/** Tells which values, or which publication, a run leaves to somebody who has edited the object. */
export function heldIn(
  fields: readonly Field[],
  { edits, noDraft, goes }: Pick<HeldBack, "edits" | "noDraft" | "goes">,
): HeldChange {
  if (goes === true) return { held: "values" };
  if (noDraft !== true) return { held: "draft" };
  const keys = new Set(edits.flatMap((edit) => (edit.kind === "field" ? [edit.at[0]] : [])));
  const marked = fields.map((field): Field => {
    if (!keys.has(field.path[0])) return field;
    const edit = edits.find((one) => one.kind === "field" && isWithin(field.path, one.at));
    const now = edit?.kind === "field" ? valueAt(edit.now, field.path.slice(edit.at.length)) : undefined;
    return { ...field, held: true, ...(now !== undefined && { old: now as Json }) };
  });
  const isAll = marked.every((field) => field.held === true || field.stays === true);
  return { fields: marked, ...(isAll && { held: "values" }) };
}

/** Tells as a step ends that nothing of it became public. */
export function heldAt(step: StepEventMetadata, notices: readonly Notice[]): Change["held"] {
  return step.op === "update" ? heldBy(step, fieldsOf(step), notices)?.held : undefined;
}

/** Returns undefined if the object goes. The provider's host tells of an object that had to stay. */
export function stayOf(step: StepEventMetadata | undefined, notices: readonly Notice[]): Stay | undefined {
  if (step?.old === undefined) return undefined;
  if (step.old.retainOnDelete) return "in place";
  const definition = definitionOf(step.type);
  const { id } = step.old;
  const kept = notices.some(
    (one) =>
      one.code === "stays" &&
      one.id === id &&
      one.kind === definition?.kind &&
      [undefined, nameOf(step.urn)].includes(one.name),
  );
  return kept ? "in place" : definition?.leaves;
}

/** Tells if a refresh without a plan only found what its release has published. */
function isReleased({ urn, alone, steps, outputs }: Told): boolean {
  const { gathered, shown } = definitionOf(typeOf(urn)) ?? {};
  const update = steps.get("update");
  const moved = shown?.movedByRelease;
  if (alone !== true || gathered === undefined || moved === undefined || update === undefined) return false;
  const isMoved = outputs[gathered.draft] !== undefined;
  return isMoved && refreshedFields(update).every(({ path: [output] }) => moved.includes(String(output)));
}

function fieldsIn(told: Told, op: ChangeOp, step: StepEventMetadata, notices: readonly Notice[]): Field[] {
  const { id, alone } = told;
  const fields = alone === true ? refreshedFields(step) : fieldsOf(step);
  const moved = { type: shortName(step.type), id: step.old?.id ?? id, by: alone === true ? "app" : "code" } as const;
  const hidden = hiddenIn(moved, notices, [step.old?.inputs ?? {}, step.new?.inputs ?? {}], fields);
  const all = toldFields(step.type, [...fields, ...hidden]);
  const found = op === "update" ? all.filter((field) => !isOwnId(field)) : all;
  if (op === "replace" && operationOf(told.steps) === undefined) return withReplacing(found, step);
  // A new object keeps nothing of the old one.
  const isNew = op === "replace" && typeof (step.new ?? step.old)?.inputs["adoptId"] !== "string";
  return isNew ? found : withStaying(found, shortName(step.type), step.new?.inputs, step.old?.outputs);
}

/** Marks the fields that replace an object, where no engine tells them. */
export function withReplacing(fields: readonly Field[], { type }: StepEventMetadata): Field[] {
  const isReplacing = ({ path: [input] }: Field): boolean =>
    definitionOf(type)?.rule(String(input)).onChange === "replace";
  return fields.map((field) => (isReplacing(field) ? { ...field, replaces: true } : field));
}

/** Leaves out what a release hears from its pages. The pages tell that themselves. */
export function toldFields(type: string, fields: readonly Field[]): Field[] {
  const heard = definitionOf(type)?.gathers?.drafts;
  return fields.filter(({ path }) => heard === undefined || path[0] !== heard);
}

function whyUpdated(step: Row["step"], fields: readonly Field[], planning: boolean): Row["why"] {
  const compared = step && comparedIn(step);
  const uncertain = planning && compared ? perhaps(compared) : undefined;
  if (uncertain !== undefined) return uncertain;
  const errors = step?.old?.initErrors ?? [];
  if (errors.length > 0) return { code: "carries on", after: errors.join("; "), inputs: compared && leftIn(compared) };
  if (fields.length > 0) return undefined;
  if (isPublishing(step)) return { code: "publishes" };
  const inputs = compared && leftIn(compared);
  const record = step?.old?.outputs["__landform"];
  const { learned, unpublished } = mapOf(record);
  if (inputs === undefined && unpublished === undefined && typeof learned === "string")
    return { code: "takes edits", inputs: learned.split(" ") };
  // A run that failed has told its errors, and a killed one left another mark.
  const isHeld = unfinishedIn(record)["publish"] === "again";
  return isHeld ? { code: "publishes held" } : { code: "carries on", inputs };
}

interface Compared {
  readonly definition: AnyDefinition;
  readonly old: () => ObjectState;
  readonly inputs: JsonMap;
}

/** Returns undefined if the state doesn't tell of a run of ours. */
function comparedIn({ type, old, new: next }: StepEventMetadata): Compared | undefined {
  const definition = definitionOf(type);
  if (!definition || next === undefined || old?.outputs["__landform"] === undefined) return undefined;
  const { inputs } = splitInputs(next.inputs);
  return { definition, inputs, old: () => ObjectState.fromState(definition, old.id, old.outputs) };
}

/** The inputs that an earlier run did not finish, as its state tells. */
function leftIn({ definition, old, inputs }: Compared): string[] | undefined {
  // An engine hides secrets, so that a changed value may be none.
  const left = changesBetween(definition, old(), inputs).filter(({ kind }) => kind !== "changed");
  return left.length === 0 ? undefined : left.map(({ field }) => field);
}

/** Tells if the pages of a release change. */
function isPublishing(step: StepEventMetadata | undefined): boolean {
  const heard = step && definitionOf(step.type)?.gathers?.drafts;
  if (heard === undefined) return false;
  const [before, now] = [step?.old?.inputs[heard], step?.new?.inputs[heard]];
  // On Pulumi's engine the drafts may be secrets of a program, and nothing tells one hidden value from another. A failed run is told elsewhere.
  return isSecret(now) || !same(before, now);
}

const OTHER = "a value that is not known yet";

/** An unknown value is no reason to replace, so an engine plans an update. If the value differs, the run replaces or refuses. */
function perhaps({ definition, old, inputs }: Compared): Reason | undefined {
  const open = Object.keys(inputs).filter((field) => hasUnknown(inputs[field]));
  if (open.length === 0) return undefined;
  try {
    const { replaces } = diffOf(definition, old(), mapEach(inputs, withOthers));
    return replaces.length === 0 ? undefined : { code: "perhaps replaced", fields: [...replaces] };
  } catch (error) {
    if (!(error instanceof RefusedChangeError)) throw error;
    return { code: "perhaps refused", fields: open };
  }
}

function withOthers(value: Json): Json {
  if (value === UNKNOWN) return OTHER;
  if (Array.isArray(value)) return value.map(withOthers);
  return isMap(value) ? mapEach(value, withOthers) : value;
}

/** Returns the changed texts as visitors see them, if they exist before and after. `object`: adds texts that only the state has. */
export function renderedIn(step: StepEventMetadata | undefined, object?: ObjectState): Pick<Change, "rendered"> {
  const render = step && definitionOf(step.type)?.plan.rendered;
  const [old, now] = [step?.old?.inputs, step?.new?.inputs];
  if (render === undefined || old === undefined || now === undefined) return {};
  const [before, after] = [old, now].map((inputs) => render(shown(inputs) as JsonMap, object));
  const rendered = Object.entries(after ?? {}).flatMap(([input, texts]) => {
    const then = before?.[input];
    if (!isRecord(texts) || !isRecord(then)) return [];
    return Object.entries(texts).flatMap(([key, text]): RenderedText[] => {
      const was = then[key];
      return typeof text === "string" && typeof was === "string" && text !== was
        ? [{ path: [input, key], old: was, new: text }]
        : [];
    });
  });
  return rendered.length === 0 ? {} : { rendered };
}
