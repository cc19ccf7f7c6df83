/** Steps of an engine, and what they mean for people. Pure. */
import { type PropertyMap, type StepEventMetadata, isRootStack, nameOf, shortType } from "../../engine/index.ts";
import { definitionOf } from "../../provider/kinds/registry.ts";
import type { ChangeOp } from "./model.ts";
import type { Told } from "./told.ts";

/** By operation of the engine. */
export type Steps = ReadonlyMap<string, StepEventMetadata>;

export function shortName(type: string): string {
  return shortType(type).replace(/^landform:/, "");
}

/** Whether the step takes over an existing object, which an engine knows as any other creation. */
function isAdoption(step: StepEventMetadata | undefined): boolean {
  return step !== undefined && definitionOf(step.type) !== undefined && (step.new?.inputs["adoptId"] ?? null) !== null;
}

/** What a single step is shown as. */
export function shownAs(step: StepEventMetadata): string {
  return step.op === "create" && isAdoption(step) ? "adopt" : step.op;
}

const REPLACING = ["replace", "create-replacement"];
const OPERATIONS: ReadonlyMap<string, ChangeOp> = new Map([
  ["create", "create"],
  ["import", "create"],
  ["update", "update"],
  ["delete", "delete"],
  ["discard", "delete"],
]);

/** What all steps of a resource come to; undefined where nothing changes. */
export function operationOf(steps: Steps): ChangeOp | undefined {
  if (REPLACING.some((op) => steps.has(op))) return "replace";
  const op = [...steps.keys()].map((name) => OPERATIONS.get(name)).find((found) => found !== undefined);
  return op === "create" && isAdoption(steps.get("create")) ? "adopt" : op;
}

const NO_CHANGE = new Set(["same", "refresh", "read"]);

export function isChanging({ urn, steps }: Pick<Told, "urn" | "steps">): boolean {
  return !isRootStack(urn) && [...steps.keys()].some((op) => !NO_CHANGE.has(op));
}

/** Where it was before, itself included: undefined where it stands in its old place, under its old name. */
export function movedUrns({ urn, steps }: Pick<Told, "urn" | "steps">): string[] | undefined {
  const moved = [...steps.values()].filter(
    ({ old, new: next }) => old && next && !old.delete && (old.urn !== next.urn || old.parent !== next.parent),
  );
  return moved.length === 0 ? undefined : [...new Set([urn, ...moved.flatMap(({ old }) => old?.urn ?? [])])];
}

/** The step that knows both states. */
export function decisive(steps: Steps, op: ChangeOp): StepEventMetadata | undefined {
  const order = op === "replace" ? REPLACING : [op === "adopt" ? "create" : op];
  return order.map((name) => steps.get(name)).find((found) => found !== undefined) ?? [...steps.values()].at(-1);
}

/** The address under which the page is public. */
/** What a resource is called where something is said of it; `type` as the engine has it. */
export function aboutOf({ urn, outputs }: Pick<Told, "urn" | "outputs">, type: string): About {
  const url = urlOf(outputs);
  return { urn, type: shortName(type), name: nameOf(urn), ...(url !== undefined && { url }) };
}

export interface About {
  urn: string;
  type: string;
  name: string;
  url?: string;
}

export function urlOf(outputs: PropertyMap): string | undefined {
  const { url, status } = outputs;
  return typeof url === "string" && status === "published" ? url : undefined;
}
