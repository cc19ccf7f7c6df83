/** Faults of a program: the message says where and what to do, on the embedded engine. */
import { expect, test } from "vitest";
import { Desk, outputOf } from "./harness.ts";
import { inTest } from "../suite/opened.ts";

const SDK = 'import * as pulumi from "@pulumi/pulumi";';
const PROJECT = `new landform.Project("a", { description: "x".repeat(60), context: "y".repeat(210) }`;
const NEVER_CALLED = "the program exports a function as its default, and nobody calls it";

type Fault = [program: string, type: "module" | undefined, told: string, never?: string];

const FAULTS: Fault[] = [
  ["throw null;", "module", "error: Error: the program threw null"],
  ["throw undefined;", "module", "error: Error: the program threw undefined"],
  ["throw { a: 1 };", "module", "error: { a: 1 }"],
  [
    `${SDK} throw new pulumi.ResourceError("not this one", ${PROJECT}));`,
    "module",
    "Error: not this one",
    "__pulumiResource",
  ],
  [`${PROJECT}, { transforms: [({ props, opts }) => ({ props, opts })] });`, "module", '"transforms"', "<ref"],
  ['new landform.Project("", {});', "module", "error: index.ts:2:1: TypeError: Project: the first argument is the"],
  [
    `${PROJECT}, { providers: [] } as object);`,
    "module",
    'error: index.ts:2:1: TypeError: Project "a": the option `providers` is for components',
  ],
  [
    `${PROJECT}, { import: "proj_1" });`,
    "module",
    'error: index.ts:2:1: TypeError: Project "a": the option `import` does not work for this kind of provider',
    "code must be a string",
  ],
  ["await Promise.resolve();", undefined, 'Write "type": "module" in package.json', "require()"],
];

async function opened(program: string, type: "module" | undefined): Promise<Desk> {
  const desk = await inTest(Desk.open());
  desk.program(program);
  desk.write("package.json", JSON.stringify({ name: "test", main: "index.ts", ...(type && { type }) }));
  return desk;
}

test.each(FAULTS)("%s (%s)", { tags: ["thorough"] }, async (program, type, told, never) => {
  const desk = await opened(program, type);
  const said = await outputOf(4, desk.run(["preview"]));
  expect(said).toContain(told);
  if (never !== undefined) expect(said).not.toContain(never);
});

test("a function as the default export is called, or it is said that it isn't", async () => {
  const program = "export default async () => { throw new Error('called'); };";
  const called = await (await opened(program, "module")).run(["preview"]);
  expect(called.stdout + called.stderr).toContain("Error: called");
  expect(called.stdout + called.stderr).not.toContain(NEVER_CALLED);
  const uncalled = await (await opened(program, undefined)).run(["preview"]);
  expect(uncalled.stdout + uncalled.stderr).toContain(NEVER_CALLED);
});
