/** Refuses a run as another preview environment than the stack is. */
import { RefusedError } from "../exit/codes.ts";
import type { Collector } from "../report/collect.ts";

/** Refuses if the record of an environment would be deleted, or if a resource found itself in another environment than before. */
export function refuseOtherPreview({ leavesPreview, failed }: Collector, stack: string): void {
  if (leavesPreview || failed.some(({ code }) => code === "preview-stack")) throw noPreview(stack);
}

/** The run would adopt the base's objects and delete the environment's own with its record. */
function noPreview(stack: string): RefusedError {
  const ofBranch = stack.startsWith("br-") ? ["--branch", "NAME"] : [];
  return new RefusedError(`${stack} is a preview environment, and this is no preview of it. Nothing was sent.`, {
    advice: [
      { command: "env up", arguments: ofBranch, reason: "brings it up to date." },
      { command: "env down", arguments: [stack], reason: "takes it away." },
    ],
  });
}
