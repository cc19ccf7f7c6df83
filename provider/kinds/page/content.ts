/**
 * Content and variables of a page. Variables are one-way on the wire: once {{name}} is replaced, the page has forgotten
 * it. Here the texts that held a placeholder are kept (declared ones as declared, the template's in the notes), so that
 * a changed value renders them again.
 */
import type { LandformApi } from "../../api/index.ts";
import type { PageContent } from "../../api/records.ts";
import type { Apply } from "../../definition/define.ts";
import { isMap, mapOf, same, type Json, type JsonMap } from "../../values/json.ts";
import { changedKeys } from "../../reconcile/diff.ts";
import { ApplyError } from "../../messages/errors.ts";
import { nearest } from "../../values/nearest.ts";
import type { ObjectState } from "../../reconcile/object-state.ts";
import { UNKNOWN } from "../../values/unknown.ts";
import type { RunContext } from "../../reconcile/run-context.ts";
import { DRAFT } from "./release-draft-name.ts";
import { ContentFields } from "../../account/content-map.ts";
import { fieldsMove, fieldsNow, type PageFields } from "./page-fields.ts";
import { noteSent, onceOurs } from "./edited-meanwhile.ts";
import { onceTextsMoved } from "./unmoved-texts.ts";
import { elsewhereIn, mayBeOpen } from "./placeholder-notes.ts";
import type { ContentInputs } from "./declared.ts";
import { refuseBlindRendering, replaceRest } from "./placeholders.ts";
import { valuesNow, valuesThen } from "./kept-values.ts";
import { isRenderedFrom, placeholdersIn, render } from "./variables.ts";

/** What there is to render: declared then and now, with the texts of the page that held placeholders. */
export interface Rendering {
  readonly contentThen: JsonMap;
  readonly contentNow: JsonMap;
  readonly variablesThen: JsonMap;
  readonly variablesNow: JsonMap;
  readonly texts: JsonMap;
  /** Nobody knows which of them the page has: each is to be sent that it doesn't show, of those declared, and of the rest. */
  readonly again?: { readonly declared: boolean; readonly rest: boolean };
}

/** Pure: the content keys to send, with their rendered values. */
export function contentUpdates(rendering: Rendering): JsonMap {
  const { contentThen, contentNow, variablesThen, variablesNow, texts, again } = rendering;
  const updates: JsonMap = {};
  // A variable that is no longer declared stays as it is.
  const known = { ...variablesThen, ...variablesNow };
  for (const [key, value] of Object.entries(changedKeys(contentThen, contentNow))) updates[key] = render(value, known);
  for (const [key, value] of Object.entries({ ...texts, ...contentNow })) {
    if (Object.hasOwn(updates, key)) continue;
    const rendered = render(value, known);
    const isAgain = Object.hasOwn(contentNow, key) ? again?.declared : again?.rest;
    if (isAgain === true || !same(rendered, render(value, variablesThen))) updates[key] = rendered;
  }
  return updates;
}

/** True where what the page shows afterwards is learned; of a public page that is read later. */
export async function applyContent(pass: Apply<ContentInputs>): Promise<boolean> {
  const { now, changed, removed, object } = pass;
  const variablesChange = changed.has("variables");
  if (removed.has("content")) Reflect.deleteProperty(object.answer, "content");
  if (!changed.has("content") && !variablesChange) return false;
  const contentThen = mapOf(object.declared.get("content"));
  const before = variablesChange || isDoubtful(object) ? await fieldsNow(pass) : undefined;
  const texts = mapOf(object.notes["texts"]);
  const updates = plannedUpdates(pass);
  if (before) refuseBlindRendering(pass, before, Object.keys(updates));
  // A map of what is public says nothing of the draft that a killed run has written.
  const sure = isDoubtful(object) ? Object.keys(now.content ?? {}) : [];
  const due = before ? withoutEqual(withoutEdited(pass, updates, before.fields), before.fields, sure) : updates;
  if (Object.keys(due).length > 0) await sendContent(pass, due, contentThen);
  object.declare("content", now.content);
  if (before) await replaceRest(pass, before, { ...texts });
  if (!now.content) return false;
  // Until it was read back, nothing is known that an edit by hand could be told by.
  object.redo.add("content");
  // Once it is public, the content map may be of what is live: it is looked at after the publication.
  if (now.publish !== undefined && object.answer["status"] === "published") return false;
  const sent = Object.keys(updates);
  // Of a public page the map may be of what is live.
  const shows = sent.length > 0 && object.answer["status"] !== "published";
  const moved = shows ? await onceTextsMoved(pass, sent, await fieldsNow(pass)) : undefined;
  await learnContent(pass, sent, moved && (await onceOurs(pass, moved)));
  return true;
}

