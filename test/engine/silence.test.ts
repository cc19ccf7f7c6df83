// @module-tag thorough
/** Every call to the provider's host ends in time, and the error names the resource. */
import { describe, expect, test } from "vitest";
import { Bench } from "./harness.ts";
import { forEachTest } from "../suite/opened.ts";

const bench = forEachTest(() => Bench.open());

const patienceMs = 2_000;

describe("a provider that never answers", () => {
  test("a creation", async () => {
    await bench.program(`new Thing("mug", { silent: "create" }); new Thing("cup", {});`);
    const result = await bench.run("up", { patienceMs });
    expect(result.result).toBe("failed");
    expect(result.failures).toMatchObject([{ cause: "host" }]);
    expect(result.failures[0]?.message).toMatch(/^create of toy:Thing "mug": the provider did not answer within 2 s/);
    const { pendingOperations } = await bench.state();
    expect(pendingOperations.map(({ type, resource }) => `${type} ${resource.urn.split("::").at(-1)}`)).toEqual([
      "creating mug",
    ]);
    expect(await bench.resource("cup")).toBeDefined();
    await bench.program(`new Thing("mug", {}); new Thing("cup", {});`);
    await bench.apply();
  });

  test("a comparison and a reading", async () => {
    await bench.program(`new Thing("mug", {});`);
    await bench.apply();
    await bench.program(`new Thing("mug", { silent: "diff" });`);
    const preview = await bench.run("preview", { patienceMs });
    expect(preview.failures[0]?.message).toMatch(/^diff of toy:Thing "mug": the provider did not answer/);
    await bench.program(`new Thing("mug", { silent: "read" });`);
    await bench.apply();
    const refresh = await bench.run("refresh", { patienceMs });
    expect(refresh.failures[0]?.message).toMatch(/^read of toy:Thing "mug": the provider did not answer/);
    expect(await bench.resource("mug")).toBeDefined();
  });
});
