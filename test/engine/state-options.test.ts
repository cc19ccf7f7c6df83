import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { Bench } from "./harness.ts";

let bench: Bench;
beforeEach(async () => {
  bench = await Bench.open();
});
afterEach(() => bench.close());

const THING = "pulumi-nodejs:dynamic/toy:Thing";
const urn = (name: string, type = THING) => `urn:pulumi:dev::demo::${type}::${name}`;

async function urns(): Promise<string[]> {
  const { resources } = await bench.state();
  return resources.map((resource) => resource.urn).filter((candidate) => candidate.includes("toy:"));
}

const GROUP = `
  class Group extends pulumi.ComponentResource {
    constructor(name, options, type = "toy:Group") {
      super(type, name, {}, options);
      new Thing(name + "-child", { name: "child" }, { parent: this });
    }
  }
`;

describe("aliases", () => {
  const moves: [string, string, string, string][] = [
    [
      "by name",
      `new Thing("old", { name: "x" });`,
      `new Thing("new", { name: "x" }, { aliases: [{ name: "old" }] });`,
      urn("new"),
    ],
    [
      "by URN",
      `new Thing("old", { name: "x" });`,
      `new Thing("new", { name: "x" }, { aliases: ["${urn("old")}"] });`,
      urn("new"),
    ],
    [
      "into a component",
      `new Thing("x", { name: "x" });`,
      `class G extends pulumi.ComponentResource { constructor() { super("toy:G", "g"); } }
       new Thing("x", { name: "x" }, { parent: new G(), aliases: [{ parent: pulumi.rootStackResource }] });`,
      urn("x", `toy:G$${THING}`),
    ],
    [
      "by type and project",
      `new Thing("x", { name: "x" });`,
      `class Other extends pulumi.CustomResource { constructor(name, inputs, options) {
         super("pulumi-nodejs:dynamic/toy:Other", name, { ...inputs, size: undefined, __provider: "exports.handler=()=>require(" + JSON.stringify(TOY) + ").toy" }, options); } }
       new Other("x", { name: "x" }, { aliases: [{ type: "${THING}", project: "demo", stack: "dev" }] });`,
      urn("x", "pulumi-nodejs:dynamic/toy:Other"),
    ],
    [
      "of the parent's name",
      `${GROUP} new Group("old");`,
      `${GROUP} new Group("new", { aliases: [{ name: "old" }] });`,
      urn("new-child", `toy:Group$${THING}`),
    ],
    [
      "of the parent's type",
      `${GROUP} new Group("g", {}, "toy:Old");`,
      `${GROUP} new Group("g", { aliases: [{ type: "toy:Old" }] }, "toy:New");`,
      urn("g-child", `toy:New$${THING}`),
    ],
    [
      "out of a component",
      `${GROUP} new Group("g");`,
      `new Thing("g-child", { name: "child" }, { aliases: ["${urn("g-child", `toy:Group$${THING}`)}"] });`,
      urn("g-child"),
    ],
  ];

  test.each(moves)("%s", async (_name, before, after, expected) => {
    await bench.program(before);
    await bench.apply();
    await bench.clearCalls();
    await bench.program(after);
    await bench.apply();
    expect(await bench.calls()).toEqual([]);
    expect(await urns()).toContain(expected);
    expect((await urns()).filter((candidate) => /::old|toy:Old/.test(candidate))).toEqual([]);
  });

  test("two resources may not claim one alias", async () => {
    await bench.program(`new Thing("old", {});`);
    await bench.apply();
    await bench.program(`
      new Thing("a", {}, { aliases: [{ name: "old" }] });
      new Thing("b", {}, { aliases: [{ name: "old" }] });
    `);
    const result = await bench.run("preview");
    expect(result.failures[0]?.message).toMatch(/stands for .*::old, and so does/);
  });
});

describe("targets", () => {
  const body = (n: number) => `
    const a = new Thing("a", { text: "${n}" });
    const b = new Thing("b", { text: a.text });
    new Thing("c", { text: "${n}" });
  `;

  test("only the targets change, and their dependents when asked for", async () => {
    await bench.program(body(1));
    await bench.apply();
    await bench.clearCalls();
    await bench.program(body(2));
    expect((await bench.run("up", { targets: [urn("c")] })).summary).toEqual({ same: 3, update: 1 });
    expect(await bench.calls()).toEqual(["update c"]);
    await bench.run("up", { targets: ["**::a"], targetDependents: true });
    expect(await bench.calls()).toEqual(["update c", "update a", "update b"]);
    await bench.apply();
  });

  test("what is not targeted is not created, and nothing may need it", async () => {
    await bench.program(body(1));
    const failed = await bench.run("up", { targets: [urn("b")] });
    expect(failed.failures).toMatchObject([{ cause: "target" }]);
    expect(await bench.calls()).toEqual([]);
    const result = await bench.run("up", { targets: [urn("c")] });
    expect(result.result).toBe("succeeded");
    expect(await bench.calls()).toEqual(["create c"]);
    await bench.apply();
  });

  test("a target that does not exist is an error", async () => {
    await bench.program(body(1));
    const failed = await bench.run("preview", { targets: [urn("nobody")] });
    expect(failed.failures[0]?.message).toContain(`the target ${urn("nobody")} is neither`);
  });

  test("destroy of a target asks for its dependents", async () => {
    await bench.program(body(1));
    await bench.apply();
    await bench.clearCalls();
    const refused = await bench.run("destroy", { targets: [urn("a")] });
    expect(refused.failures).toMatchObject([{ cause: "target", urn: urn("b") }]);
    expect(await bench.calls()).toEqual([]);
    const result = await bench.run("destroy", { targets: [urn("a")], targetDependents: true });
    expect(result.summary).toEqual({ same: 2, delete: 2 });
    expect(await bench.calls()).toEqual(["delete b", "delete a"]);
  });
});

describe("a reviewed plan", () => {
  test("holds an up to its operations and inputs", async () => {
    await bench.program(`new Thing("a", { text: "one" });`);
    await bench.apply();
    await bench.clearCalls();
    await bench.program(`new Thing("a", { text: "two" }); new Thing("b", { text: pulumi.secret("s") });`);
    const { plan } = await bench.run("preview");
    const expectedPlan = JSON.parse(JSON.stringify(plan)) as typeof plan;
    for (const changed of [
      `new Thing("a", { text: "three" }); new Thing("b", { text: pulumi.secret("s") });`,
      `new Thing("c", {});`,
      `new Thing("a", { text: "two", kind: "k" });`,
    ]) {
      await bench.program(changed);
      const result = await bench.run("up", { expectedPlan, parallel: 1 });
      expect(result.failures[0]).toMatchObject({ cause: "plan-violation" });
      expect((await bench.calls()).filter((call) => call !== "create b")).toEqual([]);
    }
    await bench.program(`new Thing("a", { text: "two" }); new Thing("b", { text: pulumi.secret("s") });`);
    expect((await bench.run("up", { expectedPlan })).result).toBe("succeeded");
    await bench.program("");
    expect((await bench.run("up", { expectedPlan })).failures[0]?.cause).toBe("plan-violation");
  });
});
