/**
 * Checks the texts that were sent before the state learns them. A write that is answered with success may have done nothing: the text then
 * shows as before. A text that shows neither the sent nor the old value was edited since, or the service spells it so. If the state learned
 * such an edit, it would pass for ours, and no look would ever find it. So the pass sends the text once more. If it shows the same again,
 * that is the service's spelling. Otherwise the text is as declared again, and the run tells it.
 */
import type { ContentFields } from "../../account/content-map.ts";
import type { SentText } from "../../account/documents.ts";
import { mayComeOf } from "../../account/spelling.ts";
import { after, type PagePass, type Reached, type Step } from "./document.ts";
import { render, valuesNow, valuesThen } from "./texts.ts";
import type { Then, Writes } from "./writes.ts";
import { NotYetSeenError } from "../../messages/errors.ts";
import type { ObjectState } from "../../reconcile/object-state.ts";
import type { RunContext } from "../../reconcile/run-context.ts";
import { type Json, type JsonMap, mapOf, same } from "../../values/json.ts";

/** Returns the pass once the sent texts are in the draft, and are ours. `published`: the draft went to visitors. */
export async function* onceTextsAreOurs(at: Reached, writes: Writes, published = false): Step {
  return onceOurs(yield* onceTextsMoved(at, writes), writes, published);
}

/** Counts texts that stay as they were as never sent. */
async function* onceTextsMoved(at: Reached, { then }: Writes): Step {
  const shown = await at.document.fields();
  try {
    const fields = await at.run.account.documents.texts(at.id, shown, sentTexts(at, then));
    return fields === shown ? at : { ...at, document: at.document.showing(fields) };
  } catch (error) {
    const keys = error instanceof NotYetSeenError ? error.fields.map((field) => field.replace("content.", "")) : [];
    yield after(at, (object) => {
      countAsUnsent(object, then, keys);
    });
    throw error;
  }
}

function sentTexts({ now, object, sent }: Reached, then: Then): Map<string, SentText> {
  const [declared, wanted] = [mapOf(then.declared.get("content")), now.content ?? {}];
  const [before, values] = [valuesThen(then), valuesNow(object, now.variables)];
  const texts = sent.flatMap((key): [string, SentText][] => {
    const [text, former] = [wanted[key], declared[key]];
    if (text === undefined || former === undefined) return [];
    return [[key, { was: render(former, before), sent: render(text, values) }]];
  });
  return new Map(texts);
}

/** Makes the next pass send these texts again. */
export function countAsUnsent(object: ObjectState, { declared }: Then, keys: readonly string[]): void {
  const then = mapOf(declared.get("content"));
  const others = Object.entries(mapOf(object.declared.get("content"))).filter(([key]) => !keys.includes(key));
  const kept = keys.flatMap((key): [string, Json][] => (then[key] === undefined ? [] : [[key, then[key]]]));
  object.declare("content", Object.fromEntries([...others, ...kept]));
}

/** `published`: the shown texts went to visitors. */
export async function onceOurs(at: Reached, writes: Writes, published: boolean): Promise<Reached> {
  const { run, id, document: shown } = at;
  const strange = await strangeTexts(at, writes);
  const keys = Object.keys(strange);
  if (keys.length === 0) return at;
  await run.api.pages.updateContent({ page_id: id, updates: strange });
  if (published) await publishAgain(at);
  const again = shown.written();
  const [{ fields: then }, { fields: now }] = await Promise.all([shown.fields(), again.fields()]);
  const edited = keys.filter((key) => !same(now.value(key) ?? null, then.value(key) ?? null));
  // Nobody knows yet of a page that this pass made: the look lagged, and showed the template's text.
  if (edited.length > 0 && !at.created) tell(at, edited);
  return { ...at, document: again };
}

/** Returns the texts that show neither the sent nor the old value, by key, as they were sent. */
export async function strangeTexts({ now, object, document, sent }: Reached, writes: Writes): Promise<JsonMap> {
  if (sent.length === 0) return {};
  const { fields } = await document.fields();
  const before = mapOf(writes.then.answer["content"]);
  const values = valuesNow(object, now.variables);
  const strange = sent.flatMap((key): [string, JsonMap[string]][] => {
    const [wanted, is] = [now.content?.[key], fields.value(key)];
    if (wanted === undefined || is === undefined || same(is, before[key] ?? null)) return [];
    const text = render(wanted, values);
    return mayComeOf(text, is) ? [] : [[key, text]];
  });
  return Object.fromEntries(strange);
}

async function publishAgain({ run, id, object }: PagePass): Promise<void> {
  const { siteId, slug } = object.answer;
  if (typeof siteId !== "string" || typeof slug !== "string") return;
  await run.inTurn(id, () => run.api.pages.publish({ page_id: id, site_id: siteId, slug }));
}

function tell({ run, id }: PagePass, keys: readonly string[]): void {
  const text =
    `content: somebody edited ${keys.join(", ")} of page ${id} while this run wrote it. ` +
    `It is as declared again; to keep the edit, take its text into the code.`;
  run.warn({ code: "of-kind", kind: "page", id, topic: "edited-meanwhile", text });
}

/** Learns the sent texts. For the rest the answer from before stays, and a refresh finds a difference. */
export async function learnContent(at: Reached, sent: readonly string[]): Promise<Reached> {
  const { run, id, now, object, document } = at;
  const { content } = now;
  if (!content) return at;
  const keys = Object.keys(content);
  if (keys.length === 0)
    return after(at, (one) => {
      one.learn({ content });
    });
  const { fields } = await document.fields();
  const values = valuesNow(object, now.variables);
  const rendered = Object.entries(content).map(([key, value]): [string, Json] => [key, render(value, values)]);
  const live = liveContent(run, id, fields, Object.fromEntries(rendered));
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
      `The content map of page ${id} shows no value for ${shown}: ` +
      `compared with what was last applied, so a change by hand stays unseen.`;
    run.warnOnce({ code: "of-kind", kind: "page", id, topic: "hidden-values", text });
  }
  // A look that lagged has not learned how the service keeps a number or a boolean.
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
