/** What a pass writes to a page's draft by itself. */
import type { Apply } from "../../../definition/define.ts";
import { isMap, mapOf, same, type Json, type JsonMap } from "../../../values/json.ts";
import { changedKeys } from "../../../reconcile/diff.ts";
import { withoutMarkerOf } from "../../../reconcile/identity.ts";
import { isIgnored } from "../../../reconcile/ignored.ts";
import type { ObjectState } from "../../../reconcile/object-state.ts";
import { mayComeOf } from "../../../account/spelling.ts";
import type { ContentFields } from "../../../account/content-map.ts";
import { doubtfulTexts, isEdited, plannedUpdates } from "../content.ts";
import { valuesNow, valuesThen } from "../kept-values.ts";
import { render } from "../variables.ts";
import type { NodeInput, PageLife } from "../declared.ts";
import { valueText, type Marks } from "./footprint.ts";
import { takenOver } from "./taken-over.ts";
import type { OwnWrites } from "./foreign-edits.ts";
import type { PageLook } from "./page-look.ts";

export interface PassWrites extends OwnWrites {
  /** By node id, what is patched of the node: the rest of it is not this pass's. */
  readonly patches: JsonMap;
  /** Values by content key. */
  readonly sent: JsonMap;
  /** What the code says under each content key, as the page shows it: also what somebody wrote first and the code took over. */
  readonly said: JsonMap;
  /** By content key, the texts that are sent for no other reason than that a killed run may have rendered them. */
  readonly doubtful: JsonMap;
  /** Replaces placeholders wherever they stand. */
  readonly variables: JsonMap;
  /** It may change more than it names: placeholders wherever they stand, a node with all that is in it, the delay. */
  readonly broad: boolean;
}

export const NO_WRITES: PassWrites = {
  keys: new Set(),
  nodeIds: new Set(),
  values: [],
  patches: {},
  sent: {},
  said: {},
  doubtful: {},
  variables: {},
  broad: false,
};

type Writing = Pick<Apply<PageLife>, "now" | "changed" | "removed" | "object">;

export function writesOf(pass: Writing): PassWrites {
  const { now, changed, removed, object } = pass;
  const updates = plannedUpdates(pass);
  const nodes = changed.has("nodes") ? changedKeys(object.declared.get("nodes"), now.nodes as Json | undefined) : {};
  const overtaken = takenOver(object, now as JsonMap)["nodes"];
  const nodeIds = [...Object.keys(nodes), ...Object.keys(isMap(overtaken) ? overtaken : {})];
  const name: Json[] = changed.has("name") && now.name !== undefined ? [now.name] : [];
  return {
    keys: new Set(Object.keys(updates)),
    nodeIds: new Set(nodeIds.length === 0 ? [] : [...nodeIds, ""]),
    values: [...Object.values(updates), ...name],
    patches: Object.fromEntries(nodeIds.flatMap((id) => patchOf(id, now.nodes?.[id]))),
    sent: updates,
    said: shown(ownContent(now.content, object), valuesNow(object, now.variables)),
    doubtful: doubtfulTexts(pass, Object.keys(updates)),
    variables: changed.has("variables") ? (now.variables ?? {}) : {},
    broad:
      changed.has("variables") ||
      removed.has("variables") ||
      changed.has("delay") ||
      nodeIds.some((id) => "node" in (now.nodes?.[id] ?? {})),
  };
}

/** Without what the program leaves to others. */
function ownContent(content: JsonMap = {}, { ignored }: Pick<ObjectState, "ignored">): JsonMap {
  if (ignored.length === 0) return content;
  return Object.fromEntries(Object.entries(content).filter(([key]) => !isIgnored(ignored, ["content", key])));
}

function patchOf(id: string, node: NodeInput | undefined): [string, Json][] {
  return node === undefined || "node" in node ? [] : [[id, node as JsonMap]];
}

type Declared = Partial<Record<"content" | "nodes", JsonMap>>;
type Known = Pick<ObjectState, "declared" | "notes">;

/** What an earlier pass declared and may have written before an error ended it. */
export function withDeclared(own: PassWrites, object: Known): PassWrites {
  const { content = {}, nodes = {} } = Object.fromEntries(object.declared) as Declared;
  const nodeIds = Object.keys(nodes);
  return {
    ...own,
    values: [...own.values, ...declaredTexts(object)],
    keys: new Set([...own.keys, ...Object.keys(content)]),
    nodeIds: new Set([...own.nodeIds, ...nodeIds, ...(nodeIds.length > 0 ? [""] : [])]),
  };
}

