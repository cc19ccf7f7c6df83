/** Pulumi's events as the embedded engine tells them: what Pulumi leaves out when it is empty is filled in. Pure. */
import type {
  EngineEvent as PulumiEvent,
  StepEventMetadata as PulumiMetadata,
  StepEventStateMetadata as PulumiState,
} from "@pulumi/pulumi/automation/index.js";
import type { EngineEvent, StepEventMetadata, StepEventStateMetadata } from "../../../engine/index.ts";

export function completed(event: PulumiEvent): EngineEvent {
  const { resourcePreEvent, resOutputsEvent, resOpFailedEvent } = event;
  return {
    ...(event as EngineEvent),
    ...(resourcePreEvent && { resourcePreEvent: withMetadata(resourcePreEvent) }),
    ...(resOutputsEvent && { resOutputsEvent: withMetadata(resOutputsEvent) }),
    ...(resOpFailedEvent && { resOpFailedEvent: withMetadata(resOpFailedEvent) }),
  };
}

type Completed<Event> = Omit<Event, "metadata"> & { metadata: StepEventMetadata };

function withMetadata<Event extends { metadata: PulumiMetadata }>(event: Event): Completed<Event> {
  const { old, new: next, ...metadata } = event.metadata;
  return {
    ...event,
    metadata: {
      ...{ keys: [], diffs: [], detailedDiff: {}, logical: true },
      ...present<Omit<StepEventMetadata, "old" | "new">>(metadata),
      ...(old && { old: state(old) }),
      ...(next && { new: state(next) }),
    },
  };
}

function state(told: PulumiState): StepEventStateMetadata {
  const empty = {
    custom: false,
    delete: false,
    id: "",
    parent: "",
    protect: false,
    retainOnDelete: false,
    initErrors: [],
  };
  return { ...empty, ...{ inputs: {}, outputs: {} }, ...present<StepEventStateMetadata>(told) };
}

/** Empty lists and maps come as null. */
function present<Whole>(told: object): Whole {
  return Object.fromEntries(Object.entries(told).filter(([, value]) => value !== null && value !== undefined)) as Whole;
}
