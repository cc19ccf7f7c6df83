/** The exports of a program are the stack's outputs, with every engine and every module system. */
import { expect, test } from "vitest";
import { onBothEngines, thorough } from "../suite/parts.ts";
import { Desk } from "./harness.ts";
import { inTest } from "../suite/opened.ts";

const PRODUCT = 'const mug = new landform.Product("mug", { price: 1 });';

onBothEngines((engine, path) => {
  async function applied(exported: string, type: "module" | "commonjs") {
    const desk = await inTest(Desk.open());
    const named = type === "module" ? 'import * as landform from "landform";' : 'const landform = require("landform");';
    desk.program("");
    desk.write("package.json", JSON.stringify({ name: "test", type, main: "index.js" }));
    desk.write("index.js", `${named}\n${PRODUCT}\n${exported}\n`);
    const env = { PATH: path(desk.env["PATH"] ?? "") };
    const run = (...args: string[]) => desk.run([...args, "--engine", engine], { env });
    const up = await run("up", "--yes");
    if (up.code !== 0) return { up };
    expect((await run("preview", "--detailed-exitcode")).code).toBe(0);
    return { up, outputs: JSON.parse((await run("output", "--json")).stdout) as object };
  }

  test.each([
    ["commonjs", "", {}],
    ["commonjs", 'exports.one = "1"; exports.price = mug.price;', { one: "1", price: 1 }],
    ["commonjs", 'module.exports = async () => ({ one: "1" });', { one: "1" }],
    ["module", 'export const one = "1";', { one: "1" }],
    ["module", 'export default async () => ({ one: "1" });', { one: "1" }],
  ] as const)("%s: %s", { tags: ["thorough"] }, async (type, exported, outputs) => {
    expect((await applied(exported, type)).outputs).toEqual(outputs);
  });

  thorough("a default export and a named one", async () => {
    const { up } = await applied('export default { one: "1" }; export const two = "2";', "module");
    expect([up.code, up.stdout + up.stderr]).toEqual([4, expect.stringContaining("named exports but not both")]);
  });
});
