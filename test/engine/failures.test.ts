import { describe, expect, test } from "vitest";
import { Bench, urn } from "./harness.ts";
import { forEachTest } from "../suite/opened.ts";
import { thorough } from "../suite/parts.ts";

const bench = forEachTest(() => Bench.open());

describe("failures", () => {
  thorough("a resource that exists and did not come up is kept and updated by the next run", async () => {
    await bench.program(`new Thing("a", { broken: true }); `);
    expect((await bench.run("up")).failures).toMatchObject([{ cause: "provider", urn: urn("a") }]);
    expect((await bench.resource("a"))?.initErrors).toEqual(["came up broken"]);
    await bench.clearCalls();
    await bench.program(`new Thing("a", { broken: true, text: "x" }); `);
    const still = await bench.run("up");
    expect(still.result).toBe("failed");
    expect((await bench.resource("a"))?.inputs).not.toHaveProperty("text");
    await bench.program(`new Thing("a", {}); `);
    await bench.apply();
    expect(await bench.calls()).toEqual(["update a", "update a"]);
    expect(await bench.resource("a")).not.toHaveProperty("initErrors");
  });

  thorough("what it says of why it did not come up shows no secret that it was sent, now or before", async () => {
    await bench.program(`new Thing("a", { broken: pulumi.secret("hunter22"), text: pulumi.secret("hunter2") }); `);
    await bench.run("up");
    expect((await bench.resource("a"))?.initErrors).toEqual(["came up broken by [secret]"]);
    await bench.program(`new Thing("a", { broken: "hunter2" }); `);
    await bench.run("up");
    expect((await bench.resource("a"))?.initErrors).toEqual(["came up broken by [secret]"]);
  });

  test("after a failure nothing new begins, and what was done is recorded", async () => {
    await bench.program(`
      const a = new Thing("a", {});
      const b = new Thing("b", { fail: "create", text: a.size });
      new Thing("c", { text: b.size });
    `);
    const failed = await bench.run("up");
    expect(failed.result).toBe("failed");
    expect(failed.failures).toMatchObject([{ cause: "provider", urn: urn("b"), source: { file: "index.cjs" } }]);
    expect(failed.failures[0]?.message).toMatch(
      /^creating toy:Thing "b" \(index\.cjs:6:\d+\) failed: the toy cannot create/,
    );
    expect(await bench.calls()).toEqual(["create a", "create b"]);
    expect(await bench.resource("a")).toBeDefined();
    expect((await bench.state()).pendingOperations).toEqual([]);
    await bench.program(
      `const a = new Thing("a", {}); const b = new Thing("b", { text: a.size }); new Thing("c", { text: b.size });`,
    );
    await bench.apply();
    expect((await bench.objects()).size).toBe(3);
  });

  thorough(
    "with continueOnError a preview tells everything that is refused, and takes nothing for a leftover",
    async () => {
      await bench.program(`new Thing("a", {});\nnew Thing("b", {});`);
      await bench.apply();
      await bench.program(`
      new Thing("a", { refuse: true });
      const b = new Thing("b", { refuse: true });
      new Thing("c", { text: b.size });
      new Thing("d", {});
    `);
      const failed = await bench.run("preview", { continueOnError: true });
      const refused = failed.failures.filter(({ cause }) => cause === "check");
      expect(refused.map((failure) => failure.urn)).toEqual([urn("a"), urn("b")]);
      expect(failed.plan.steps.filter(({ op }) => op === "delete")).toEqual([]);
    },
  );

  test("a check failure stops the run before anything is done, naming the property and the line", async () => {
    await bench.program(`new Thing("a", {});\nnew Thing("b", { refuse: true });`);
    const failed = await bench.run("preview");
    expect(failed.failures).toMatchObject([{ cause: "check", urn: urn("b") }]);
    expect(failed.failures[0]?.message).toMatch(/"b" \(index\.cjs:5:\d+\).*\n.*refuse: the toy refuses this/);
  });
});
