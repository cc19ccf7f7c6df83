import { scenarios } from "../scenarios/index.ts";
import { createKit } from "./kit.ts";

/** Runs the program of a scenario's step inside the process that an engine started for it. Returns the stack's outputs. */
export function runProgram(scenario: string, step: number, store: string): unknown {
  const program = scenarios.find(({ name }) => name === scenario)?.steps[step]?.program;
  if (!program) throw new Error(`the scenario "${scenario}" has no program in step ${step}`);
  return program(createKit(store));
}
