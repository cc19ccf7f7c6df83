/** The process of a program, whenever it was started: its functions, its environment, and the end that it asks for. */
import { expect, test, vi } from "vitest";
import { Desk } from "./harness.ts";
import { inTest } from "../suite/opened.ts";
import { thorough } from "../suite/parts.ts";

const PAGE = `new landform.Page("one", { templateId: "tpl-thankyou", variables: { brand: "Mugs", support_email: "a@mugs.example" } });`;

vi.setConfig({ testTimeout: 240_000 });

async function opened(program: string): Promise<Desk> {
  const desk = await inTest(Desk.open());
  desk.program(program);
  return desk;
}

test.each([
  ["--env-file=values.env", "values.env", "WORD=said"],
  [
    "--import=./first.mjs",
    "first.mjs",
    'process.env.WORD = "said"; process.env.FROM_OUTSIDE = "changed"; process.env.SEEN = process.env.LANDFORM_WORD;',
  ],
])("the environment as Node's own arguments make it: %s", { tags: ["thorough"] }, async (argument, file, text) => {
  const desk = await opened(
    "export const words = [process.env.WORD, process.env.FROM_OUTSIDE, process.env.LANDFORM_WORD, process.env.SEEN].join();",
  );
  desk.write(
    "Pulumi.yaml",
    desk.read("Pulumi.yaml").replace("typescript: false", `typescript: false\n    nodeargs: "${argument}"`),
  );
  desk.write(file, text);
  const env = { ...desk.env, FROM_OUTSIDE: "outside", LANDFORM_WORD: "ours" };
  const { stdout } = await desk.run(["up", "--yes"], { env });
  expect(stdout).toMatch(/said,(outside|changed),ours/);
  expect(stdout.includes("changed")).toBe(argument.startsWith("--import"));
  // A module that loads first sees everything that the program sees.
  if (argument.startsWith("--import")) expect(stdout).toContain("said,changed,ours,ours");
});

thorough("an error that the program tells ends the run, and nothing is made or deleted", async () => {
  const good = `import * as pulumi from "@pulumi/pulumi";\n${PAGE}`;
  const desk = await opened(good);
  await desk.applies();
  desk.program(`import * as pulumi from "@pulumi/pulumi";\npulumi.log.error("stop: a price is missing");`);
  desk.emulator.requests.length = 0;
  const up = await desk.run(["up", "--yes"]);
  expect(up.code).not.toBe(0);
  expect((up.stdout + up.stderr).match(/stop: a price is missing/g)).toHaveLength(1);
  expect(desk.emulator.requests.filter(({ method }) => method !== "GET")).toEqual([]);
  await desk.program(good).applies();
});

thorough("what a program declares in no preview is made, and one that doesn't ask is run only once", async () => {
  const PRODUCT = `import * as pulumi from "@pulumi/pulumi";
import { appendFileSync } from "node:fs";
appendFileSync("runs.txt", "x");
new landform.Product("shown", { price: 5 });`;
  const desk = await opened(PRODUCT);
  const unchanged = async (): Promise<number> => {
    expect(await desk.write("runs.txt", "").up()).toContain("no changes");
    return desk.read("runs.txt").length;
  };
  await desk.up();
  expect(await unchanged()).toBe(1);
  desk.program(`${PRODUCT}\nif (!pulumi.runtime.isDryRun()) new landform.Product("hidden", { price: 6 });`);
  expect(await desk.up()).toContain("1 created");
  desk.program(`${PRODUCT}\npulumi.runtime.isDryRun();\nnew landform.Product("hidden", { price: 6 });`);
  expect(await unchanged()).toBe(2);
});
