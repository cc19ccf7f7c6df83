/** A stack that doesn't exist is never healthy, and a question about it doesn't make one. */
import { createHash } from "node:crypto";
import { existsSync, mkdirSync, readdirSync, realpathSync } from "node:fs";
import { expect, test } from "vitest";
import type { JsonReport } from "../../stack/report/json.ts";
import { onBothEngines, thorough } from "../suite/parts.ts";
import { SYSTEM_PATH, outputOf } from "./harness.ts";
import { NearDesk } from "./near-desk.ts";
import { forAllTests, inTest } from "../suite/opened.ts";

onBothEngines((engine, path) => {
  const desk = forAllTests(() => NearDesk.open("quickstart-yaml"));
  const run = (...args: string[]) => desk.run([...args, "--engine", engine], { env: { PATH: path(SYSTEM_PATH) } });
  const traces = () => [
    ...readdirSync(desk.folder).filter((name) => name.includes("typo")),
    ...(existsSync(desk.path(".pulumi/stacks/quickstart-yaml/typo.json")) ? ["typo.json"] : []),
  ];

  test("no stack yet, and what makes one", async () => {
    const drift = await run("drift", "--detailed-exitcode");
    expect([drift.code, drift.stdout]).toEqual([4, ""]);
    expect(drift.stderr).toContain('quickstart-yaml has no stack "dev"');
    expect(drift.stderr).toContain(`npx landform up --engine ${engine} makes one`);
  });

  thorough("the stack that Pulumi has selected is told if it is another one", async () => {
    const own = await inTest(NearDesk.open("quickstart"));
    const file = realpathSync(own.path("Pulumi.yaml"));
    const digest = createHash("sha1").update(file).digest("hex");
    mkdirSync(own.path("home/workspaces"), { recursive: true });
    const told = async (selected: string): Promise<string> => {
      const text = JSON.stringify({ stacks: { "file://~": `organization/quickstart/${selected}` } }, undefined, 4);
      own.write(`home/workspaces/quickstart-${digest}-workspace.json`, text);
      const env = {
        PATH: path(SYSTEM_PATH),
        PULUMI_HOME: own.path("home"),
        PULUMI_BACKEND_URL: `file://${own.folder}`,
      };
      const { stdout, stderr } = await own.run(["preview", "--engine", engine], { env });
      return stdout + stderr;
    };
    expect(await told("prod")).toContain("note: this command works on the stack dev, and Pulumi has prod selected.");
    expect(await told("dev")).not.toContain("selected");
  });

  thorough("what only looks, or ends before it has run anything, leaves none behind", async () => {
    for (const [code, ...args] of [
      [4, "up"],
      [0, "adopt", "--yes"],
      [0, "adopt", "--json"],
    ] as const) {
      expect((await run(...args, "-s", "typo")).code).toBe(code);
      expect(traces()).toEqual([]);
    }
  });

  thorough("what is declared and not in the state is drift, and so is what is no longer declared", async () => {
    expect((await run("preview")).code).toBe(0);
    expect(await outputOf(2, run("drift", "--detailed-exitcode", "--json", "drift.json"))).toContain(
      "new in the code, and not made yet",
    );
    const report = JSON.parse(desk.read("drift.json")) as JsonReport;
    expect(report.drift?.map(({ kind }) => kind)).toEqual(Array.from({ length: 5 }, () => "absent"));
    expect((await run("up", "--yes")).code).toBe(0);
    expect((await run("drift", "--detailed-exitcode")).code).toBe(0);
    const program = desk.read("landform.yaml");
    desk.write("landform.yaml", "landform: 1\nname: quickstart-yaml\n");
    const bare = await run("drift", "--detailed-exitcode");
    desk.write("landform.yaml", program);
    expect([bare.code, bare.stdout.match(/no longer in the code/g)?.length]).toEqual([2, 5]);
  });

  test.each([["drift"], ["destroy", "--yes"], ["refresh", "--yes"], ["output"], ["state", "export"]])(
    "%s",
    { tags: ["thorough"] },
    async (...args) => {
      desk.emulator.requests.length = 0;
      const said = await outputOf(4, run(...args, "-s", "typo"));
      expect(said).toContain('has no stack "typo"');
      expect(said).toContain("It has dev.");
      expect(traces()).toEqual([]);
      expect(desk.emulator.requests).toEqual([]);
    },
  );

  thorough("up that nobody looks at makes no stack by a slip of a name, and one that is meant", async () => {
    desk.emulator.requests.length = 0;
    expect(await outputOf(4, run("up", "--yes", "-s", "edv"))).toMatch(
      /no stack "edv"\. Did you mean dev\? .*npx landform up -s edv .*--create/s,
    );
    expect(readdirSync(desk.folder).filter((name) => name.includes("edv"))).toEqual([]);
    expect((await run("stack", "ls")).stdout).not.toContain("edv");
    expect(desk.emulator.requests).toEqual([]);
    const program = desk.read("landform.yaml");
    desk.write("landform.yaml", "landform: 1\nname: quickstart-yaml\nproducts: { cup: { price: 3 } }\n");
    expect((await run("up", "--yes", "-s", "meant")).code).toBe(0);
    expect((await run("preview", "-s", "meant", "--detailed-exitcode")).code).toBe(0);
    expect((await run("up", "--yes", "-s", "meant")).code).toBe(0);
    expect((await run("up", "--yes", "-s", "edv", "--create")).code).toBe(0);
    for (const stack of ["meant", "edv"]) expect((await run("destroy", "--yes", "-s", stack)).code).toBe(0);
    desk.write("landform.yaml", program);
  });

  thorough("a preview that fails leaves none, and one that doesn't is kept", async () => {
    expect(await outputOf(4, run("preview", "-s", "other"))).toContain("taken");
    expect((await run("stack", "ls")).stdout).not.toContain("other");
    expect((await run("drift", "-s", "other")).code).toBe(4);
    const program = desk.read("landform.yaml");
    desk.write("landform.yaml", "landform: 1\nname: quickstart-yaml\n");
    expect((await run("preview", "-s", "other")).code).toBe(0);
    expect((await run("stack", "ls")).stdout).toContain("other");
    desk.write("landform.yaml", program);
    // The stack existed before.
    expect((await run("preview", "-s", "other")).code).toBe(4);
    expect((await run("stack", "ls")).stdout).toContain("other");
  });

  thorough("up with a plan of another stack", async () => {
    expect((await run("preview", "--save", "plan.json")).code).toBe(0);
    expect(await outputOf(3, run("up", "--plan", "plan.json", "-s", "typo"))).toContain(
      "the plan was made for the stack dev, and this is typo",
    );
    expect(traces()).toEqual([]);
    desk.write("plan.json", "null");
    expect((await run("up", "--plan", "plan.json")).stderr).toContain("of this version (no object)");
  });
});

thorough("a project that got another name is told of the stack of the old one", async () => {
  const desk = await inTest(NearDesk.open("quickstart-yaml"));
  expect((await desk.run(["up", "--yes"])).code).toBe(0);
  desk.edit("landform.yaml", "name: quickstart-yaml", "name: renamed");
  expect(await outputOf(4, desk.run(["destroy", "--yes"]))).toContain("There is a stack quickstart-yaml/dev");
  expect((await desk.run(["preview"])).stdout).toContain("There is a stack quickstart-yaml/dev");
});
