/**
 * The texts that the state learns of a page once they were sent. A text that is not in the draft counts as never sent. If the state learned
 * an edit that came in between, it would pass for ours, and no look would ever find it.
 */
import type { ContentFields } from "../../../account/content-map.ts";
import { type SentText, textsShownOtherwise } from "../../../account/documents.ts";
import { after, type PagePass, type Reached, type Step } from "../document/document.ts";
import { valuesNow, valuesThen } from "../document/texts.ts";
import { NotYetSeenError } from "../../../messages/errors.ts";
import type { ObjectState } from "../../../reconcile/object-state.ts";
import type { RunContext } from "../../../reconcile/run-context.ts";
import { type Json, type JsonMap, mapBy, mapOf, same, without } from "../../../values/json.ts";
import { render, renderAll } from "../../../values/placeholders.ts";

/**
 * `isPublished`: the draft went to visitors. `mayBeOld`: the content map may be of the published version, so a text that is as it was tells
 * nothing.
 */
export async function* onceTextsAreOurs(
  at: Reached,
  then: ObjectState,
  { isPublished = false, mayBeOld = false } = {},
): Step {
  const { run, id, document: draft } = at;
  if (at.sent.length === 0) return at;
  const shown = await draft.fields();
  const publish = isPublished ? () => publishAgain(at) : undefined;
  try {
    const found = await run.account.documents.texts(id, shown, sentTexts(at, then, !mayBeOld), publish);
    // Nobody knows yet of a page that this pass made: the look lagged, and showed the template's text.
    if (found.edited.length > 0 && !at.created) tellEdited(at, found.edited);
    return found.fields === shown.fields ? at : { ...at, document: draft.showing(found) };
  } catch (error) {
    const keys = error instanceof NotYetSeenError ? error.fields.map((field) => field.replace("content.", "")) : [];
    yield after(at, (object) => countAsUnsent(object, then, keys));
    throw error;
  }
}

export async function keysShownOtherwise(at: Reached, then: ObjectState): Promise<string[]> {
  return Object.keys(textsShownOtherwise(await at.document.fields(), sentTexts(at, then, false)));
}

function sentTexts({ now, object, sent }: Reached, then: ObjectState, mayLag: boolean): Map<string, SentText> {
  const declared = mayLag ? mapOf(then.declared.get("content")) : {};
  const shown = mapOf(then.answer["content"]);
  const [before, values] = [valuesThen(then), valuesNow(object, now.variables)];
  const texts = sent.flatMap((key): [string, SentText][] => {
    const [text, former] = [now.content?.[key], declared[key]];
    if (text === undefined) return [];
    const was = former !== undefined && { was: render(former, before) };
    return [[key, { sent: render(text, values), shown: shown[key] ?? null, ...was }]];
  });
  return new Map(texts);
}

/** Makes the next pass send these texts again. */
export function countAsUnsent(object: ObjectState, { declared }: ObjectState, keys: readonly string[]): void {
  const then = mapOf(declared.get("content"));
  const others = without(mapOf(object.declared.get("content")), keys);
  object.declare("content", { ...others, ...mapBy(keys, (key) => then[key]) });
}

async function publishAgain({ run, id, object }: PagePass): Promise<void> {
  const { siteId, slug } = object.answer;
  if (typeof siteId !== "string" || typeof slug !== "string") return;
  await run.inTurn(id, () => run.api.pages.publish({ page_id: id, site_id: siteId, slug }));
}

function tellEdited({ run, id }: PagePass, keys: readonly string[]): void {
  const text =
    `content: somebody edited ${keys.join(", ")} of page ${id} while this run wrote it. ` +
    `The page has the declared texts again. To keep the edit, take its text into the code.`;
  run.warn({ code: "of-kind", kind: "page", id, topic: "edited-meanwhile", text });
}

/** Learns the sent texts. For the rest the answer from before stays, and a refresh finds a difference. */
export async function learnContent(at: Reached, sent: readonly string[]): Promise<Reached> {
  const { run, id, now, object, document } = at;
  const { content } = now;
  if (!content) return at;
  const keys = Object.keys(content);
  if (keys.length === 0) return after(at, (one) => one.learn({ content }));
  const { fields } = await document.fields();
  const live = liveContent(run, id, fields, renderAll(content, valuesNow(object, now.variables)));
  return after(at, (one) => {
    one.learnKeys("content", keys, live, sent);
    if (!one.isHeld("content")) one.unfinished.delete("content");
  });
}

/**
 * Returns the declared keys as the service shows them. If the service has a key but shows no value, the last applied value stands in for
 * it, and a change by hand can't be seen. `known`: the last shown values, as far as they were read.
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
      `The content map of page ${id} shows no value for ${shown}. ` +
      `Landform compares with the value that it last wrote, so it does not see an edit in the app.`;
    run.warnOnce({ code: "of-kind", kind: "page", id, topic: "hidden-values", text });
  }
  // A look that lagged has not learned how the service keeps a number or a boolean.
  const isText = (value: Json, sent: Json): boolean => typeof sent !== "string" && value === JSON.stringify(sent);
  const isOurs = (key: string, value: Json): boolean =>
    known !== applied && !same(value, known[key] ?? null) && isText(value, applied[key] ?? null);
  return mapBy(keys, (key) => {
    const value = shownOf(key);
    if (value !== undefined) return isOurs(key, value) ? applied[key] : value;
    return fields.has(key) ? expected[key] : undefined;
  });
}
