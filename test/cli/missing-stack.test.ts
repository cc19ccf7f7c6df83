/** A stack that doesn't exist is never healthy, and a question about it doesn't make one. One that does has several names. */
import { existsSync, mkdirSync, readdirSync } from "node:fs";
import { expect, test } from "vitest";
import { stackNamed } from "../../stack/project/open.ts";
import { onBothEngines, realEngine as pulumi, thorough } from "../suite/parts.ts";
import { NearDesk } from "./near-desk.ts";
import { forAllTests, inTest } from "../suite/opened.ts";
import { delimiter, dirname } from "node:path";
import { SYSTEM_PATH } from "./harness.ts";

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
    expect(desk.report("drift.json").drift?.map(({ kind }) => kind)).toEqual(Array.from({ length: 5 }, () => "absent"));
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

/** Both engines keep a project's stacks where pulumi is logged in, so that neither makes once more what a stack of the other has made. */
async function withLogin() {
  const desk = await inTest(NearDesk.open(undefined, { seed: "empty" }));
  desk.also.env = { PULUMI_HOME: desk.path("home") };
  for (const folder of ["home", "there"]) mkdirSync(desk.path(folder));
  const login = (current: string) => desk.write("home/credentials.json", JSON.stringify({ current }));
  return {
    desk: desk.program('new landform.Product("seven", { price: 3 });'),
    login,
    there: `file://${desk.path("there")}`,
  };
}

thorough("the embedded engine goes where pulumi is logged in, and leaves nothing in the folder", async () => {
  const { desk, login, there } = await withLogin();
  await login(there).says(0, "check");
  await desk.up();
  expect(existsSync(desk.path("there/.pulumi/stacks/test/dev.json"))).toBe(true);
  expect(existsSync(desk.path(".pulumi"))).toBe(false);
  expect(await desk.says(0, "doctor")).toContain(`the stacks of test are kept in ${there}`);
  await desk.plansNothing();
});

test("a stack with resources in the project's folder stays there, and an empty one is none", async () => {
  const { desk, login, there } = await withLogin();
  await desk.plan();
  login(there);
  expect(await desk.says(0, "doctor")).toContain(`kept in ${there}`);
  await login("").up();
  expect(await login(there).says(0, "doctor")).toContain(`kept in ${desk.folder}`);
  expect(await desk.up()).toContain("no changes");
  expect(desk.rows("products")).toHaveLength(1);
});

test("where pulumi is logged in to a service, the embedded engine sends nothing", async () => {
  const { desk, login } = await withLogin();
  login("https://someone:secret@pulumi.example");
  for (const args of [["up", "--yes"], ["preview"]]) {
    const refused = await desk.says(4, ...args);
    expect(refused).toMatch(/`pulumi login` points to https:\/\/pulumi\.example.*PULUMI_BACKEND_URL=file:\/\/\./s);
    expect(refused).not.toContain("secret");
  }
  expect(desk.rows("products")).toEqual([]);
});

test.skipIf(pulumi === undefined)(
  "a command without Pulumi on PATH changes nothing for those with it",
  { tags: ["thorough"] },
  async () => {
    const { desk, login, there } = await withLogin();
    const PATH = [dirname(pulumi ?? ""), SYSTEM_PATH].join(delimiter);
    await login(there).saysWith({ PATH }, 0, "up", "--yes");
    await desk.says(0, "check");
    await desk.plansNothing();
    expect(await desk.up()).toContain("no changes");
    expect(await desk.saysWith({ PATH }, 0, "up", "--yes")).toContain("no changes");
    expect(desk.rows("products")).toHaveLength(1);
  },
);
