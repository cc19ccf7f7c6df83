/** Commands that only look say so to every process of theirs: no call that changes something is sent then. */
import { ReadOnlyError } from "./errors.ts";
import type { Operation } from "./operations.ts";
import type { WireRequest } from "./request.ts";

export const READ_ONLY_VARIABLE = "LANDFORM_READ_ONLY";

export function refuseWrites({ effect }: Operation, { method, path }: WireRequest): void {
  if (effect === "read" || process.env[READ_ONLY_VARIABLE] !== "true") return;
  throw new ReadOnlyError({
    method,
    path,
    what: `not sent: ${READ_ONLY_VARIABLE} is set, and this call changes the account`,
    remedy: `Run a command that applies, without ${READ_ONLY_VARIABLE}.`,
    outcome: "refused",
  });
}
