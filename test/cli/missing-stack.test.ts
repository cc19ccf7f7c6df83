/** A stack that doesn't exist is never healthy, and a question about it doesn't make one. One that does has several names. */
import { existsSync, readdirSync } from "node:fs";
import { expect, test } from "vitest";
import { stackNamed } from "../../stack/project/open.ts";
import { onBothEngines, thorough } from "../suite/parts.ts";
import { NearDesk } from "./near-desk.ts";
import { forAllTests } from "../suite/opened.ts";

onBothEngines((engine, path) => {
  const desk = forAllTests(async () => (await NearDesk.open("quickstart-yaml")).on(engine, path));
  const traces = () => [
    ...readdirSync(desk.folder).filter((name) => name.includes("typo")),
    ...(existsSync(desk.path(".pulumi/stacks/quickstart-yaml/typo.json")) ? ["typo.json"] : []),
  ];

  test("no stack yet, and what makes one", async () => {
    const drift = await desk.run(["drift", "--detailed-exitcode"]);
    expect([drift.code, drift.stdout]).toEqual([4, ""]);
    expect(drift.stderr).toContain('quickstart-yaml has no stack "dev"');
    expect(drift.stderr).toContain(`npx landform up --engine ${engine} makes one`);
  });

  thorough("what only looks, or ends before it has run anything, leaves none behind", async () => {
    for (const [code, ...args] of [
      [4, "up"],
      [0, "adopt", "--yes"],
      [0, "adopt", "--json"],
    ] as const) {
      expect((await desk.run([...args, "-s", "typo"])).code).toBe(code);
      expect(traces()).toEqual([]);
    }
  });

  thorough("what is declared and not in the state is drift, and so is what is no longer declared", async () => {
    await desk.plan();
    expect(await desk.says(2, "drift", "--detailed-exitcode", "--json", "drift.json")).toContain(
      "new in the code, and not made yet",
    );
    const report = desk.report("drift.json");
    expect(report.drift?.map(({ kind }) => kind)).toEqual(Array.from({ length: 5 }, () => "absent"));
    await desk.up();
    await desk.says(0, "drift", "--detailed-exitcode");
    const program = desk.read("landform.yaml");
    const bare = await desk.declare("landform: 1\nname: quickstart-yaml\n").run(["drift", "--detailed-exitcode"]);
    desk.declare(program);
    expect([bare.code, bare.stdout.match(/no longer in the code/g)?.length]).toEqual([2, 5]);
  });

  test.each([["drift"], ["destroy", "--yes"], ["refresh", "--yes"], ["output"], ["state", "export"]])(
    "%s",
    { tags: ["thorough"] },
    async (...args) => {
      desk.emulator.requests.length = 0;
      const said = await desk.says(4, ...args, "-s", "typo");
      expect(said).toContain('has no stack "typo"');
      expect(said).toContain("It has dev.");
      expect(traces()).toEqual([]);
      expect(desk.emulator.requests).toEqual([]);
    },
  );

  thorough("up that nobody looks at makes no stack by a slip of a name, and one that is meant", async () => {
    desk.emulator.requests.length = 0;
    expect(await desk.says(4, "up", "--yes", "-s", "edv")).toMatch(
      /no stack "edv"\. Did you mean dev\? .*npx landform up -s edv .*--create/s,
    );
    expect(readdirSync(desk.folder).filter((name) => name.includes("edv"))).toEqual([]);
    expect((await desk.run(["stack", "ls"])).stdout).not.toContain("edv");
    expect(desk.emulator.requests).toEqual([]);
    const program = desk.read("landform.yaml");
    await desk.declare("landform: 1\nname: quickstart-yaml\nproducts: { cup: { price: 3 } }\n").up("-s", "meant");
    await desk.plansNothing("-s", "meant");
    await desk.up("-s", "meant");
    await desk.up("-s", "edv", "--create");
    for (const stack of ["meant", "edv"]) await desk.says(0, "destroy", "--yes", "-s", stack);
    desk.declare(program);
  });
});

/** The names of a stack in Pulumi, its operator, Deployments and our own reports. */
test("one stack by each of its names", async () => {
  const desk = await NearDesk.own();
  desk.declare(
    "landform: 1\nname: funnels\npages: { offer: { template: tpl-hero } }\noutputs: { id: pages.offer.id }\n",
  );
  await desk.up("--stack", "organization/funnels/dev");
  for (const stack of ["dev", "funnels/dev", "organization/dev", "organization/funnels/dev"]) {
    const { stack: named } = await desk.json("ci", "plan", "--detailed-exitcode", "--stack", stack);
    expect([stack, named]).toEqual([stack, "dev"]);
  }
  for (const args of [["output", "id"], ["history"], ["state", "export"]])
    await desk.says(0, ...args, "--stack", "organization/funnels/dev");
  expect(await desk.says(0, "stack", "ls")).not.toContain("organization");
});

test("a stack's name with another project is refused, and makes none", async () => {
  const desk = await NearDesk.own();
  desk.declare("landform: 1\nname: funnels\n");
  expect(await desk.says(4, "up", "--yes", "--stack", "organization/other/dev")).toContain(
    "a stack of the project other, and this one is called funnels",
  );
});

test("an organization of Pulumi Cloud stays in a stack's name", () => {
  const names = ["acme/funnels/prod", "acme/prod", "funnels/funnels/prod"];
  for (const name of names) expect(stackNamed(name, "funnels")).toBe(name);
});
