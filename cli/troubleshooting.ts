/** Where docs/troubleshooting.md explains an error. A test holds that every class has its entry there. */
import { FaultFileError } from "../emulator/index.ts";
import { EngineError } from "../engine/errors.ts";
import { StateError } from "../engine/state/index.ts";
import { ApiError } from "../provider/api/index.ts";

const EXPLAINED = [ApiError, EngineError, StateError, FaultFileError];

/** A further line for the message, or nothing. */
export function helpFor(error: Error): string {
  const explained = EXPLAINED.some((base) => error instanceof base);
  return explained ? `\n  See docs/troubleshooting.md#${anchorOf(error.name)}` : "";
}

/** `WrongPassphraseError` is explained under `wrong-passphrase`. */
export function anchorOf(name: string): string {
  const words = name.replace(/Error$/, "").replaceAll(/(?<=[a-z])(?=[A-Z])/g, "-");
  return words.toLowerCase();
}
