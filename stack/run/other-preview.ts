/** Refuses a run as another preview environment than the stack is. */
import { RefusedError } from "../exit/codes.ts";
import type { Collector } from "../report/collect.ts";

/** Refuses if the record of an environment would be deleted, or if a resource found itself in another environment than before. */
export function refuseOtherPreview({ leavesPreview, failed }: Collector, stack: string): void {
  if (leavesPreview || failed.some(({ code }) => code === "preview-stack")) throw new RefusedError(noPreview(stack));
}

/** The run would adopt the base's objects and delete the environment's own with its record. */
function noPreview(stack: string): string {
  return [
    `${stack} is a preview environment, and this is no preview of it. Nothing was sent.`,
    `"npx landform env up" brings it up to date${stack.startsWith("br-") ? ", with --branch and the name of its branch" : ""}; "npx landform env down ${stack}" takes it away.`,
  ].join("\n");
}