/** What this pass sends of the content, as it stands before it has sent anything. */
export function plannedUpdates({
  now,
  changed,
  removed,
  object,
}: Pick<Apply<ContentInputs>, "now" | "changed" | "removed" | "object">): JsonMap {
  if (!["content", "variables"].some((field) => changed.has(field) || removed.has(field))) return {};
  return contentUpdates({
    contentThen: mapOf(object.declared.get("content")),
    contentNow: now.content ?? {},
    variablesThen: valuesThen(object),
    variablesNow: now.variables ?? {},
    texts: mapOf(object.notes["texts"]),
    // A killed run that changed no variable has rendered none of the texts that are nobody's.
    again: { declared: isDoubtful(object), rest: object.doubtful.has("variables") },
  });
}

function isDoubtful({ doubtful }: ObjectState): boolean {
  return doubtful.has("content") || doubtful.has("variables");
}

/**
 * Pure: whether the page shows what is declared now, though it is declared otherwise than it was: a text that comes out as
 * it is live, or a variable that no text holds.
 */
export function showsAlready(field: string, old: ObjectState, now: JsonMap): boolean {
  const [content, variables] = [mapOf(now["content"]), valuesNow(old, now["variables"])];
  // What the service shows of a page whose draft is not published may be the one or the other.
  const isDrafted = old.redo.has("publish") || old.answer[DRAFT] !== undefined;
  if (field === "content") return isMap(now["content"]) && !isDrafted && contentIsLive(old, content, variables);
  if (field === "publish")
    return isPublishedAlike(old.declared.get("publish"), now["publish"], old.answer["status"] === "published");
  if (field !== "variables" || now["variables"] === UNKNOWN) return false;
  const isPublic = old.answer["status"] === "published";
  if (!isPublic && mayBeOpen(Object.keys(mapOf(now["variables"])), old.notes, old.answer["updatedAt"])) return false;
  const variablesThen = valuesThen(old);
  // That the old value stays there is for the apply to say.
  if (elsewhereIn(old.notes).some((name) => !same(variables[name] ?? null, variablesThen[name] ?? null))) return false;
  const texts = { ...mapOf(old.notes["texts"]), ...mapOf(old.declared.get("content")), ...content };
  return Object.values(texts).every((text) => same(render(text, variablesThen), render(text, variables)));
}

/** To look at the public page changes nothing on it, nor does a release that a public page comes into. */
function isPublishedAlike(then: Json | undefined, now: Json | undefined, isPublic: boolean): boolean {
  if (!isMap(then) || !isMap(now)) return false;
  const leaves = then["release"] !== undefined && now["release"] === undefined;
  const comes = then["release"] === undefined && now["release"] !== undefined;
  if (leaves || (comes && !isPublic)) return false;
  const beside = { verify: null, release: null };
  return same({ ...then, ...beside }, { ...now, ...beside });
}

function contentIsLive(old: ObjectState, content: JsonMap, variables: JsonMap): boolean {
  const then = mapOf(old.declared.get("content"));
  const live = mapOf(old.answer["content"]);
  if (Object.keys(then).some((key) => !Object.hasOwn(content, key))) return false;
  return Object.entries(content).every(([key, value]) => {
    const declared = Object.hasOwn(then, key) && same(then[key], value);
    return declared || (Object.hasOwn(live, key) && same(live[key], render(value, variables)));
  });
}

function withoutEdited(
  pass: Pick<Apply<ContentInputs>, "now" | "object">,
  updates: JsonMap,
  fields: ContentFields,
): JsonMap {
  const texts = doubtfulTexts(pass, Object.keys(updates));
  return Object.fromEntries(Object.entries(updates).filter(([key]) => !isEdited(texts[key], fields.value(key))));
}

/** Texts of the page, as they were before placeholders went, that are rendered anew for no other reason than that a killed run may have. */
export function doubtfulTexts({ now, object }: Pick<Apply<ContentInputs>, "now" | "object">, sent: string[]): JsonMap {
  const texts = mapOf(object.notes["texts"]);
  const [then, today] = [valuesThen(object), { ...valuesThen(object), ...now.variables }];
  const keys = sent.filter((key) => Object.hasOwn(texts, key) && !Object.hasOwn(now.content ?? {}, key));
  const found = keys.flatMap((key): [string, Json][] => {
    const text = texts[key] ?? null;
    return same(render(text, then), render(text, today)) ? [[key, text]] : [];
  });
  return Object.fromEntries(found);
}

/** What such a text can't come to, whatever the values are, somebody has written. */
export function isEdited(text: Json | undefined, shown: Json | undefined): boolean {
  return text !== undefined && shown !== undefined && !isRenderedFrom(text, shown);
}

/** What the page shows already need not be sent, but for the keys in `sure`: an adopted page may have it all. */
function withoutEqual(updates: JsonMap, fields: ContentFields, sure: readonly string[]): JsonMap {
  const isDue = ([key, value]: [string, Json]): boolean => sure.includes(key) || !same(fields.value(key), value);
  return Object.fromEntries(Object.entries(updates).filter(isDue));
}

