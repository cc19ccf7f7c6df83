/** Gathers an engine's events of one or several operations. The report and the progress are both made from them. Pure. */
import type { RunResult } from "./run-result.ts";
import { isDefaultProvider, isRootStack, typeOf } from "../../engine/index.ts";
import type { EngineEvent, PropertyMap, StepEventMetadata } from "../../engine/index.ts";
import { definitionOf } from "../../provider/kinds/registry.ts";
import { isMap } from "../../provider/values/json.ts";
import type { StepFailure } from "../../provider/messages/failures.ts";
import { ENVIRONMENT_TYPE, isOfPreview } from "../../provider/preview/stand-ins.ts";
import { readFailureLine, readHostLine } from "../../provider/messages/host-lines.ts";
import { isNews, type Notice } from "../../provider/messages/notices.ts";
import { shownAs, type Told, withLeft } from "./steps.ts";
import { declaredIn, driftOf } from "./drift.ts";
import type { Change, Counts, Drift, Stay } from "./model.ts";
import { visible } from "./values.ts";
import { changesOf, countsOf } from "./decide.ts";
import { heldAt, isKept, stayOf } from "./rows.ts";

/** The meaning of an event while the engine still works. */
export type Activity =
  | { kind: "begun"; step: StepActivity }
  | { kind: "ended"; step: StepActivity; failed: boolean; stays?: Stay; held?: Change["held"] }
  | { kind: "printed"; line: string };

export interface StepActivity {
  urn: string;
  type: string;
  /** The engine's operation, or `adopt`. */
  op: string;
}

type Recorded = Pick<RunResult, "shared" | "goesWith" | "left" | "dependencies" | "pending">;

export class Collector {
  readonly told = new Map<string, Told>();
  readonly warnings = new Set<string>();
  readonly notices: Notice[] = [];
  /** The failures of steps, as data. Their messages come separately. */
  readonly failed: StepFailure[] = [];
  readonly errors: { message: string; urn?: string }[] = [];
  stackOutputs: PropertyMap = {};
  /** The stack is a preview environment, and the run was no preview. */
  leavesPreview = false;
  #recorded: Recorded = { pending: [] };
  /** The URNs of objects that the plan leaves in the account. */
  readonly #left: ReadonlySet<string>;
  /** By id, the addresses that a release has published. The pages' own state may not have them yet. */
  readonly #released = new Map<string, string>();
  #planning = false;
  /** Valid since the last event: a report asks for the changes often, and for thousands of resources each answer is large. */
  #changes: readonly Change[] | undefined;

  constructor(left: ReadonlySet<string> = new Set()) {
    this.#left = left;
  }

  add(event: EngineEvent): Activity[] {
    this.#changes = undefined;
    const { resourcePreEvent, resOutputsEvent, resOpFailedEvent, diagnosticEvent } = event;
    const step = resourcePreEvent ?? resOutputsEvent ?? resOpFailedEvent;
    if (step?.metadata.type === ENVIRONMENT_TYPE && step.metadata.op === "delete") this.leavesPreview = true;
    // Pulumi also tells of the provider that it registers by itself.
    if (step && (isDefaultProvider(step.metadata.urn) || isOfPreview(step.metadata.type))) return [];
    if (resourcePreEvent) return this.#begun(resourcePreEvent.metadata, resourcePreEvent.planning === true);
    if (resOutputsEvent) return this.#ended(resOutputsEvent.metadata, false);
    if (resOpFailedEvent) return this.#ended(resOpFailedEvent.metadata, true);
    if (diagnosticEvent && diagnosticEvent.ephemeral !== true) return this.#diagnostic(diagnosticEvent);
    return [];
  }

