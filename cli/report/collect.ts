/** Gathers an engine's events, of one operation or several, into what a report says about resources. Pure. */
import {
  type EngineEvent,
  isDefaultProvider,
  isRootStack,
  type Json,
  nameOf,
  type PropertyMap,
  shortType,
  type StepEventMetadata,
} from "../../engine/index.ts";
import type { Change, ChangeOp, Counts, Drift, Field } from "./model.ts";
import { perhaps } from "./perhaps.ts";
import { stayOf, stayNote } from "./stays.ts";
import { fieldsBetween, fieldsOf, visible } from "./values.ts";

/** All that was told about one resource. */
export interface Told {
  urn: string;
  /** By operation of the engine. */
  steps: Map<string, StepEventMetadata>;
  started: number;
  ended: number;
  failed: boolean;
  /** Outputs as the run left them. */
  outputs: PropertyMap;
  id: string;
  /** What a refresh found; null when it is gone. */
  live?: { before: PropertyMap; after: PropertyMap } | null;
  /** The refresh was all there was to it. */
  alone?: true;
}

export class Collector {
  readonly told = new Map<string, Told>();
  readonly warnings = new Set<string>();
  /** What the program printed. */
  readonly printed: string[] = [];
  readonly errors: { message: string; urn?: string }[] = [];
  stackOutputs: PropertyMap = {};
  #planning = false;

  readonly add = (event: EngineEvent): void => {
    const { resourcePreEvent, resOutputsEvent, resOpFailedEvent, diagnosticEvent } = event;
    const step = resourcePreEvent ?? resOutputsEvent ?? resOpFailedEvent;
    // Pulumi tells of the provider that it registers by itself, too.
    if (step && isDefaultProvider(step.metadata.urn)) return;
    if (resourcePreEvent) this.#started(resourcePreEvent.metadata, resourcePreEvent.planning === true);
    if (resOutputsEvent) this.#ended(resOutputsEvent.metadata);
    if (resOpFailedEvent) this.#of(resOpFailedEvent.metadata).failed = true;
    if (diagnosticEvent?.ephemeral !== true && diagnosticEvent) this.#diagnostic(diagnosticEvent);
  };

  changes(): Change[] {
    return [...this.told.values()].flatMap((told) => this.#changesOf(told));
  }

  counts(): Counts {
    const done = { create: 0, adopt: 0, update: 0, replace: 0, delete: 0, left: 0, same: this.#same().length };
    const counts: Counts = { ...done, failed: 0, unfinished: 0, unreached: 0 };
    for (const change of this.changes()) counts[countedAs(change)]++;
    return counts;
  }

  /** The URNs of all that `counts` counts. */
  counted(): Set<string> {
    return new Set([...this.changes(), ...this.#same()].map(({ urn }) => urn));
  }

  #same(): Told[] {
    return [...this.told.values()].filter(isSame);
  }

  /** Live against the last run, and against the code where a plan was made after the refresh. */
  drift(): Drift[] {
    const changes = new Map(this.changes().map((change) => [change.urn, change]));
    return [...this.told.values()].flatMap((told) => driftOf(told, changes.get(told.urn)));
  }

  #started(metadata: StepEventMetadata, planning: boolean): void {
    this.#planning = planning;
    const told = this.#of(metadata);
    told.steps.set(metadata.op, metadata);
    told.started++;
  }

  #ended(metadata: StepEventMetadata): void {
    const told = this.#of(metadata);
    const state = metadata.new ?? metadata.old;
    if (isRootStack(metadata.urn)) this.stackOutputs = visible(metadata.new?.outputs ?? {});
    if (told.steps.has("refresh") && told.live === undefined) {
      const before = metadata.old?.inputs ?? {};
      told.live = metadata.new ? { before, after: metadata.new.inputs } : null;
      // A refresh by itself ends as what it found.
      if (metadata.op !== "refresh") {
        told.steps.set(metadata.op, metadata);
        told.alone = true;
      }
    }
    told.ended++;
    // A replacement's deletion ends last and tells of the old one.
    if (metadata.op === "delete-replaced") return;
    // What a preview calls outputs are the inputs.
    if (this.#planning && metadata.op !== "refresh") return;
    if (Object.keys(state?.outputs ?? {}).length > 0) told.outputs = state?.outputs ?? {};
    if (state?.id) told.id = state.id;
  }

  #of({ urn, old }: StepEventMetadata): Told {
    const known = this.told.get(urn);
    if (known) return known;
    const told: Told = {
      urn,
      steps: new Map(),
      started: 0,
      ended: 0,
      failed: false,
      outputs: old?.outputs ?? {},
      id: old?.id ?? "",
    };
    this.told.set(urn, told);
    return told;
  }

  /** The provider's host writes its warnings as lines on stderr. */
  #diagnostic({ severity, message, urn }: { severity: string; message: string; urn?: string }): void {
    const text = message.replace(/<\{%.*?%\}>/g, "").trimEnd();
    const warning = /^warning: (.*)$/s.exec(text)?.[1];
    if (severity === "debug" || ENGINE_TALK.test(text)) return;
    if (severity === "error") this.errors.push({ message: text, ...(urn ? { urn } : {}) });
    else if (severity === "warning" || warning !== undefined) this.warnings.add(warning ?? text);
    else if (text !== "") this.printed.push(text);
  }

