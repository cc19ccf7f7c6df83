import * as fc from "fast-check";
import { expect, test } from "vitest";
import { startEmulator } from "../../emulator/index.ts";
import { commands, compare, emptyModel } from "./model.ts";
import { connect, ownServer } from "./target.ts";

// A foreign account has records of its own, which no model knows.
test.runIf(ownServer)("any sequence of operations leaves the records that the specification promises", async () => {
  const used = new Set<string>();
  const property = fc.asyncProperty(fc.commands(commands, { maxCommands: 40, size: "max" }), async (sequence) => {
    const emulator = await startEmulator({ seed: "empty" });
    try {
      const [model, server] = [emptyModel(), connect(emulator.baseUrl, emulator.apiKey)];
      await fc.asyncModelRun(() => ({ model, real: server }), sequence);
      await compare(model, server);
      for (const { method, route } of emulator.requests) used.add(`${method} ${route}`);
    } finally {
      await emulator.close();
    }
  });
  await fc.assert(property, { numRuns: 25, endOnFailure: false });
  expect(used.size, "most operations took part").toBeGreaterThan(22);
});
