/**
 * What the page shows of the texts that were sent, before it is learned. A write that is answered with success may have done
 * nothing: then a text shows as it was before. One that shows neither what was sent nor what stood there before was edited since,
 * or the service spells it so. Learned, an edit would pass for ours, and no look would ever find it. So it is sent once more: what shows as it did is the
 * service's spelling, and all else is as declared again, which is told.
 */
import { type Json, type JsonMap, mapOf, same } from "../../values/json.ts";
import type { ContentFields } from "../../account/content-map.ts";
import { isAsWritten, mayComeOf } from "../../account/spelling.ts";
import { onceMoved } from "../../reconcile/settled.ts";
import type { ObjectState } from "../../reconcile/object-state.ts";
import type { RunContext } from "../../reconcile/run-context.ts";
import type { Draft, PagePass } from "./document.ts";
import { render, valuesNow, valuesThen } from "./texts.ts";
import type { Then, Writes } from "./writes.ts";

interface Sent {
  readonly writes: Writes;
  /** Content keys that this pass has sent. */
  readonly sent: readonly string[];
}

/** The draft as it is once the texts that were sent are in it, and are ours. `published`: it went to visitors. */
export async function onceTextsAreOurs(pass: PagePass, draft: Draft, sent: Sent, published = false): Promise<Draft> {
  return onceOurs(pass, await onceTextsMoved(pass, draft, sent), sent, published);
}

/** Those that stay as they were count as never sent. */
async function onceTextsMoved(pass: PagePass, draft: Draft, { writes, sent }: Sent): Promise<Draft> {
  let unmoved: string[] = [];
  let shown = draft;
  try {
    await onceMoved(pass, {
      call: "PATCH /pages/content",
      answer: await shown.fields(),
      again: () => {
        shown = shown.written();
        return shown.fields();
      },
      unmoved: ({ fields }) => {
        unmoved = unmovedTexts(pass, writes.then, sent, fields);
        return unmoved.map((key) => `content.${key}`);
      },
    });
    return shown;
  } catch (error) {
    countAsUnsent(pass.object, writes.then, unmoved);
    throw error;
  }
}

function unmovedTexts({ now, object }: PagePass, then: Then, sent: readonly string[], fields: ContentFields): string[] {
  const [declared, wanted] = [mapOf(then.declared.get("content")), now.content ?? {}];
  const [before, values] = [valuesThen(then), valuesNow(object, now.variables)];
  return sent.filter((key) => {
    const [text, former] = [wanted[key], declared[key]];
    if (text === undefined || former === undefined) return false;
    return isAsWritten(render(former, before), render(text, values), fields.value(key));
  });
}

/** The next pass sends these texts again. */
export function countAsUnsent(object: ObjectState, { declared }: Then, keys: readonly string[]): void {
  const then = mapOf(declared.get("content"));
  const others = Object.entries(mapOf(object.declared.get("content"))).filter(([key]) => !keys.includes(key));
  const kept = keys.flatMap((key): [string, Json][] => (then[key] === undefined ? [] : [[key, then[key]]]));
  object.declare("content", Object.fromEntries([...others, ...kept]));
}

/** `published`: what is shown went to visitors. */
export async function onceOurs(pass: PagePass, shown: Draft, sent: Sent, published: boolean): Promise<Draft> {
  const { run, id } = pass;
  const strange = await strangeTexts(pass, shown, sent);
  const keys = Object.keys(strange);
  if (keys.length === 0) return shown;
  await run.api.pages.updateContent({ page_id: id, updates: strange });
  if (published) await publishAgain(pass);
  const again = shown.written();
  const [{ fields: then }, { fields: now }] = await Promise.all([shown.fields(), again.fields()]);
  const edited = keys.filter((key) => !same(now.value(key) ?? null, then.value(key) ?? null));
  // Of a page that is made in this pass nobody knows yet: the look was behind, and showed the template's text.
  if (edited.length > 0 && !pass.created) tell(pass, edited);
  return again;
}

/** By key, as they were sent. */
export async function strangeTexts({ now, object }: PagePass, shown: Draft, { writes, sent }: Sent): Promise<JsonMap> {
  if (sent.length === 0) return {};
  const { fields } = await shown.fields();
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

/** What was sent is learned; of the rest the answer from before stays, and a difference is left for a refresh to find. */
export async function learnContent(pass: PagePass, draft: Draft, sent: readonly string[]): Promise<void> {
  const { run, id, now, object } = pass;
  const { content } = now;
  if (!content) return;
  if (Object.keys(content).length === 0) {
    object.learn({ content });
    return;
  }
  const { fields } = await draft.fields();
  const values = valuesNow(object, now.variables);
  const rendered = Object.entries(content).map(([key, value]): [string, Json] => [key, render(value, values)]);
  object.learnKeys("content", Object.keys(content), liveContent(run, id, fields, Object.fromEntries(rendered)), sent);
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
