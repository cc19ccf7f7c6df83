/**
 * The writes of a pass, planned once before the first of them: every later step gets this value. It also holds all that the code says, and
 * said before, of the whole page: a leaf that says so is ours, whoever has written it there. Pure.
 */
import type { Apply, PlannedWrites } from "../../../definition/define.ts";
import type { PageLife } from "./document.ts";
import { isWhole, Ours, partsOf, withOurs } from "./ours.ts";
import { isSpecial } from "../../../definition/steady.ts";
import { leafName, shippedIn, templateTexts } from "./readings.ts";
import { unfilledTexts, valuesNow, valuesThen } from "./texts.ts";
import { changedKeys, isIgnored } from "../../../reconcile/diff.ts";
import type { ObjectState } from "../../../reconcile/object-state.ts";
import { fieldsOf } from "../../../reconcile/settled.ts";
import { filterMap, type Json, type JsonMap, mapBy, mapOf, same, snake } from "../../../values/json.ts";
import { textsOfNode } from "../../../account/builder-tree.ts";
import { render, renderAll } from "../../../values/placeholders.ts";

export interface Writes {
  /** The page as it was known before the first write. */
  readonly then: ObjectState;
  /** The values that are sent, by content key. */
  readonly content: JsonMap;
  /** Content keys that an earlier run has written and not published. They are sent again if somebody has changed them in the draft since. */
  readonly waiting: readonly string[];
  /** The values that are sent, by node id. */
  readonly nodes: JsonMap;
  /** The inputs that change the page's own record. */
  readonly record: JsonMap;
  /** The texts of the code, by content key, as the page shows them. */
  readonly said: JsonMap;
  /** The values that fill in these texts. */
  readonly values: JsonMap;
  /** Undeclared texts that are sent and that a killed run may have rendered with any values, with their placeholders. */
  readonly suspected: JsonMap;
  /** Inputs that a killed run was writing. Nobody knows how they are. */
  readonly interrupted: ReadonlySet<string>;
  /** True if the pass may change more than it names: placeholders wherever they stand, a node with all that is in it, the delay. */
  readonly broad: boolean;
  readonly ours: Ours;
  /** Values that the code changes and that somebody has changed, too: they are left alone. */
  readonly held: Readonly<Record<"content" | "nodes" | "record", readonly string[]>>;
}

type Writing = Pick<Apply<PageLife>, "now" | "changed" | "removed" | "object">;

export function planWrites(pass: Writing): Writes {
  const { now, changed, removed, object } = pass;
  const values = valuesNow(object, now.variables);
  const interrupted = object.interrupted();
  const said = ownContent(now.content, object, values);
  const due = contentUpdates(pass, values);
  const left = mapOf(object.published["content"]);
  const isWaiting = (_: Json, key: string): boolean => Object.hasOwn(left, key) && !Object.hasOwn(due, key);
  const waiting = changed.size === 0 ? {} : filterMap(said, isWaiting);
  const content = { ...due, ...waiting };
  const isUndeclared = (_: Json, key: string): boolean => !Object.hasOwn(now.content ?? {}, key);
  const nodes = changed.has("nodes") ? changedKeys(object.declared.get("nodes"), now.nodes) : {};
  return {
    then: asLeft(object, now),
    content,
    waiting: Object.keys(waiting),
    nodes,
    record: fieldsOf(
      now,
      ["name", "projectId", "publish"].filter((field) => changed.has(field)),
    ),
    said,
    values,
    suspected:
      interrupted.size === 0
        ? {}
        : filterMap(templateTexts(object), (text, key) => Object.hasOwn(content, key) && isUndeclared(text, key)),
    interrupted,
    broad:
      changed.has("variables") ||
      removed.has("variables") ||
      changed.has("delay") ||
      Object.values(nodes).some(isWhole),
    ours: oursOf(object, now, values),
    held: { content: [], nodes: [], record: [] },
  };
}

/** A refresh has learned the values of others. If the code changes such a value as well, it counts as our last run left it. */
function asLeft(object: ObjectState, now: PageLife): ObjectState {
  return (["content", "nodes"] as const).reduce((then, field) => {
    const code = mapOf(now[field]);
    const said = filterMap(mapOf(object.written.get(field)?.declared), (value, key) => !same(value, code[key]));
    if (Object.keys(said).length === 0) return then;
    const shown = field === "content" ? renderAll(said, valuesThen(object)) : said;
    return then.with((next) => {
      next.declared.set(field, { ...mapOf(next.declared.get(field)), ...said });
      next.learn({ [field]: { ...mapOf(next.answer[field]), ...shown } });
    });
  }, object);
}

/** Leaves the values that are held for others as they were, so that the next run meets the edits again. */
export function leaveHeld(object: ObjectState, field: "content" | "nodes", { held, then }: Writes): void {
  if (held[field].length === 0) return;
  const left = mapOf(then.answer[field]);
  const kept = mapBy(held[field], (key) => left[key]);
  object.learn({ [field]: { ...mapOf(object.answer[field]), ...kept } });
}

