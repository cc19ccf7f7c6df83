/** All commands, in the order of the help: one line each. */
import type { Command } from "commander";
import { addCompletion } from "./completion.ts";
import { addConfig } from "./config.ts";
import { addDemo } from "./demo.ts";
import { addDestroy } from "./destroy.ts";
import { addDiff } from "./diff.ts";
import { addDoctor } from "./doctor.ts";
import { addDrift } from "./drift.ts";
import { addEmulator } from "./emulator.ts";
import { addExport } from "./export.ts";
import { addInit } from "./init.ts";
import { addPreview } from "./preview.ts";
import { addRefresh } from "./refresh.ts";
import { addState } from "./state.ts";
import { addUp } from "./up.ts";
import { addValidate } from "./validate.ts";

/** Adds one command to the program. Its action sets `process.exitCode`, or throws. */
export type AddCommand = (program: Command) => void;

export const commands: readonly AddCommand[] = [
  addInit,
  addValidate,
  addPreview,
  addUp,
  addRefresh,
  addDrift,
  addDestroy,
  addExport,
  addDiff,
  addConfig,
  addState,
  addEmulator,
  addDoctor,
  addCompletion,
  addDemo,
];
