/** Errors of commands that docs/troubleshooting.md explains. */
import { FaultFileError } from "../../emulator/index.ts";
import { EngineError, StateError } from "../../engine/index.ts";
import { ApiError } from "../../provider/api/index.ts";
import { guideTo } from "../../provider/messages/failures.ts";
import { OwnedFileError } from "../../provider/ledger/owned-files.ts";

const EXPLAINED = [ApiError, EngineError, StateError, FaultFileError, OwnedFileError];

/** A further line for the message, or nothing. */
export function helpFor(error: Error): string {
  const guide = guideTo(error.name);
  const explained = EXPLAINED.some((base) => error instanceof base) && !error.message.endsWith(guide);
  return explained ? `\n  ${guide}` : "";
}
