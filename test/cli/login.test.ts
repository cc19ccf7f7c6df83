/** Both engines keep a project's stacks in one place, so that neither makes once more what a stack of the other has made. */
import { existsSync, mkdirSync } from "node:fs";
import { delimiter, dirname } from "node:path";
import { beforeEach, expect, test } from "vitest";
import { realEngine as pulumi, thorough } from "../suite/parts.ts";
import { SYSTEM_PATH } from "./harness.ts";
import { NearDesk } from "./near-desk.ts";
import { forEachTest } from "../suite/opened.ts";

const desk = forEachTest(() => NearDesk.open(undefined, { seed: "empty" }));
beforeEach(() => {
  desk.also.env = { PULUMI_HOME: desk.path("home") };
  desk.program('new landform.Product("seven", { price: 3 });');
  for (const folder of ["home", "there"]) mkdirSync(desk.path(folder));
});

const login = (current: string) => desk.write("home/credentials.json", JSON.stringify({ current }));

thorough("the embedded engine goes where pulumi is logged in, and leaves nothing in the folder", async () => {
  await login(`file://${desk.path("there")}`).says(0, "check");
  await desk.up();
  expect(existsSync(desk.path("there/.pulumi/stacks/test/dev.json"))).toBe(true);
  expect(existsSync(desk.path(".pulumi"))).toBe(false);
  expect(await desk.says(0, "doctor")).toContain(`the stacks of test are kept in file://${desk.path("there")}`);
  await desk.plansNothing();
});

test("a stack with resources in the project's folder stays there, and an empty one is none", async () => {
  await desk.plan();
  login(`file://${desk.path("there")}`);
  expect(await desk.says(0, "doctor")).toContain(`kept in file://${desk.path("there")}`);
  await login("").up();
  expect(await login(`file://${desk.path("there")}`).says(0, "doctor")).toContain(`kept in ${desk.folder}`);
  expect(await desk.up()).toContain("no changes");
  expect(desk.rows("products")).toHaveLength(1);
});

test("where pulumi is logged in to a service, the embedded engine sends nothing", async () => {
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
    const PATH = [dirname(pulumi ?? ""), SYSTEM_PATH].join(delimiter);
    await login(`file://${desk.path("there")}`).saysWith({ PATH }, 0, "up", "--yes");
    await desk.says(0, "check");
    await desk.plansNothing();
    expect(await desk.up()).toContain("no changes");
    expect(await desk.saysWith({ PATH }, 0, "up", "--yes")).toContain("no changes");
    expect(desk.rows("products")).toHaveLength(1);
  },
);
