/**
 * Content and variables of a page. Variables are one-way on the wire: once {{name}} is replaced, the page has forgotten
 * it. Here the texts that held a placeholder are kept (declared ones as declared, the template's in the notes), so that
 * a changed value renders them again.
 */
import type { PageContent } from "../../api/records.ts";
import { mapOf, same, type Json, type JsonMap } from "../../values/json.ts";
import { ApplyError } from "../../messages/errors.ts";
import { nearest } from "../../values/nearest.ts";
import type { ContentFields } from "../../account/content-map.ts";
import type { PagePass } from "./declared.ts";
import type { Draft, PageFields } from "./document.ts";
import { refuseBlindRendering, replaceRest } from "./placeholders.ts";
import { learnContent, onceTextsAreOurs } from "./learned-texts.ts";
import { isEdited, type Writes } from "./writes.ts";

export interface ContentWritten {
  readonly draft: Draft;
  /** Keys that were sent. */
  readonly sent: readonly string[];
  /** The page was looked at afterwards; of a public page that is done later. */
  readonly isLearned: boolean;
}

export async function applyContent(pass: PagePass, before: Draft, writes: Writes): Promise<ContentWritten> {
  const { now, changed, removed, object } = pass;
  const variablesChange = changed.has("variables");
  if (removed.has("content")) Reflect.deleteProperty(object.answer, "content");
  if (!changed.has("content") && !variablesChange) return { draft: before, sent: [], isLearned: false };
  const contentThen = mapOf(object.declared.get("content"));
  const isDoubtful = writes.doubted.has("content") || writes.doubted.has("variables");
  const known = variablesChange || isDoubtful ? await before.fields() : undefined;
  const texts = mapOf(object.notes["texts"]);
  if (known) refuseBlindRendering(pass, known, Object.keys(writes.content));
  const due = known ? dueContent(pass, writes, known) : writes.content;
  const sent = Object.keys(due);
  let draft = sent.length > 0 ? await sendContent(pass, before, due, contentThen) : before;
  object.declare("content", declaredContent(pass, writes));
  if (known) draft = await replaceRest(pass, draft, known, { ...texts });
  if (!now.content) return { draft, sent, isLearned: false };
  // Until it was read back, nothing is known that an edit by hand could be told by.
  object.redo.add("content");
  // Once it is public, the content map may be of what is live: it is looked at after the publication.
  const isPublic = object.answer["status"] === "published";
  if (now.publish !== undefined && isPublic) return { draft, sent, isLearned: false };
  const keys = Object.keys(writes.content);
  const settled = keys.length > 0 && !isPublic ? await onceTextsAreOurs(pass, draft, { writes, sent }) : draft;
  await learnContent(pass, settled, keys);
  return { draft: settled, sent, isLearned: true };
}

/** What the page shows already need not be sent: an adopted page may have it all. A map of what is public says nothing of a killed run's draft. */
function dueContent({ now }: PagePass, writes: Writes, { fields }: PageFields): JsonMap {
  const isDoubtful = writes.doubted.size > 0;
  const isDue = ([key, value]: [string, Json]): boolean =>
    !isEdited(writes, key, fields.value(key)) &&
    ((isDoubtful && Object.hasOwn(now.content ?? {}, key)) || !same(fields.value(key), value));
  return Object.fromEntries(Object.entries(writes.content).filter(isDue));
}

/** What is held for somebody else stays declared as it was. */
function declaredContent({ now, object }: PagePass, { held, then }: Writes): JsonMap | undefined {
  if (!now.content) return undefined;
  const keys = held.content;
  if (keys.length === 0) return now.content;
  object.waiting.add("content");
  const before = mapOf(then.declared.get("content"));
  const kept = keys.flatMap((key): [string, Json][] => (before[key] === undefined ? [] : [[key, before[key]]]));
  const others = Object.entries(now.content).filter(([key]) => !keys.includes(key));
  return Object.fromEntries([...others, ...kept]);
}

async function sendContent(pass: PagePass, before: Draft, updates: JsonMap, contentThen: JsonMap): Promise<Draft> {
  const { run, id, now, object } = pass;
  const draft = before.written();
  const result = await run.api.pages.updateContent({ page_id: id, updates });
  object.wrote = true;
  if (result.missing.length === 0) return draft;
  const missing = new Set(result.missing);
  // With success: false the other keys may not have been applied either, so they are sent again.
  const isLeft = (key: string): boolean => missing.has(key) || (!result.success && key in updates);
  const applied = Object.entries(now.content ?? {}).filter(([key]) => !isLeft(key));
  const kept = Object.entries(contentThen).filter(([key]) => isLeft(key));
  object.declare("content", Object.fromEntries([...kept, ...applied]));
  await learnContent(pass, draft, Object.keys(updates)).catch(() => undefined);
  const { fields } = await draft.fields();
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
