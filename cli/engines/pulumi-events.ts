/** Pulumi's events as the embedded engine tells them: what Pulumi leaves out when it is empty is filled in. Pure. */
import type {
  EngineEvent as PulumiEvent,
  StepEventMetadata as PulumiMetadata,
  StepEventStateMetadata as PulumiState,
} from "@pulumi/pulumi/automation/index.js";
import type { EngineEvent, StepEventMetadata, StepEventStateMetadata } from "../../engine/index.ts";

export function completed(event: PulumiEvent): EngineEvent {
  const { resourcePreEvent, resOutputsEvent, resOpFailedEvent } = event;
  return {
    ...(event as EngineEvent),
    ...(resourcePreEvent && { resourcePreEvent: withMetadata(resourcePreEvent) }),
    ...(resOutputsEvent && { resOutputsEvent: withMetadata(resOutputsEvent) }),
    ...(resOpFailedEvent && { resOpFailedEvent: withMetadata(resOpFailedEvent) }),
  };
}

function withMetadata<Event extends { metadata: PulumiMetadata }>(
  event: Event,
): Event & { metadata: StepEventMetadata } {
  const { old, new: next, ...metadata } = event.metadata;
  const told = { keys: [], diffs: [], detailedDiff: {}, logical: true, provider: "", ...metadata };
  return {
    ...event,
    metadata: {
      ...(told as unknown as StepEventMetadata),
      ...(old && { old: state(old) }),
      ...(next && { new: state(next) }),
    } as Event["metadata"] & StepEventMetadata,
  };
}

function state(told: PulumiState): StepEventStateMetadata {
  const empty = { custom: false, delete: false, id: "", parent: "", protect: false, provider: "", initErrors: [] };
  return { ...empty, inputs: {}, outputs: {}, ...told } as unknown as StepEventStateMetadata;
}
