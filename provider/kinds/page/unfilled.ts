/** Placeholders that a page made anew would be left with, so that it could never be published. */
import type { LandformApi } from "../../api/index.ts";
import type { Failing } from "../../definition/define.ts";
import type { PlannedChange } from "../../definition/foresight.ts";
import { isMap, type Json, type JsonMap, mapOf, same } from "../../values/json.ts";
import type { ObjectState } from "../../reconcile/object-state.ts";
import { orGone } from "../../account/presence.ts";
import { hasUnknown } from "../../values/paths.ts";
import { pageKey } from "./collection.ts";
import { ContentFields } from "../../account/content-map.ts";
import { elsewhereIn } from "./placeholder-notes.ts";
import { valuesNow } from "./kept-values.ts";
import { placeholdersIn } from "./variables.ts";

/**
 * Of the same template: what this page was made with is known by its notes. What another template holds, no call of the API
 * shows.
 */
function unfilledAnew({ declared, notes }: ObjectState, now: JsonMap): string | undefined {
  const { templateId, publish, variables, content, nodes } = now;
  if (
    publish === undefined ||
    nodes !== undefined ||
    hasUnknown({ variables: variables ?? {}, content: content ?? {} })
  )
    return undefined;
  const isAlike = templateId !== undefined && templateId === declared.get("templateId");
  const texts = isAlike && isMap(notes["texts"]) ? notes["texts"] : {};
  const names = isAlike ? elsewhereIn(notes) : [];
  return refusedOpen(withoutValue([...names, ...heldBy({ ...texts, ...mapOf(content) })], variables));
}

/** A page that would be left with placeholders. Pure. */
export function unfilled(old: ObjectState, now: JsonMap, on: "anew" | "this"): Failing | undefined {
  const why = on === "anew" ? unfilledAnew(old, now) : unfilledChange(old, now);
  return why === undefined ? undefined : { field: "publish", why };
}

/** Of an update: a text that is written with a placeholder, or that was left with one. */
function unfilledChange(old: ObjectState, now: JsonMap): string | undefined {
  const { publish, variables, content, nodes } = now;
  if (publish === undefined || nodes !== undefined || !isMap(content) || hasUnknown(variables)) return undefined;
  const then = mapOf(old.declared.get("content"));
  const shown = mapOf(old.answer["content"]);
  const written = Object.entries(content).filter(
    ([key, text]) => !hasUnknown(text) && (!same(then[key], text) || same(shown[key], text)),
  );
  return refusedOpen(withoutValue(heldBy(Object.fromEntries(written)), valuesNow(old, variables)));
}

/** A creation: its own texts, and those of the page that it is a copy of. */
export async function unfilledNew(api: LandformApi, change: PlannedChange): Promise<string[]> {
  const { op, declared, hides } = change;
  const isMade = op === "create" || op === "replace";
  if (!isMade || declared("publish") === undefined || declared("nodes") !== undefined) return [];
  if (["content", "variables", "nodes"].some((field) => hides(field))) return [];
  const content = mapOf(declared("content"));
  const texts = { ...(await textsOfSource(api, change)), ...content };
  const why = refusedOpen(withoutValue(heldBy(texts), declared("variables")));
  return why === undefined ? [] : [`publish: ${why}`];
}

/** What is a part of the plan itself may be filled in by then. */
async function textsOfSource(api: LandformApi, { stands, planned }: PlannedChange): Promise<JsonMap> {
  const [source, other] = stands("duplicateOf");
  if (source === undefined || other !== undefined || planned.has(pageKey(source))) return {};
  const map = await orGone(api.builder.contentMap(source));
  return Object.fromEntries(map === undefined ? [] : new ContentFields(map.fields).entries());
}

export function heldBy(texts: JsonMap): string[] {
  return Object.values(texts).flatMap(placeholdersIn);
}

export function withoutValue(names: readonly string[], variables: Json | undefined): string[] {
  const given = mapOf(variables);
  return [...new Set(names)].filter((name) => !Object.hasOwn(given, name)).sort();
}

export function refusedOpen(names: readonly string[]): string | undefined {
  if (names.length === 0) return undefined;
  const left = names.map((name) => `{{${name}}}`).join(", ");
  return `its texts hold ${left} without a value, so that it can't be published. Give ${names.length === 1 ? "it a value" : "these a value"} under variables.`;
}
