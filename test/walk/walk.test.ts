/**
 * Random walks over what a team does after the first deploy, in the code and in the app, on the embedded engine in one
 * process: what each plan says is what the account shows afterwards, and nothing else; and a second plan is empty.
 */
import fc from "fast-check";
import { test } from "vitest";
import { asked, rounds } from "../suite/parts.ts";
import { Walk, walks } from "./walk.ts";

const WALKS = rounds({ quick: 1, all: 12, full: 1_000 });

test(`${WALKS} walks: each plan keeps its word`, { timeout: WALKS * 120_000 }, async () => {
  const walk = fc.asyncProperty(walks(), (steps) => Walk.run(steps, "embedded"));
  // The story that a failure tells is short enough to be read whole.
  // New ones are looked for before a release; anywhere else the same are walked again.
  const seed = asked === "full" ? {} : { seed: 20 };
  await fc.assert(walk, { numRuns: WALKS, endOnFailure: true, ...seed });
});
