import { rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { beforeEach, describe, expect, test } from "vitest";
import { thorough } from "../suite/parts.ts";
import { Bench, urn } from "./harness.ts";
import { forEachTest } from "../suite/opened.ts";

const bench = forEachTest(() => Bench.open());

async function tamper(name: string, change: Record<string, unknown> | undefined): Promise<void> {
  const id = (await bench.resource(name))?.id ?? "";
  const object = (await bench.objects()).get(id);
  const file = join(bench.root, `${id}.json`);
  if (change === undefined) await rm(file);
  else await writeFile(file, JSON.stringify({ ...object, ...change }));
}

describe("refresh", () => {
  beforeEach(async () => {
    await bench.applied(`
      const a = new Thing("a", { text: "one", tag: pulumi.secret("s") });
      const b = new Thing("b", { text: a.text });
      new Thing("c", {}, { dependsOn: b, parent: b });
      exports.text = a.text;
    `);
  });

  test("takes in what has changed, field by field, and the next up sets it right", async () => {
    await tamper("a", { text: "changed", size: 5 });
    expect((await bench.run("refresh", { dryRun: true })).summary).toEqual({ same: 3, update: 1 });
    expect((await bench.resource("a"))?.outputs?.["text"]).toBe("one");
    const result = await bench.run("refresh");
    expect(result.summary).toEqual({ same: 3, update: 1 });
    expect(result.plan.steps).toMatchObject([{ op: "update", urn: urn("a") }]);
    expect(result.plan.steps[0]?.detailedDiff).toMatchObject({
      text: { diffKind: "update", inputDiff: false, old: "one", new: "changed" },
    });
    expect((await bench.resource("a"))?.inputs).toMatchObject({ text: "changed", tag: { value: "s" } });
    expect(await bench.calls()).toEqual([]);
    const fixed = await bench.apply();
    expect(fixed.summary).toEqual({ same: 3, update: 1 });
    expect(await bench.calls()).toEqual(["update a"]);
  });

  thorough("what is gone leaves the state, its dependents keep valid references, and up creates it again", async () => {
    await tamper("b", undefined);
    expect((await bench.run("refresh")).summary).toEqual({ same: 3, delete: 1 });
    expect(await bench.resource("b")).toBeUndefined();
    const child = await bench.resource("c");
    expect(child?.parent).toBe("urn:pulumi:dev::demo::pulumi:pulumi:Stack::demo-dev");
    expect(child?.dependencies ?? []).not.toContain(urn("b"));
    await bench.apply();
    expect(await bench.calls()).toEqual(["create b"]);
  });
});

describe("destroy", () => {
  thorough("keeps what a protected or stubborn resource needs, and the rest goes", async () => {
    await bench.applied(`
      const a = new Thing("a", {});
      new Thing("b", { text: a.size }, { protect: true });
      new Thing("c", {});
    `);
    expect((await bench.run("destroy")).failures).toMatchObject([{ cause: "protected", urn: urn("b") }]);
    expect(await bench.calls()).toEqual(["delete c"]);
    expect(await bench.resource("a")).toBeDefined();
  });
});

describe("an interruption", () => {
  const slow = `for (const name of ["a", "b", "c", "d"]) new Thing(name, { delay: 700 });`;

  /** Interrupts as soon as the first object is being created. */
  async function interrupted(signals: ("cancel" | "terminate")[]) {
    const controllers = { cancel: new AbortController(), terminate: new AbortController() };
    const options = { cancel: controllers.cancel.signal, terminate: controllers.terminate.signal, parallel: 2 };
    const running = bench.run("up", options);
    while ((await bench.calls("create")).length < 2) await new Promise((resolve) => setTimeout(resolve, 20));
    for (const signal of signals) controllers[signal].abort();
    return running;
  }

  thorough("lets what is under way end and begins nothing new", async () => {
    await bench.program(slow);
    expect((await interrupted(["cancel"])).result).toBe("cancelled");
    expect(await bench.calls()).toHaveLength(2);
    const state = await bench.state();
    expect(state.pendingOperations).toEqual([]);
    expect((await bench.objects()).size).toBe(2);
    expect(state.resources.filter(({ type }) => type.includes("toy:"))).toHaveLength(2);
    await bench.apply();
    expect((await bench.objects()).size).toBe(4);
  });

  thorough("the second time leaves what is under way recorded as pending, and the next run clears it", async () => {
    await bench.program(slow);
    expect((await interrupted(["cancel", "terminate"])).result).not.toBe("succeeded");
    const { pendingOperations } = await bench.state();
    expect(pendingOperations.map(({ type }) => type)).toEqual(["creating", "creating"]);
    expect((await bench.run("up")).result).toBe("succeeded");
    expect((await bench.state()).pendingOperations).toEqual([]);
  });
});

describe("the death of the provider's process", () => {
  thorough("is an error with its last lines, and what was under way stays pending", async () => {
    await bench.program(`console.log("x"); new Thing("a", { crash: "after-create" });`);
    const result = await bench.run("up");
    expect(result.failures).toMatchObject([{ cause: "host", urn: urn("a") }]);
    expect(result.failures[0]?.message).toMatch(/creating toy:Thing "a".*failed: the process .* ended unexpectedly/);
    expect((await bench.state()).pendingOperations).toMatchObject([{ type: "creating", resource: { urn: urn("a") } }]);
  });
});
