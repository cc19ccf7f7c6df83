// @module-tag thorough
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { comparableState, misplaced, readDeployment } from "./checkpoint.ts";
import { EmbeddedEngine } from "./embedded.ts";
import type { OperationKind, OperationOptions, TestEngine } from "./engine.ts";
import { realEngine } from "../suite/parts.ts";
import { RealEngine } from "./real.ts";
import { createSandbox, removeSandbox, setConfig, writeProgram, type Sandbox } from "./sandbox.ts";
import { handover } from "./scenarios/handover.ts";
import { ToyStore } from "./toy/store.ts";

const unprotected = 1;
const [applied] = handover.steps;

describe.skipIf(realEngine === undefined)("both engines: one carries on where the other stopped", () => {
  const engines: TestEngine[] = [];

  beforeAll(() => engines.push(new RealEngine(), new EmbeddedEngine()));

  afterAll(async () => {
    for (const engine of engines) await engine.close();
  });

  async function succeed(engine: TestEngine, sandbox: Sandbox, kind: OperationKind, options: OperationOptions = {}) {
    const { result, output } = await engine.run({ sandbox, kind, options });
    expect(result, `${engine.name} ${kind}\n${output}`).toBe("succeeded");
    expect(misplaced(sandbox)).toEqual([]);
  }

  test.each(["pulumi", "embedded"])(
    "%s applies, the other finds nothing to do, then changes and destroys",
    async (name) => {
      const [first, second] = [...engines].sort((a, b) => Number(b.name === name) - Number(a.name === name));
      if (!first || !second) throw new Error("the engines were not started");
      const sandbox = createSandbox();
      try {
        setConfig(sandbox, applied?.config ?? {});
        writeProgram(sandbox, handover.name, 0);
        await first.open(sandbox);
        await second.attach(sandbox);
        await succeed(first, sandbox, "up");
        const before = comparableState(sandbox);
        await succeed(second, sandbox, "preview", { expectNoChanges: true });
        await succeed(second, sandbox, "up", { expectNoChanges: true });
        expect(comparableState(sandbox)).toEqual(before);
        await succeed(first, sandbox, "refresh", { expectNoChanges: true });
        writeProgram(sandbox, handover.name, unprotected);
        await succeed(second, sandbox, "up");
        await succeed(first, sandbox, "preview", { expectNoChanges: true });
        await succeed(first, sandbox, "destroy");
        expect(readDeployment(sandbox).resources ?? []).toEqual([]);
        // The program gave up `d` with `retainOnDelete`.
        expect(new ToyStore(sandbox.store).ids).toEqual(["d-1"]);
      } finally {
        removeSandbox(sandbox);
      }
    },
  );
});