  /** Takes the state's facts from before the run. `isUnsaved`: the run before saved no state, so only the code tells what it was asked for. */
  recorded(recorded: Recorded, isUnsaved = false): void {
    this.#recorded = recorded;
    this.#changes = undefined;
    for (const { urn, asked } of recorded.pending) {
      const told = this.told.get(urn);
      if (told) told.asked = asked;
    }
    for (const told of this.told.values()) {
      this.#recall(told);
      if (isUnsaved) told.asked ??= declaredIn(told);
      for (const { new: next } of told.steps.values())
        if (next) next.propertyDependencies ??= recorded.dependencies?.(told.urn) ?? {};
    }
  }

  /** An earlier refresh may have put the values of people into the state: the last run left others. */
  #recall(told: Told): void {
    const old = [...told.steps.values()].find((step) => step.old !== undefined)?.old;
    const left = this.#recorded.left?.get(old?.urn ?? told.urn);
    if (old === undefined || left === undefined || told.live === null) return;
    const { before, after } = told.live ?? { before: old.inputs, after: old.inputs };
    told.live = { before: withLeft(before, left), after };
  }

  changes(): readonly Change[] {
    const { shared, goesWith } = this.#recorded;
    const facts = { planning: this.#planning, notices: this.notices, shared, goesWith };
    return (this.#changes ??= changesOf(this.told, facts));
  }

  counts(): Counts {
    return { ...countsOf(this.changes()), same: this.#same().length };
  }

  counted(): Set<string> {
    return new Set([...this.changes(), ...this.#same()].map(({ urn }) => urn));
  }

  /** Compares live values with the last run, and with the code if a plan was made after the refresh. */
  drift(): Drift[] {
    const changes = new Map(this.changes().map((change) => [change.urn, change]));
    return [...this.told.values()].flatMap((told) => driftOf(told, changes.get(told.urn), this.notices));
  }

  #same(): Told[] {
    return [...this.told.values()].filter((told) => isSame(told) && !isKept(told, this.notices));
  }

  #begun(metadata: StepEventMetadata, planning: boolean): Activity[] {
    this.#planning = planning;
    const told = this.#of(metadata);
    told.steps.set(metadata.op, metadata);
    told.underWay.add(metadata.op);
    if (metadata.op === "delete-replaced") told.leftovers.set(metadata.old?.id ?? "", metadata);
    return isRootStack(metadata.urn) ? [] : [{ kind: "begun", step: activityOf(metadata) }];
  }

  #ended(metadata: StepEventMetadata, failed: boolean): Activity[] {
    const told = this.#of(metadata);
    // A refresh without a plan ends as the operation that it found.
    const begun = [metadata.op, "refresh"].find((op) => told.underWay.has(op));
    if (failed) told.failed = true;
    else this.#learn(told, metadata);
    if (begun === undefined) return [];
    told.underWay.delete(begun);
    if (isRootStack(metadata.urn)) return [];
    const stays = DELETIONS.has(begun) && !failed ? this.#stayOf(metadata) : undefined;
    const whole = told.steps.get(begun) ?? metadata;
    const held = failed ? undefined : heldAt(whole, this.notices);
    return [{ kind: "ended", step: activityOf(whole), failed, ...(stays && { stays }), ...(held && { held }) }];
  }

  #stayOf(metadata: StepEventMetadata): Stay | undefined {
    return stayOf(metadata, this.notices) ?? (this.#left.has(metadata.urn) ? "in place" : undefined);
  }

  #learn(told: Told, metadata: StepEventMetadata): void {
    const state = metadata.new ?? metadata.old;
    if (isRootStack(metadata.urn)) this.stackOutputs = visible(metadata.new?.outputs ?? {});
    if (told.steps.has("refresh") && told.live === undefined) {
      const before = metadata.old?.inputs ?? {};
      told.live = metadata.new ? { before, after: metadata.new.inputs } : null;
      if (metadata.op !== "refresh") {
        told.steps.set(metadata.op, metadata);
        told.alone = true;
      }
    }
    // The deletion of a replacement ends last and tells about the old object.
    if (metadata.op === "delete-replaced") return;
    // A preview's outputs are its inputs.
    if (this.#planning && metadata.op !== "refresh") return;
    if (Object.keys(state?.outputs ?? {}).length > 0) told.outputs = state?.outputs ?? {};
    if (state?.id) told.id = state.id;
    this.#hearOfReleases(told);
  }

  #hearOfReleases(told: Told): void {
    const published = isMap(told.outputs["urls"]) ? Object.entries(told.outputs["urls"]) : [];
    for (const [id, url] of published) if (typeof url === "string") this.#released.set(id, url);
    for (const one of published.length > 0 ? this.told.values() : [told]) {
      const url = this.#released.get(one.id);
      const place = url === undefined ? undefined : definitionOf(typeOf(one.urn))?.gathered?.placeIn(one.outputs);
      if (url !== undefined && place !== undefined)
        one.outputs = { ...one.outputs, ...place, url, status: "published" };
    }
  }

  #of({ urn, old }: StepEventMetadata): Told {
    const known = this.told.get(urn);
    if (known) return known;
    const told: Told = {
      urn,
      steps: new Map(),
      leftovers: new Map(),
      underWay: new Set(),
      failed: false,
      outputs: old?.outputs ?? {},
      id: old?.id ?? "",
    };
    this.told.set(urn, told);
    this.#hearOfReleases(told);
    return told;
  }

  /** The provider's host writes its warnings as lines on stderr. */
  #diagnostic({ severity, message, urn }: { severity: string; message: string; urn?: string }): Activity[] {
    const text = message.replace(/<\{%.*?%\}>/g, "").trimEnd();
    const failure = readFailureLine(text);
    if (failure) {
      this.failed.push(failure);
      return [];
    }
    const line = readHostLine(text);
    if (line?.notice) this.notices.push(line.notice);
    if (line?.notice !== undefined && isToldElsewhere(line.notice)) return [];
    if (severity === "debug" || ENGINE_TALK.test(text)) return [];
    if (severity === "error") this.errors.push({ message: text, ...(urn ? { urn } : {}) });
    else if (line?.notice !== undefined && isNews(line.notice)) return [];
    else if (severity === "warning" || line !== undefined) this.warnings.add(line?.text ?? text);
    else if (text !== "" && !this.#isToldAlready(text)) return [{ kind: "printed", line: text }];
    return [];
  }

  /** Pulumi's own host prints a thrown error, too, as `ServerError: message: ` (SDK 3.270, 2026-11-25). The failure of the step already tells it. */
  #isToldAlready(printed: string): boolean {
    const bare = printed.replace(/^\w*Error: /, "").replace(/:\s*$/, "");
    return this.failed.some(({ text }) =>
      text.split("\n").some((line) => line.trim() !== "" && line.trimEnd() === bare),
    );
  }
}