/** What an earlier pass wrote, and the look after it didn't show yet; also by the fields that are as we left them. */
export function withLate(own: PassWrites, object: Known, { fields }: PageLook, known: Marks): PassWrites {
  const left = [...(fields ?? [])].flatMap(([key, value]) =>
    value !== undefined && known.holds(key, valueText(value)) ? [value] : [],
  );
  return { ...own, values: [...own.values, ...declaredTexts(object), ...left] };
}

/** A draft that holds what the code says, whoever wrote it there: that was reviewed with the code. */
export function withSaid(own: PassWrites, { fields }: PageLook): PassWrites {
  const held = [...(fields ?? [])].filter(
    ([key, value]) => Object.hasOwn(own.said, key) && value !== undefined && valueText(value) === saidText(own, key),
  );
  return {
    ...own,
    keys: new Set([...own.keys, ...held.map(([key]) => key)]),
    values: [...own.values, ...held.map(([key]) => own.said[key] ?? null)],
  };
}

/** What somebody has made of such a text since is no write of ours. */
export function withoutEdited(own: PassWrites, { fields }: PageLook): PassWrites {
  const edited = Object.keys(own.doubtful).filter((key) => isEdited(own.doubtful[key], fields?.get(key)));
  return { ...own, keys: new Set([...own.keys].filter((key) => !edited.includes(key))) };
}

export function saidText({ said }: PassWrites, key: string): string {
  return valueText(said[key] ?? null);
}

/** Of which the page shows what the code says, as far as anybody can tell. */
export function keysSaid({ said }: PassWrites, fields: ContentFields): string[] {
  return Object.entries(said).flatMap(([key, text]) => {
    const shown = fields.value(key);
    return same(shown, text) || (text !== "" && shown !== undefined && mayComeOf(text, shown)) ? [key] : [];
  });
}

function declaredTexts(object: Known): Json[] {
  return Object.values(textsDeclared(object));
}

/** By content key. */
export function textsDeclared(object: Known): JsonMap {
  const { content = {} } = Object.fromEntries(object.declared) as Declared;
  return shown(content, valuesThen(object));
}

/** As the page shows them. */
function shown(content: JsonMap, values: JsonMap): JsonMap {
  return Object.fromEntries(Object.entries(content).map(([key, value]) => [key, render(value, values)]));
}

/** What a write of ours has put in the place of what was published. */
export interface Written {
  readonly now: Json;
  readonly then: Json;
}

/** As far as it is known: what is sent, or shown of it, or was declared by a run that failed, and all that it may have been before. */
export function writtenBy(
  own: PassWrites,
  object: Known & Pick<ObjectState, "answer" | "edited">,
  look: PageLook,
): Written[] {
  const declared = textsDeclared(object);
  const values = valuesThen(object);
  const texts = mapOf(object.notes["texts"]);
  return [...own.keys].flatMap((key) => {
    const now = [own.sent[key], look.fields?.get(key), declared[key]];
    const known = [object.answer, object.edited].map(({ content }) => mapOf(content)[key]);
    const then = [...known, declared[key], render(texts[key] ?? null, values), ...Object.values(values)];
    return pairs(now, then);
  });
}

function pairs(now: readonly (Json | undefined)[], then: readonly (Json | undefined)[]): Written[] {
  const [all, former] = [now, then].map((values) => values.filter((value) => value !== undefined && value !== null));
  return (all ?? []).flatMap((one) => (former ?? []).map((other) => ({ now: one, then: other })));
}

/** Fields that hold this object's marker are cleaned before they are public. */
export function withMarked(own: PassWrites, { fields }: PageLook, identity: string | undefined): PassWrites {
  if (identity === undefined) return own;
  const isMarked = (value: Json | undefined): boolean =>
    typeof value === "string" && withoutMarkerOf(identity, value) !== value;
  const keys = [...(fields ?? [])].flatMap(([key, value]) => (isMarked(value) ? [key] : []));
  return { ...own, keys: new Set([...own.keys, ...keys]) };
}
