import { describe, expect } from "vitest";
import { Bench, THING, urn } from "./harness.ts";
import { forEachTest } from "../suite/opened.ts";
import { thorough } from "../suite/parts.ts";

const bench = forEachTest(() => Bench.open());

async function urns(): Promise<string[]> {
  const { resources } = await bench.state();
  return resources.map((resource) => resource.urn).filter((candidate) => candidate.includes("toy:"));
}

/** Classes that the programs below use. */
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

interface Move {
  what: string;
  before: string;
  after: string;
  urn: string;
}

const MOVES: Move[] = [
  {
    what: "by name",
    before: `new Thing("old-1", { name: "1" });`,
    after: `new Thing("new-1", { name: "1" }, { aliases: [{ name: "old-1" }] });`,
    urn: urn("new-1"),
  },
  {
    what: "by URN",
    before: `new Thing("old-2", { name: "2" });`,
    after: `new Thing("new-2", { name: "2" }, { aliases: ["${urn("old-2")}"] });`,
    urn: urn("new-2"),
  },
  {
    what: "into a component",
    before: `new Thing("t3", { name: "3" });`,
    after: `new Thing("t3", { name: "3" }, { parent: new Empty("e3"), aliases: [{ parent: pulumi.rootStackResource }] });`,
    urn: urn("t3", `toy:Empty$${THING}`),
  },
  {
    what: "by type, project and stack",
    before: `new Thing("t4", { name: "4" });`,
    after: `new Other("t4", { name: "4" }, { aliases: [{ type: "${THING}", project: "demo", stack: "dev" }] });`,
    urn: urn("t4", "pulumi-nodejs:dynamic/toy:Other"),
  },
  {
    what: "of the parent's name",
    before: `new Group("old-5");`,
    after: `new Group("new-5", { aliases: [{ name: "old-5" }] });`,
    urn: urn("new-5-child", `toy:Group$${THING}`),
  },
  {
    what: "of the parent's type",
    before: `new Group("g6", {}, "toy:Old");`,
    after: `new Group("g6", { aliases: [{ type: "toy:Old" }] }, "toy:New");`,
    urn: urn("g6-child", `toy:New$${THING}`),
  },
  {
    what: "out of a component",
    before: `new Group("g7");`,
    after: `new Thing("g7-child", { name: "child of a group" }, { aliases: ["${urn("g7-child", `toy:Group$${THING}`)}"] });`,
    urn: urn("g7-child"),
  },
];

describe("aliases", () => {
  thorough("let resources move without a call, in every way they can be written", async () => {
    await bench.applied([CLASSES, ...MOVES.map(({ before }) => before)].join("\n"));
    await bench.program([CLASSES, ...MOVES.map(({ after }) => after)].join("\n"));
    await bench.apply();
    expect(await bench.calls()).toEqual([]);
    const present = await urns();
    for (const move of MOVES) expect(present, move.what).toContain(move.urn);
    expect(present.filter((candidate) => /::old|toy:Old/.test(candidate))).toEqual([]);
  });
});

describe("targets", () => {
  const body = (n: number) => `
    const a = new Thing("a", { text: "${n}" });
    const b = new Thing("b", { text: a.text });
    new Thing("c", { text: "${n}" });
  `;

  thorough("only the targets change", async () => {
    await bench.applied(body(1));
    await bench.program(body(2));
    expect((await bench.run("up", { targets: [urn("c")] })).summary).toEqual({ same: 3, update: 1 });
    expect(await bench.calls()).toEqual(["update c"]);
    await bench.run("up", { targets: ["**::a", "**::b"] });
    expect(await bench.calls()).toEqual(["update c", "update a", "update b"]);
    await bench.apply();
  });

  thorough("what is not targeted is not created, and nothing may need it", async () => {
    await bench.program(body(1));
    const failed = await bench.run("up", { targets: [urn("b")] });
    expect(failed.failures).toMatchObject([{ cause: "target" }]);
    expect(await bench.calls()).toEqual([]);
    const result = await bench.run("up", { targets: [urn("c")] });
    expect(result.result).toBe("succeeded");
    expect(await bench.calls()).toEqual(["create c"]);
    await bench.apply();
  });
});

describe("a reviewed plan", () => {
  thorough("holds an up to its operations and inputs", async () => {
    await bench.applied(`new Thing("a", { text: "one" });`);
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

  thorough("tells a changed secret by a digest that says nothing of it", async () => {
    const program = (secret: string) => `new Thing("b", { nested: { text: pulumi.secret("${secret}") } });
      new Thing("c", { nested: { text: pulumi.secret("${secret}") } });`;
    await bench.program(program("swordfish"));
    const { plan } = await bench.run("preview");
    const again = await bench.run("preview");
    expect(again.plan).toEqual(plan);
    expect(JSON.stringify(plan)).not.toContain("swordfish");
    const digests = plan.steps.flatMap(({ inputs }) => inputs["nested"] ?? []);
    expect(digests).toEqual([expect.stringMatching(/^secret:/), expect.stringMatching(/^secret:/)]);
    expect(new Set(digests).size).toBe(2);
    await bench.program(program("bluefish"));
    const refused = await bench.run("up", { expectedPlan: plan });
    expect(refused.failures[0]?.message).toMatch(/create .*Thing::b: its inputs have changed since: nested/);
    expect(await bench.calls()).toEqual([]);
  });

  thorough("an update that may turn out to be a replacement may do so", async () => {
    const program = (text: string) =>
      `const a = new Thing("a", { text: "${text}" }); new Thing("b", { kind: a.size });`;
    await bench.program(program("one"));
    await bench.apply();
    await bench.program(program("fifteen"));
    const { plan } = await bench.run("preview");
    expect(plan.steps.filter(({ op }) => op !== "same").map(({ op, urn: of }) => `${op} ${of}`)).toEqual([
      `update ${urn("a")}`,
      `update ${urn("b")}`,
    ]);
    const result = await bench.apply({ expectedPlan: plan });
    expect(result.summary).toMatchObject({ update: 1, replace: 1 });
  });
});