/** Notices that are told once all are known, or together with their resource. */
const TOLD_TOGETHER: ReadonlySet<Notice["code"]> = new Set(["moved", "carried-on", "removed-leftover"]);

/** The report itself lists the pages and values that were held back, but for a page that is public as a part of its release. */
function isToldElsewhere(notice: Notice): boolean {
  const isListed = notice.code === "foreign-edits" && notice.outcome === "held-back" && notice.isPublic !== true;
  return isListed || TOLD_TOGETHER.has(notice.code);
}

const DELETIONS = new Set(["delete", "delete-replaced"]);

/** The place where Pulumi found a plugin is no reason for a warning, and the report itself lists interrupted operations and what became of them. */
const ENGINE_TALK =
  /^(?:(?:warning: )?using pulumi-resource-pulumi-nodejs from \$PATH|Attempting to deploy or update resources with \d+ pending operations? )/;

function activityOf(step: StepEventMetadata): StepActivity {
  return { urn: step.urn, type: step.type, op: shownAs(step) };
}

/** Tells if a resource is unchanged. The engine also tells "same" for a creation that the targets leave out, but that has no id. */
function isSame({ urn, steps, id }: Told): boolean {
  const step = steps.get("same");
  return step !== undefined && !isRootStack(urn) && (id !== "" || step.new?.custom === false);
}
