import type { PropertyMap, StepEventMetadata } from "../../engine/index.ts";

/** All that was told about one resource. */
export interface Told {
  urn: string;
  /** By operation of the engine. */
  steps: Map<string, StepEventMetadata>;
  /** By id, the deletions of what replacements of this run and of earlier ones leave behind. */
  leftovers: Map<string, StepEventMetadata>;
  /** Operations that have begun and not ended. */
  underWay: Set<string>;
  failed: boolean;
  /** Outputs as the run left them. */
  outputs: PropertyMap;
  id: string;
  /** What a refresh found; null when it is gone. */
  live?: { before: PropertyMap; after: PropertyMap } | null;
  /** The refresh was all there was to it. */
  alone?: true;
}
