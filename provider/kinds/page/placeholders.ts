/**
 * Placeholders that no declared text holds: the service replaces them, and their texts are kept for a changed value to be
 * rendered again.
 */
import { mapOf, same, type JsonMap } from "../../values/json.ts";
import { ApplyError } from "../../messages/errors.ts";
import type { PagePass } from "./declared.ts";
import type { Draft, PageFields } from "./document.ts";
import { valuesThen } from "./kept-values.ts";
import { withElsewhere, withOpen } from "./placeholder-notes.ts";
import { mentions, placeholdersIn, render } from "./variables.ts";

export async function replaceRest(pass: PagePass, draft: Draft, before: PageFields, texts: JsonMap): Promise<Draft> {
  const { now, object } = pass;
  const variables = now.variables ?? {};
  keepTexts(pass, before, texts);
  tellUnused(pass, before);
  const isDue = before.variables.some((name) => Object.hasOwn(variables, name));
  const after = isDue ? await replaceVariables(pass, draft, variables) : draft;
  notePlaceholders(pass, before);
  object.declare("variables", now.variables);
  return after;
}

function notePlaceholders({ now, object }: PagePass, before: PageFields): void {
  const variables = now.variables ?? {};
  const open = before.variables.filter((name) => !Object.hasOwn(variables, name));
  const texts = Object.values({ ...mapOf(object.notes["texts"]), ...now.content });
  const held = new Set(texts.flatMap(placeholdersIn));
  const elsewhere = before.variables.filter((name) => Object.hasOwn(variables, name) && !held.has(name));
  const notes = withOpen(object.notes, now.publish === undefined ? open : undefined);
  object.notes = withElsewhere(notes, elsewhere);
}

/** New variables that the page has no place for. */
function tellUnused({ run, id, now, object }: PagePass, before: PageFields): void {
  const then = mapOf(object.declared.get("variables"));
  const texts = Object.values({ ...mapOf(object.notes["texts"]), ...now.content });
  const held = new Set([...before.variables, ...texts.flatMap(placeholdersIn)]);
  const names = Object.keys(now.variables ?? {}).filter((name) => !(name in then) && !held.has(name));
  if (names.length > 0) run.warn({ code: "no-use", kind: "page", id, field: "variables", names });
}

/**
 * Placeholders that have a value and are there all the same: an edit brought them back, or an answer did not show them when
 * they were to be replaced. Undefined where there was nothing to do.
 */
export async function replaceLeftOver(
  pass: PagePass,
  draft: Draft,
  left: readonly string[],
): Promise<Draft | undefined> {
  const { now, object } = pass;
  const { variables = {} } = now;
  if (!left.some((name) => Object.hasOwn(variables, name))) return undefined;
  // An answer from before did not show them.
  keepTexts(pass, await draft.written().fields(), { ...mapOf(object.notes["texts"]) });
  return replaceVariables(pass, draft, variables);
}

async function replaceVariables({ run, id, object }: PagePass, draft: Draft, variables: JsonMap): Promise<Draft> {
  await run.api.pages.replaceVariables({ page_id: id, variables });
  object.wrote = true;
  return draft.written();
}

/** So that a changed value can be rendered again. */
function keepTexts({ now, object }: PagePass, before: PageFields, texts: JsonMap): void {
  const variables = now.variables ?? {};
  const then = valuesThen(object);
  for (const [key, value] of before.fields.entries()) {
    if (key in (now.content ?? {}) || !mentions(value, variables)) continue;
    // What was rendered before is kept as it was before that.
    if (!same(render(texts[key] ?? null, then), value)) texts[key] = value;
  }
  for (const key of Object.keys(now.content ?? {})) Reflect.deleteProperty(texts, key);
  const { texts: _, ...notes } = object.notes;
  object.notes = Object.keys(texts).length > 0 ? { ...notes, texts } : notes;
}

/** A changed value can only be rendered again where the text that held it is known. */
export function refuseBlindRendering(pass: PagePass, before: PageFields, updated: readonly string[]): void {
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
  const text = `${what}; where it stands outside of content fields, the old value stays.`;
  run.warn({ code: "of-kind", kind: "page", id, topic: "unknown-text", text });
}

/** Whether a text may hold the old value where nobody can look for it. */
function hidesTexts({ fields }: PageFields, declared: JsonMap): boolean {
  const isBlind = fields.keys().length > 0 && fields.entries().length === 0;
  return isBlind || fields.unread().some((key) => !Object.hasOwn(declared, key));
}
