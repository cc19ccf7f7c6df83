/** All commands, in the order of the help: one line each. */
import type { Command } from "commander";
import { addDemo } from "./demo.ts";
import { addDrift } from "./drift.ts";
import { addDestroy } from "./destroy.ts";
import { addEmulator } from "./emulator.ts";
import { addPreview } from "./preview.ts";
import { addRefresh } from "./refresh.ts";
import { addUp } from "./up.ts";

/** Adds one command to the program. Its action sets `process.exitCode`, or throws. */
export type AddCommand = (program: Command) => void;

export const commands: readonly AddCommand[] = [
  addPreview,
  addUp,
  addRefresh,
  addDrift,
  addDestroy,
  addEmulator,
  addDemo,
];
