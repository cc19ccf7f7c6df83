/** Resources whose logical name changed without an alias: an engine would delete the one and make the other. Pure. */
import { type Json, type PropertyMap, type StepEventMetadata, isUnknown, nameOf } from "../../engine/index.ts";
import type { AnyDefinition } from "../../provider/definition/define.ts";
import { isMap, same, type JsonMap } from "../../provider/values/json.ts";
import { refersTo } from "../../provider/definition/references.ts";
import { definitionOf, registry } from "../../provider/kinds/registry.ts";
import type { Failure } from "./model.ts";
import { operationOf, shortName } from "./steps.ts";
import type { Told } from "./told.ts";

/** What a plan fails with, before anything is made. */
export function renamedFailures(all: Iterable<Told>): Failure[] {
  const told = [...all];
  const leaving = told.flatMap(({ steps }) => (operationOf(steps) === "delete" ? (steps.get("delete") ?? []) : []));
  return told.flatMap(({ steps }): Failure[] => {
    const made = operationOf(steps) === "create" ? steps.get("create") : undefined;
    const before = made && leaving.find((step) => isSameObject(step, made));
    return made && before ? [renamed(made, before)] : [];
  });
}

function isSameObject(before: StepEventMetadata, made: StepEventMetadata): boolean {
  const definition = definitionOf(shortName(made.type));
  if (!definition || before.type !== made.type || nameOf(before.urn) === nameOf(made.urn)) return false;
  const [then, now] = [before.old?.inputs ?? {}, made.new?.inputs ?? {}];
  if (!isAlone(definition, then)) return false;
  return agrees(declared(definition, then, before.urn), declared(definition, now, made.urn));
}

/** Whether there can't well be two of it: it has something to itself, or others belong to it. */
function isAlone({ kind, plan }: AnyDefinition, inputs: JsonMap): boolean {
  if (plan.claims) return plan.claims(inputs).length > 0;
  return Object.values<AnyDefinition>(registry).some(({ inputs: others }) =>
    Object.values(others.shape).some((field) => refersTo(field).includes(kind)),
  );
}

/** Without what every resource is given, and the name that comes from the logical one where an object can change it. */
function declared(definition: AnyDefinition, inputs: PropertyMap, urn: string): PropertyMap {
  const takesName = definition.rule("name").onChange !== "refuse";
  const entries = Object.entries(inputs).filter(
    ([key, value]) => !key.startsWith("__") && !(takesName && key === "name" && value === nameOf(urn)),
  );
  return Object.fromEntries(entries);
}

/** What is not known yet may well be the same. */
function agrees(then: Json, now: Json): boolean {
  if (isUnknown(now)) return true;
  if (Array.isArray(then) && Array.isArray(now)) {
    return then.length === now.length && then.every((item, index) => agrees(item, now[index] ?? null));
  }
  if (!isMap(then) || !isMap(now)) return same(then, now);
  const keys = new Set([...Object.keys(then), ...Object.keys(now)]);
  return [...keys].every((key) => key in then && key in now && agrees(then[key] as Json, now[key] as Json));
}

function renamed(made: StepEventMetadata, before: StepEventMetadata): Failure {
  const [kind, now, then] = [shortName(made.type), nameOf(made.urn), nameOf(before.urn)];
  const message =
    `${kind} "${then}" would be deleted, and ${kind} "${now}" made anew with the same inputs: its logical name changed. ` +
    `Give it the option aliases: [{ name: "${then}" }] (in landform.yaml, options: { aliases: [${then}] }), and it stays the ` +
    `same object. To make a new one all the same, remove the old one in a run of its own. Nothing was sent.`;
  return { urn: made.urn, cause: "program", message };
}
