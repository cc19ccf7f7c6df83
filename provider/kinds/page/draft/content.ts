/**
 * Content and variables of a page. Variables are one-way on the wire: once {{name}} is replaced, the page has forgotten it. So the state
 * keeps the texts that held a placeholder (declared ones as declared, the template's in the notes), and a changed value renders them again.
 */
import type { ContentFields } from "../../../account/content-map.ts";
import type { PageFields } from "../../../account/documents.ts";
import { after, type PageLife, type PagePass, type Reached, type Step, written } from "../document/document.ts";
import type { Guarded } from "../edits/guard.ts";
import { learnContent, onceTextsAreOurs } from "./learned-texts.ts";
import { probesAgain, Templates } from "./templates.ts";
import { valuesThen } from "../document/texts.ts";
import { leaveHeld, type Writes } from "../document/writes.ts";
import { ApplyError } from "../../../messages/errors.ts";
import { Unfit } from "../../../reconcile/creation.ts";
import { hidingTexts } from "../../../definition/in-preview.ts";
import { filterMap, type JsonMap, mapBy, mapOf, same, without } from "../../../values/json.ts";
import { nearest } from "../../../values/nearest.ts";
import { mentions, placeholdersIn, render } from "../../../values/placeholders.ts";

export async function* applyContent(at: Reached, { writes }: Guarded): Step {
  const { now, changed } = at;
  const variablesChange = changed.has("variables");
  const hides = at.created && at.run.isPreview;
  if (!changed.has("content") && !variablesChange && !hides && Object.keys(writes.content).length === 0) return at;
  const isInterrupted = writes.interrupted.has("content") || writes.interrupted.has("variables");
  const known = variablesChange || isInterrupted || hides ? await at.document.fields() : undefined;
  if (known) refuseBlindRendering(at, known, Object.keys(writes.content));
  const asked = known ? dueContent(writes, known) : writes.content;
  const due = hides && known ? { ...hidingTexts(known.fields.keys()), ...asked } : asked;
  const sent = Object.keys(due);
  const sending = sent.length > 0 ? yield* sendContent(at, due) : at;
  const declared = after({ ...sending, sent }, (object) => {
    object.declare("content", declaredContent(now, writes));
    leaveHeld(object, "content", writes);
  });
  yield declared;
  const replaced = known ? yield* replaceRest(declared, known) : declared;
  if (!now.content) return replaced;
  // Until the content is read back, nothing is known that would tell an edit by hand.
  const sentOnly = after(replaced, (object) => object.reapply("content"));
  yield sentOnly;
  // The content map of a public page may be of the published version, so it is read after the publication.
  const isPublic = sentOnly.object.answer["status"] === "published";
  if (now.publish !== undefined && isPublic) return sentOnly;
  const keys = Object.keys(writes.content);
  const settled = keys.length > 0 && !isPublic ? yield* onceTextsAreOurs(sentOnly, writes.then) : sentOnly;
  return learnContent(settled, keys);
}

/**
 * Returns the texts that the page doesn't show yet: an adopted page may have them all. After a killed run it returns all texts, since a map
 * of the published version says nothing of that run's draft.
 */
function dueContent(writes: Writes, { fields }: PageFields): JsonMap {
  if (writes.interrupted.size > 0) return writes.content;
  return filterMap(writes.content, (value, key) => !same(fields.value(key), value));
}

/** Returns the content to declare. A text that is held for somebody else stays declared as it was. */
function declaredContent({ content }: PageLife, { held, then }: Writes): JsonMap | undefined {
  const keys = held.content;
  if (!content || keys.length === 0) return content;
  const before = mapOf(then.declared.get("content"));
  return { ...without(content, keys), ...mapBy(keys, (key) => before[key]) };
}

async function* sendContent(at: Reached, updates: JsonMap): Step {
  const { run, id, now, object } = at;
  const result = await run.api.pages.updateContent({ page_id: id, updates });
  const sent = written(at);
  const { templateId } = now;
  // A page that is published tells once it is ready.
  const tells = result.missing.length > 0 || now.publish === undefined;
  if (templateId !== undefined && at.created && tells) run.part(Templates).tell(templateId, result);
  if (result.missing.length === 0) return sent;
  // With success: false the other keys may not have been applied either, so they are sent again.
  const isLeft = (key: string): boolean => result.missing.includes(key) || (!result.success && key in updates);
  const applied = filterMap(now.content ?? {}, (_, key) => !isLeft(key));
  const kept = filterMap(mapOf(object.declared.get("content")), (_, key) => isLeft(key));
  const left = after(sent, (one) => one.declare("content", { ...kept, ...applied }));
  yield left;
  yield await learnContent(left, Object.keys(updates)).catch(() => left);
  const { fields } = await left.document.fields();
  if (!at.created || templateId === undefined)
    throw new ApplyError(
      `${missingKeys(`page ${id}`, result.missing, fields, result.success)} Correct the key and run again.`,
    );
  throw new Unfit(
    `${missingKeys(templateId, result.missing, fields)} Correct the key and run again. ${probesAgain(templateId)}`,
  );
}