export function writesFor(object: ObjectState, change: PlannedWrites | undefined): Writes {
  const { inputs, ...planned } = change ?? NOTHING;
  return planWrites({ ...planned, now: change ? inputs : object.said(), object });
}

const NOTHING: PlannedWrites = { inputs: {}, changed: new Set(), removed: new Set() };

function contentUpdates({ now, changed, removed, object }: Writing, today: JsonMap): JsonMap {
  if (!["content", "variables"].some((field) => changed.has(field) || removed.has(field))) return {};
  const interrupted = object.interrupted();
  const then = valuesThen(object);
  const contentNow = now.content ?? {};
  const changes = changedKeys(object.declared.get("content"), contentNow);
  const unfilled = unfilledTexts(object, { ...now });
  // A killed run that changed no variable has rendered none of the texts that the code doesn't declare.
  const isAgain = (key: string): boolean =>
    interrupted.has("variables") || (Object.hasOwn(contentNow, key) && interrupted.has("content"));
  const isDue = (text: Json, key: string): boolean =>
    [changes, unfilled].some((due) => Object.hasOwn(due, key)) ||
    isAgain(key) ||
    !same(render(text, today), render(text, then));
  return renderAll(filterMap({ ...templateTexts(object), ...contentNow }, isDue), today);
}

/** Tells if a killed run may have rendered this text with values that nobody knows. */
export function isSuspected({ suspected, ours }: Writes, key: string, shown: Json): boolean {
  const text = suspected[key];
  return text !== undefined && ours.mayRender(text, shown);
}

/** Returns the content as the page shows it, without the keys that the program leaves to others. */
function ownContent(content: JsonMap = {}, { ignored }: Pick<ObjectState, "ignored">, values: JsonMap): JsonMap {
  const own = filterMap(content, (_, key) => !isIgnored(ignored, ["content", key]));
  return renderAll(own, values);
}

/** Returns the public texts that the program leaves to others. A creation writes them, too. */
function shippedOf({ answer, declared, ignored, notes }: ObjectState): JsonMap {
  const shipped = shippedIn(notes)?.fields;
  const isPublic = (value: Json, key: string): boolean => shipped?.holds(key, value) === true;
  const left = filterMap(mapOf(answer["content"]), (_, key) => isIgnored(ignored, ["content", key]));
  return declared.has("content") ? filterMap(left, isPublic) : {};
}

function oursOf(object: ObjectState, now: PageLife, today: JsonMap): Ours {
  const then = valuesThen(object);
  const declared = object.said() as PageLife;
  const held = Object.values(templateTexts(object)).flatMap((text) => [render(text, then), render(text, today)]);
  const nodes = [declared.nodes, now.nodes].flatMap((all) => Object.entries((all ?? {}) as JsonMap));
  const ours = Ours.noted(object.notes, object);
  const said = [ownContent(declared.content, object, then), ownContent(now.content, object, today)];
  for (const [key, text] of [...said, shippedOf(object)].flatMap((all) => Object.entries(all)))
    ours.addField(key, text);
  const texts = [
    ...held,
    ...nodes.flatMap(([, node]) => textsOfNode(partsOf(node))),
    ...[declared.name, now.name].flatMap((name) => name ?? []),
  ];
  for (const text of texts) ours.addText(text);
  for (const [id, node] of nodes) ours.addNode(id, node);
  for (const [name, value] of [...delayLeaves(declared), ...delayLeaves(now)]) ours.addLeaf(name, value);
  return ours;
}

/** Adds the texts that a killed run was writing to the notes: they are ours, as it rendered them. A secret among them may be any value. */
export function withBegun(object: ObjectState, asked: JsonMap): JsonMap {
  const ours = Ours.noted(object.notes, object);
  const values = { ...valuesThen(object), ...mapOf(asked["variables"]) };
  const [shown, looks] = [mapOf(object.answer["content"]), mapOf(object.answer["nodes"])];
  const texts = { ...templateTexts(object), ...mapOf(object.declared.get("content")), ...mapOf(asked["content"]) };
  for (const [name, value] of Object.entries(values)) if (isSpecial(value)) ours.addOpen(name);
  for (const [key, text] of Object.entries(texts)) {
    const live = shown[key];
    if (live !== undefined && (isSpecial(text) || ours.mayRender(text, live))) ours.addField(key, live);
    if (!isSpecial(text)) ours.addField(key, render(text, values));
  }
  for (const [id, node] of Object.entries(mapOf(asked["nodes"])))
    ours.addNode(id, isSpecial(node) ? (looks[id] ?? {}) : node);
  return withOurs(object.notes, ours);
}

/** A service that shows the delay of a page has it under one of these names at its top. */
function delayLeaves({ delay }: PageLife): [string, Json][] {
  return Object.entries(delay ?? {}).flatMap(([name, value]) =>
    ["delay", "settings/delay"].map((place): [string, Json] => [leafName("", `${place}/${snake(name)}`), value]),
  );
}
