/** Both engines keep a project's stacks in one place, so that neither makes once more what a stack of the other has made. */
import { existsSync, mkdirSync } from "node:fs";
import { delimiter, dirname } from "node:path";
import { beforeEach, expect, test } from "vitest";
import { realEngine as pulumi } from "../suite/parts.ts";
import { SYSTEM_PATH } from "./harness.ts";
import { NearDesk } from "./near-desk.ts";
import { forEachTest } from "../suite/opened.ts";

const desk = forEachTest(() => NearDesk.open(undefined, { seed: "empty" }));
beforeEach(() => {
  desk.program('new landform.Product("seven", { price: 3 });');
  for (const folder of ["home", "there"]) mkdirSync(desk.path(folder));
});

const THOROUGH = { tags: ["thorough"] };
const login = (current: string): void => desk.write("home/credentials.json", JSON.stringify({ current }));

async function told(code: number, args: readonly string[], PATH = SYSTEM_PATH): Promise<string> {
  return desk.saysWith({ PULUMI_HOME: desk.path("home"), PATH }, code, ...args);
}

test(
  "the embedded engine goes where pulumi is logged in, and leaves nothing in the project's folder",
  THOROUGH,
  async () => {
    login(`file://${desk.path("there")}`);
    await told(0, ["check"]);
    await told(0, ["up", "--yes"]);
    expect(existsSync(desk.path("there/.pulumi/stacks/test/dev.json"))).toBe(true);
    expect(existsSync(desk.path(".pulumi"))).toBe(false);
    expect(await told(0, ["doctor"])).toContain(`the stacks of test are kept in file://${desk.path("there")}`);
    await told(0, ["preview", "--detailed-exitcode"]);
  },
);

test("a stack with resources in the project's folder stays there, and an empty one is none", async () => {
  await told(0, ["preview"]);
  login(`file://${desk.path("there")}`);
  expect(await told(0, ["doctor"])).toContain(`kept in file://${desk.path("there")}`);
  login("");
  await told(0, ["up", "--yes"]);
  login(`file://${desk.path("there")}`);
  expect(await told(0, ["doctor"])).toContain(`kept in ${desk.folder}`);
  expect(await told(0, ["up", "--yes"])).toContain("no changes");
  expect(desk.emulator.records().products).toHaveLength(1);
});

test("where pulumi is logged in to a service, the embedded engine sends nothing", async () => {
  login("https://someone:secret@pulumi.example");
  for (const args of [["up", "--yes"], ["preview"]]) {
    const refused = await told(4, args);
    expect(refused).toMatch(/`pulumi login` points to https:\/\/pulumi\.example.*PULUMI_BACKEND_URL=file:\/\/\./s);
    expect(refused).not.toContain("secret");
  }
  expect(desk.emulator.records().products).toEqual([]);
});

test.skipIf(pulumi === undefined)(
  "a command without Pulumi on PATH changes nothing for those with it",
  THOROUGH,
  async () => {
    const PATH = [dirname(pulumi ?? ""), SYSTEM_PATH].join(delimiter);
    login(`file://${desk.path("there")}`);
    await told(0, ["up", "--yes"], PATH);
    await told(0, ["check"]);
    await told(0, ["preview", "--detailed-exitcode"]);
    expect(await told(0, ["up", "--yes"])).toContain("no changes");
    expect(await told(0, ["up", "--yes"], PATH)).toContain("no changes");
    expect(desk.emulator.records().products).toHaveLength(1);
  },
);
