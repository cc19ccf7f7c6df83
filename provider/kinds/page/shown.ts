/** What a page shows, or is to show, of its content: for plans, for visitors and for lookups. */
import { ContentFields } from "../../account/content-map.ts";
import type { LandformApi } from "../../api/index.ts";
import { elsewhereIn, mayBeOpen } from "./content.ts";
import { after } from "./document.ts";
import { BY_KEY, publishedUnder } from "./readings.ts";
import { DRAFT } from "./released.ts";
import { placeholdersIn, render, valuesNow, valuesThen } from "./texts.ts";
import { isIgnored } from "../../reconcile/ignored.ts";
import type { ObjectState } from "../../reconcile/object-state.ts";
import { isMap, type Json, type JsonMap, mapOf, same } from "../../values/json.ts";
import { UNKNOWN } from "../../values/unknown.ts";

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
 * Published -> declared: of what is declared, what is public otherwise. Of two values each key, as visitors get it and as the
 * code says. Pure.
 */
export function unpublished(
  old: ObjectState,
  now: JsonMap,
  found?: { readonly before: JsonMap; readonly after: JsonMap },
): { readonly then: JsonMap; readonly now: JsonMap } {
  const published = found ? publishedFound(old, found.before, found.after) : old.published;
  const values = valuesNow(old, now["variables"]);
  const [then, next]: [JsonMap, JsonMap] = [{}, {}];
  for (const field of BY_KEY) {
    const declared = mapOf(now[field]);
    const keys = Object.entries(mapOf(published[field])).flatMap(([key, value]): [string, Json, Json][] => {
      if (!Object.hasOwn(declared, key) || isIgnored(old.ignored, [field, key])) return [];
      const said = field === "content" ? render(declared[key] ?? null, values) : (declared[key] ?? null);
      return same(said, value) ? [] : [[key, value, said]];
    });
    if (keys.length === 0) continue;
    then[field] = Object.fromEntries(keys.map(([key, value]) => [key, value]));
    next[field] = Object.fromEntries(keys.map(([key, _, said]) => [key, said]));
  }
  return { then, now: next };
}

/** As a read leaves it in the state. */
function publishedFound(old: ObjectState, before: JsonMap, after: JsonMap): JsonMap {
  const waits = after["hasUnpublishedChanges"] === true && after["publishedAt"] === before["publishedAt"];
  return waits ? publishedUnder(old.published, before, after) : {};
}

/** Pure: the page is to be published for what its draft says already, as the code does. */
export function publishesDraft(field: string, old: ObjectState, now: JsonMap): boolean {
  if (field !== "publish" || !isMap(now["publish"])) return false;
  const { now: next } = unpublished(old, now);
  return BY_KEY.some((one) =>
    Object.entries(mapOf(next[one])).some(([key, said]) => same(mapOf(old.answer[one])[key], said)),
  );
}
