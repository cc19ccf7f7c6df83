import { describe, expect } from "vitest";
import { Bench, THING, urn } from "./harness.ts";
import { thorough } from "../suite/parts.ts";

const bench = Bench.each();

const CLASSES = `
  class Group extends pulumi.ComponentResource {
    constructor(name, options, type = "toy:Group") {
      super(type, name, {}, options);
      new Thing(name + "-child", { name: "child of a group" }, { parent: this });
    }
  }
  class Empty extends pulumi.ComponentResource {
    constructor(name) { super("toy:Empty", name); }
  }
  class Other extends pulumi.CustomResource {
    constructor(name, inputs, options) {
      const provider = "exports.handler=()=>require(" + JSON.stringify(TOY) + ").toy";
      super("pulumi-nodejs:dynamic/toy:Other", name, { ...inputs, size: undefined, __provider: provider }, options);
    }
  }
`;

/** By the URN that a resource has afterwards: its code before and after. */
const MOVES: Readonly<Record<string, [before: string, after: string]>> = {
  // By name.
  [urn("new-1")]: [
    `new Thing("old-1", { name: "1" });`,
    `new Thing("new-1", { name: "1" }, { aliases: [{ name: "old-1" }] });`,
  ],
  // By URN.
  [urn("new-2")]: [
    `new Thing("old-2", { name: "2" });`,
    `new Thing("new-2", { name: "2" }, { aliases: ["${urn("old-2")}"] });`,
  ],
  // Into a component.
  [urn("t3", `toy:Empty$${THING}`)]: [
    `new Thing("t3", { name: "3" });`,
    `new Thing("t3", { name: "3" }, { parent: new Empty("e3"), aliases: [{ parent: pulumi.rootStackResource }] });`,
  ],
  // By type, project and stack.
  [urn("t4", "pulumi-nodejs:dynamic/toy:Other")]: [
    `new Thing("t4", { name: "4" });`,
    `new Other("t4", { name: "4" }, { aliases: [{ type: "${THING}", project: "demo", stack: "dev" }] });`,
  ],
  // The name of the parent, and its type.
  [urn("new-5-child", `toy:Group$${THING}`)]: [
    `new Group("old-5");`,
    `new Group("new-5", { aliases: [{ name: "old-5" }] });`,
  ],
  [urn("g6-child", `toy:New$${THING}`)]: [
    `new Group("g6", {}, "toy:Old");`,
    `new Group("g6", { aliases: [{ type: "toy:Old" }] }, "toy:New");`,
  ],
  // Out of a component.
  [urn("g7-child")]: [
    `new Group("g7");`,
    `new Thing("g7-child", { name: "child of a group" }, { aliases: ["${urn("g7-child", `toy:Group$${THING}`)}"] });`,
  ],
};

thorough("aliases let resources move without a call, in every way they can be written", async () => {
  const bodies = Object.values(MOVES);
  await bench.applied([CLASSES, ...bodies.map(([before]) => before)].join("\n"));
  await bench.up([CLASSES, ...bodies.map(([, after]) => after)].join("\n"));
  expect(await bench.calls()).toEqual([]);
  const { resources } = await bench.state();
  const present = resources.map((resource) => resource.urn).filter((candidate) => candidate.includes("toy:"));
  expect(present).toEqual(expect.arrayContaining(Object.keys(MOVES)));
  expect(present.filter((candidate) => /::old|toy:Old/.test(candidate))).toEqual([]);
});

describe("targets", () => {
  const body = (n: number) => `
    const a = new Thing("a", { text: "${n}" });
    const b = new Thing("b", { text: a.text });
    new Thing("c", { text: "${n}" });
  `;

  thorough("only the targets change", async () => {
    await bench.applied(body(1));
    expect((await bench.runs("up", body(2), { targets: [urn("c")] })).summary).toEqual({ same: 3, update: 1 });
    expect(await bench.calls()).toEqual(["update c"]);
    await bench.run("up", { targets: ["**::a", "**::b"] });
    expect(await bench.calls()).toEqual(["update c", "update a", "update b"]);
    await bench.apply();
  });

  thorough("what is not targeted is not created, and nothing may need it", async () => {
    const { failures } = await bench.runs("up", body(1), { targets: [urn("b")] });
    expect(failures).toMatchObject([{ cause: "target" }]);
    expect(await bench.calls()).toEqual([]);
    expect((await bench.run("up", { targets: [urn("c")] })).result).toBe("succeeded");
    expect(await bench.calls()).toEqual(["create c"]);
    await bench.apply();
  });
});

describe("a reviewed plan", () => {
  thorough("holds an up to its operations and inputs", async () => {
    await bench.applied(`new Thing("a", { text: "one" });`);
    const body = (text: string) => `new Thing("a", { text: "${text}" }); new Thing("b", { text: pulumi.secret("s") });`;
    const { plan } = await bench.runs("preview", body("two"));
    const expectedPlan = JSON.parse(JSON.stringify(plan)) as typeof plan;
    const refused = { failures: [{ cause: "plan-violation" }] };
    for (const changed of [body("three"), `new Thing("c", {});`, `new Thing("a", { text: "two", kind: "k" });`]) {
      expect(await bench.runs("up", changed, { expectedPlan, parallel: 1 })).toMatchObject(refused);
      expect((await bench.calls()).filter((call) => call !== "create b")).toEqual([]);
    }
    expect((await bench.runs("up", body("two"), { expectedPlan })).result).toBe("succeeded");
    expect(await bench.runs("up", "", { expectedPlan })).toMatchObject(refused);
  });

  thorough("tells a changed secret by a digest that says nothing of it", async () => {
    const program = (secret: string) => `new Thing("b", { nested: { text: pulumi.secret("${secret}") } });
      new Thing("c", { nested: { text: pulumi.secret("${secret}") } });`;
    const { plan } = await bench.runs("preview", program("swordfish"));
    expect((await bench.run("preview")).plan).toEqual(plan);
    expect(JSON.stringify(plan)).not.toContain("swordfish");
    const digests = plan.steps.flatMap(({ inputs }) => inputs["nested"] ?? []);
    expect(digests).toEqual([expect.stringMatching(/^secret:/), expect.stringMatching(/^secret:/)]);
    expect(new Set(digests).size).toBe(2);
    const refused = await bench.runs("up", program("bluefish"), { expectedPlan: plan });
    expect(refused.failures[0]?.message).toMatch(/create .*Thing::b: its inputs have changed since: nested/);
    expect(await bench.calls()).toEqual([]);
  });

  thorough("an update that may turn out to be a replacement may do so", async () => {
    const body = (text: string) => `const a = new Thing("a", { text: "${text}" }); new Thing("b", { kind: a.size });`;
    await bench.up(body("one"));
    const { plan } = await bench.runs("preview", body("fifteen"));
    const changes = plan.steps.filter(({ op }) => op !== "same");
    expect(changes.map((step) => [step.op, step.urn])).toEqual(["a", "b"].map((name) => ["update", urn(name)]));
    expect((await bench.apply({ expectedPlan: plan })).summary).toMatchObject({ update: 1, replace: 1 });
  });
});
