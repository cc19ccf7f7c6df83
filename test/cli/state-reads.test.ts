/** An up reads the state twice: before its plan, and after its apply. */
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { expect, test } from "vitest";
import { Desk, outputOf } from "./harness.ts";
import { forEachTest } from "../suite/opened.ts";

/** Prints at the end of a process how often it has read a checkpoint. */
const COUNTER = `
import files from "node:fs/promises";
import { syncBuiltinESMExports } from "node:module";
const { readFile } = files;
let reads = 0;
files.readFile = (file, ...more) => {
  if (/\\.pulumi\\/stacks\\/.*\\.json$/.test(String(file))) reads++;
  return readFile(file, ...more);
};
syncBuiltinESMExports();
process.on("exit", () => reads > 0 && process.stderr.write(\`checkpoint read \${reads} times\\n\`));
`;

const manifest = (brand: string): string => `landform: 1
name: counted
sites: { main: { name: counted.example } }
pages: { offer: { template: tpl-hero, variables: { brand: ${brand} }, publish: { site: main, slug: offer } } }
`;

const desk = forEachTest(() => Desk.open());

test("of a new stack, and of one that is there", async () => {
  const counter = join(desk.folder, "counter.mjs");
  writeFileSync(counter, COUNTER);
  for (const brand of ["A", "B"]) {
    desk.write("landform.yaml", manifest(brand));
    const env = { NODE_OPTIONS: `--import ${pathToFileURL(counter).href}` };
    expect(await outputOf(0, desk.run(["up", "--yes"], { env }))).toContain("checkpoint read 2 times");
  }
  expect((await desk.run(["preview", "--detailed-exitcode"])).code).toBe(0);
});
