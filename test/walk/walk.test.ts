import fc from "fast-check";
import { test } from "vitest";
import { Walk, walks } from "./walk.ts";

test("walks", async () => {
  await fc.assert(
    fc.asyncProperty(walks, (rounds) => Walk.run(rounds, "embedded")),
    {
      numRuns: Number(process.env["WALKS"] ?? 5),
      ...(process.env["SEED"] ? { seed: Number(process.env["SEED"]) } : {}),
      interruptAfterTimeLimit: 400_000,
      markInterruptAsFailure: false,
    },
  );
}, 500_000);