const KEYS_SHOWN = 12;

function missingKeys(of: string, missing: readonly string[], fields: ContentFields, othersApplied = false): string {
  const known = fields.keys();
  const hints = missing.map((key) => {
    const [best] = nearest(key, known);
    return JSON.stringify(key) + (best === undefined ? "" : ` (did you mean ${JSON.stringify(best)}?)`);
  });
  const some = known.slice(0, KEYS_SHOWN).join(", ");
  const list = known.length > 0 ? ` Its keys are: ${some}${known.length > KEYS_SHOWN ? ", …" : ""}.` : "";
  return `content: ${of} has no content key ${hints.join(", ")} (PATCH /pages/content).${othersApplied ? " The other keys were applied." : ""}${list}`;
}

// The service replaces the placeholders that no declared text holds. The state keeps their texts, so that a changed value renders them again.

async function* replaceRest(at: Reached, before: PageFields): Step {
  const { now } = at;
  const { variables = {} } = now;
  const kept = keepingTexts(at, before);
  yield kept;
  const isDue = before.variables.some((name) => Object.hasOwn(variables, name));
  const replaced = isDue ? await replaceVariables(kept, variables) : kept;
  return after(replaced, (object) => {
    object.notes = withElsewhere(object.notes, now, before);
    object.declare("variables", now.variables);
  });
}

/**
 * Replaces placeholders that have a value and are still there: an edit brought them back, or an answer did not show them in time. Undefined
 * if there was nothing to do.
 */
export async function* replaceLeftOver(at: Reached, left: readonly string[]): Step<Reached | undefined> {
  const { variables = {} } = at.now;
  if (!left.some((name) => Object.hasOwn(variables, name))) return undefined;
  // The earlier answer did not show them.
  const kept = keepingTexts(at, await at.document.written().fields());
  yield kept;
  const replaced = await replaceVariables(kept, variables);
  yield replaced;
  return replaced;
}

async function replaceVariables(at: Reached, variables: JsonMap): Promise<Reached> {
  await at.run.api.pages.replaceVariables({ page_id: at.id, variables });
  return written(at);
}

/** Keeps the texts that hold placeholders, so that a changed value can be rendered again. */
export function keepingTexts<Pass extends PagePass>(at: Pass, before: PageFields): Pass {
  const { now, object } = at;
  const { content = {}, variables = {} } = now;
  const then = valuesThen(object);
  const { texts: known, ...notes } = object.notes;
  const texts = without(mapOf(known), Object.keys(content));
  for (const [key, value] of before.fields.entries()) {
    if (key in content || !mentions(value, variables)) continue;
    // A text that was rendered before stays kept as it was before that.
    if (!same(render(texts[key] ?? null, then), value)) texts[key] = value;
  }
  return after(at, (one) => (one.notes = Object.keys(texts).length > 0 ? { ...notes, texts } : notes));
}

/** Refuses a changed value if the text that held it is not known: nobody could render it again. */
function refuseBlindRendering(pass: PagePass, before: PageFields, updated: readonly string[]): void {
  const { id, now, object, run } = pass;
  const then = valuesThen(object);
  const stale = Object.keys(then).filter((name) => {
    const value = now.variables?.[name];
    return value !== undefined && value !== then[name] && !before.variables.includes(name);
  });
  if (stale.length === 0 || updated.length > 0) return;
  const what = `variables: no text of page ${id} is known to hold ${stale.map((name) => `{{${name}}}`).join(", ")}`;
  if (hidesTexts(before, mapOf(now.content))) {
    throw new ApplyError(
      `${what}, because this service doesn't show the values of content fields. Declare these texts under content, so that they can be rendered again.`,
    );
  }
  const text = `${what}; outside of content fields, the old value stays.`;
  run.warn({ code: "of-kind", kind: "page", id, topic: "unknown-text", text });
}

/** Tells if a text may hold the old value where nobody can look for it. */
function hidesTexts({ fields }: PageFields, declared: JsonMap): boolean {
  const isBlind = fields.keys().length > 0 && fields.entries().length === 0;
  return isBlind || fields.unread().some((key) => !Object.hasOwn(declared, key));
}

// The notes of a page keep the placeholders that were replaced in unknown texts. They don't know of later edits by hand. Pure.

const ELSEWHERE = "elsewhere";

/** Notes the names whose placeholders the service replaced outside of the texts that it shows. Another value can't be rendered there. */
function withElsewhere(notes: JsonMap, { variables = {}, content }: PageLife, before: PageFields): JsonMap {
  const held = new Set(Object.values({ ...mapOf(notes["texts"]), ...content }).flatMap(placeholdersIn));
  const names = before.variables.filter((name) => Object.hasOwn(variables, name) && !held.has(name));
  const all = new Set([...elsewhereIn(notes), ...names]);
  return all.size === 0 ? notes : { ...notes, [ELSEWHERE]: [...all] };
}

export function elsewhereIn(notes: JsonMap): string[] {
  const known = notes[ELSEWHERE];
  return Array.isArray(known) ? known.map(String) : [];
}
