/** The same walks on Pulumi's own engine, with its processes. */
import fc from "fast-check";
import { describe, test } from "vitest";
import { realEngine, rounds } from "../suite/parts.ts";
import { ROUNDS, Walk, walks } from "./walk.ts";

const WALKS = rounds({ quick: 0, all: 2, full: 50 });
const LENGTH = rounds({ quick: 0, all: 2, full: ROUNDS });

describe.skipIf(realEngine === undefined)("on Pulumi's engine", () => {
  test(`${WALKS} walks: each plan keeps its word`, { timeout: WALKS * 1_200_000 }, async () => {
    const walk = fc.asyncProperty(walks(LENGTH), (steps) => Walk.run(steps, "pulumi"));
    await fc.assert(walk, { numRuns: WALKS, endOnFailure: true });
  });
});