async function sendContent(pass: Apply<ContentInputs>, updates: JsonMap, contentThen: JsonMap): Promise<void> {
  const { run, id, now, object } = pass;
  fieldsMove(object);
  noteSent(object, Object.keys(updates));
  const result = await run.api.pages.updateContent({ page_id: id, updates });
  object.wrote = true;
  if (result.missing.length === 0) return;
  const missing = new Set(result.missing);
  // With success: false the other keys may not have been applied either, so they are sent again.
  const isLeft = (key: string): boolean => missing.has(key) || (!result.success && key in updates);
  const applied = Object.entries(now.content ?? {}).filter(([key]) => !isLeft(key));
  const kept = Object.entries(contentThen).filter(([key]) => isLeft(key));
  object.declare("content", Object.fromEntries([...kept, ...applied]));
  await learnContent(pass, Object.keys(updates)).catch(() => undefined);
  const { fields } = await fieldsNow(pass);
  throw new ApplyError(missingKeys(id, result, fields));
}

const KEYS_SHOWN = 12;

function missingKeys(id: string, { missing, success }: PageContent, fields: ContentFields): string {
  const known = fields.keys();
  const hints = missing.map((key) => {
    const [best] = nearest(key, known);
    return best === undefined ? JSON.stringify(key) : `${JSON.stringify(key)} (did you mean ${JSON.stringify(best)}?)`;
  });
  const some = known.slice(0, KEYS_SHOWN).join(", ");
  const list = known.length > 0 ? ` Its keys are: ${some}${known.length > KEYS_SHOWN ? ", …" : ""}.` : "";
  return `content: page ${id} has no field ${hints.join(", ")} (PATCH /pages/content).${success ? " The other keys were applied." : ""}${list} Correct the key and run again.`;
}

/** The declared texts that hold placeholders, as visitors see them. */
export function renderedContent({ content, variables }: JsonMap): JsonMap {
  const values = mapOf(variables);
  const held = Object.entries(mapOf(content)).filter(([, value]) => placeholdersIn(value).length > 0);
  return { content: Object.fromEntries(held.map(([key, value]) => [key, render(value, values)])) };
}

/** All editable texts of a page, as an output. */
export async function contentOf(api: LandformApi, id: string): Promise<JsonMap> {
  const fields = new ContentFields((await api.builder.contentMap(id)).fields);
  const content = fields.entries();
  if (content.length === 0 && fields.keys().length > 0)
    throw new Error(`the content map of page ${id} shows keys and no values`);
  return { content: Object.fromEntries(content) };
}

/**
 * What was sent is learned; of the rest the answer from before stays, and a difference is left for a refresh to find.
 * `known`: the fields as they are now, where they were read already.
 */
export async function learnContent(
  pass: Apply<ContentInputs>,
  sent: readonly string[],
  known?: PageFields,
): Promise<void> {
  const { run, id, now, object } = pass;
  const { content } = now;
  if (!content) return;
  if (Object.keys(content).length === 0) {
    object.learn({ content });
    return;
  }
  const shown = known ?? (await fieldsNow(pass));
  const values = valuesNow(object, now.variables);
  const rendered = Object.entries(content).map(([key, value]): [string, Json] => [key, render(value, values)]);
  const live = liveContent(run, id, shown.fields, Object.fromEntries(rendered));
  object.learnKeys("content", Object.keys(content), live, sent);
  object.redo.delete("content");
}

/**
 * The declared keys as the service shows them. Where it has the key but shows no value, what was last applied stands in
 * for it, and a change by hand can't be seen. `known`: how it last showed them, as far as that was read.
 */
export function liveContent(
  run: RunContext,
  id: string,
  fields: ContentFields,
  applied: JsonMap,
  known: JsonMap = applied,
): JsonMap {
  const keys = Object.keys(applied);
  const expected: JsonMap = { ...applied, ...known };
  const shownOf = (key: string): Json | undefined => fields.valueLike(key, expected[key]);
  const hidden = keys.filter((key) => fields.has(key) && shownOf(key) === undefined);
  if (hidden.length > 0) {
    const shown = `${hidden.slice(0, 5).join(", ")}${hidden.length > 5 ? ", …" : ""}`;
    const text =
      `The content map of page ${id} shows no value for ${shown}: ` +
      `compared with what was last applied, so a change by hand stays unseen.`;
    run.warnOnce({ code: "of-kind", kind: "page", id, topic: "hidden-values", text });
  }
  // A look that was behind has not learned how the service keeps a number or a boolean.
  const isOurs = (key: string, value: Json): boolean =>
    known !== applied && !same(value, known[key] ?? null) && isTextOf(value, applied[key] ?? null);
  const live = keys.flatMap((key): [string, Json][] => {
    const value = shownOf(key);
    if (value !== undefined) return [[key, isOurs(key, value) ? (applied[key] as Json) : value]];
    return fields.has(key) ? [[key, expected[key] as Json]] : [];
  });
  return Object.fromEntries(live);
}

function isTextOf(shown: Json, value: Json): boolean {
  return typeof value !== "string" && shown === JSON.stringify(value);
}