  #changesOf(told: Told): Change[] {
    if (isRootStack(told.urn)) return [];
    const op = operationOf(told.steps);
    const changes = op === undefined ? [] : [this.#change(told, op)];
    const leftover = told.steps.get("delete-replaced");
    if (leftover === undefined || op === "replace") return changes;
    const note = "what an earlier replacement left behind";
    return [...changes, { ...this.#change(told, "delete"), fields: [], id: leftover.old?.id, note }];
  }

  #change(told: Told, op: ChangeOp): Change {
    const metadata = decisive(told.steps, op);
    const state = metadata?.new ?? metadata?.old;
    const fieldsFor = told.alone === true ? refreshedFields : fieldsOf;
    const fields = metadata && op !== "delete" ? fieldsFor(metadata) : [];
    const url = urlOf(told.outputs);
    // What is gone already can't stay.
    const stays = op === "delete" && told.live !== null ? stayOf(metadata, this.warnings) : undefined;
    return {
      urn: told.urn,
      type: shortName(metadata?.type ?? ""),
      name: nameOf(told.urn),
      op,
      ...(this.#planning ? {} : { status: statusOf(told, state?.custom === true) }),
      ...(told.id === "" ? {} : { id: told.id }),
      ...(stays === undefined ? {} : { stays, note: stayNote(stays, metadata?.type ?? "") }),
      ...(url === undefined ? {} : { url }),
      fields,
      ...noteOf(metadata, op, fields),
      ...(this.#planning && op === "update" ? perhaps(metadata) : {}),
    };
  }
}

const ADOPTION = "takes over the existing object; of these fields, only what differs there is sent";

/** Where Pulumi found a plugin is nothing to warn of. */
const ENGINE_TALK = /^(warning: )?using pulumi-resource-pulumi-nodejs from \$PATH/;

export function shortName(type: string): string {
  return shortType(type).replace(/^landform:/, "");
}

/** Whether the step takes over an existing object, which an engine knows as any other creation. */
export function isAdoption(step: StepEventMetadata | undefined): boolean {
  const isOurs = step?.type.startsWith("pulumi-nodejs:dynamic/landform:") === true;
  return isOurs && (step.new?.inputs["adoptId"] ?? null) !== null;
}

/** What targets leave out of creation is told as the same as nothing: it has no id. */
function isSame({ urn, steps, id }: Told): boolean {
  const step = steps.get("same");
  return step !== undefined && !isRootStack(urn) && (id !== "" || step.new?.custom === false);
}

/** The address under which the page is public. */
export function urlOf(outputs: PropertyMap): string | undefined {
  const { url, status } = outputs;
  return typeof url === "string" && status === "published" ? url : undefined;
}

const REPLACING = ["replace", "create-replacement"];
const OPERATIONS: Record<string, ChangeOp> = {
  create: "create",
  import: "create",
  update: "update",
  delete: "delete",
  discard: "delete",
};

function operationOf(steps: Told["steps"]): ChangeOp | undefined {
  if (REPLACING.some((op) => steps.has(op))) return "replace";
  const op = [...steps.keys()].map((name) => OPERATIONS[name]).find((found) => found !== undefined);
  return op === "create" && isAdoption(steps.get("create")) ? "adopt" : op;
}

/** The step that knows both states. */
function decisive(steps: Told["steps"], op: ChangeOp): StepEventMetadata | undefined {
  const order = op === "replace" ? REPLACING : [op === "adopt" ? "create" : op];
  return order.map((name) => steps.get(name)).find((found) => found !== undefined) ?? [...steps.values()].at(-1);
}

function countedAs({ op, status, stays }: Change): keyof Counts {
  if (status !== undefined && status !== "done") return status;
  return stays === undefined ? op : "left";
}

function statusOf({ started, ended, failed }: Told, custom: boolean): Change["status"] {
  if (failed) return "failed";
  return ended >= started || !custom ? "done" : "unfinished";
}

function noteOf(metadata: StepEventMetadata | undefined, op: ChangeOp, fields: readonly Field[]): { note?: string } {
  if (op === "adopt") return { note: ADOPTION };
  const errors = metadata?.old?.initErrors ?? [];
  if (op === "update" && errors.length > 0) return { note: `carries on after: ${shortened(errors.join("; "))}` };
  if (op === "update" && fields.length === 0) return { note: "carries on with what an earlier run left unfinished" };
  return {};
}

/** The whole of it was told by the run that failed. */
function shortened(reason: string): string {
  const [line = ""] = reason.split("\n");
  return line.length > LONGEST_REASON || line !== reason
    ? `${line.slice(0, LONGEST_REASON).toWellFormed().trimEnd()}…`
    : line;
}

const LONGEST_REASON = 120;

function driftOf(told: Told, change: Change | undefined): Drift[] {
  const { urn, live, id } = told;
  if (live === undefined || isRootStack(urn)) return [];
  const type = [...told.steps.values()][0]?.type ?? "";
  const about = { urn, type: shortName(type), name: nameOf(urn), ...(id === "" ? {} : { id }) };
  if (live === null) return [{ ...about, kind: "gone", fields: [] }];
  const moved = fieldsBetween(live.before, live.after);
  const planned = new Map((change?.fields ?? []).map((field) => [field.path, field]));
  const fields = moved.map(({ path, old, new: now }) => {
    const code = planned.has(path) ? planned.get(path)?.new : now;
    return { path, ...optional("lastRun", old), ...optional("live", now), ...optional("code", code) };
  });
  if (fields.length > 0) return [{ ...about, kind: "changed", fields }];
  if (change === undefined || planned.size === 0) return [];
  const unsettled = [...planned.values()].map(({ path, old, new: code }) => ({
    path,
    ...optional("lastRun", old),
    ...optional("live", old),
    ...optional("code", code),
  }));
  return [{ ...about, kind: "unsettled", fields: unsettled }];
}

/** What a refresh by itself found: declared fields that are not as declared, or else what the service shows. */
function refreshedFields({ old, new: next }: StepEventMetadata): Field[] {
  const declared = fieldsBetween(old?.inputs ?? {}, next?.inputs ?? {});
  return declared.length > 0 ? declared : fieldsBetween(old?.outputs ?? {}, next?.outputs ?? {});
}

function optional<Key extends string>(key: Key, value: Json | undefined): Partial<Record<Key, Json>> {
  return value === undefined ? {} : ({ [key]: value } as Record<Key, Json>);
}
