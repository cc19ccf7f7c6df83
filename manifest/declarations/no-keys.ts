/** An API key is for the header of calls alone: as a value it would stand in the account, in the state and on pages. */
import { keyVariable } from "../../provider/api/index.ts";
import type { Diagnostics } from "../diagnostics/diagnostics.ts";
import { deferredIn, type AccountEntry, type Entry, type OutputEntry, type Tree } from "./model.ts";

interface Declarations {
  readonly accounts: readonly AccountEntry[];
  readonly entries: readonly Entry[];
  readonly outputs: readonly OutputEntry[];
}

export function refuseKeys({ accounts, entries, outputs }: Declarations, diagnostics: Diagnostics): void {
  const named = accounts.map(({ settings }) => settings["apiKeyEnv"]).filter((name) => typeof name === "string");
  const keys = new Set([keyVariable, ...named]);
  const trees: Tree[] = [
    ...accounts.map(({ settings }) => settings),
    ...entries.map(({ inputs }) => inputs),
    ...outputs.map(({ value }) => value),
  ];
  for (const { origin, place, path } of trees.flatMap((tree) => [...deferredIn(tree)])) {
    if (origin.from !== "env" || !keys.has(origin.name)) continue;
    diagnostics.error("invalid-value", place, `${path} takes the variable ${origin.name}, which holds an API key`, {
      path,
      hint: "A key as a value would stand in the account, on pages and in the state. Take another variable.",
    });
  }
}
