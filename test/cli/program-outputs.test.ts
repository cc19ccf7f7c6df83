/** What a program exports is what the stack puts out, on both engines as under `pulumi up`. */
import { afterEach, beforeEach, expect, test } from "vitest";
import { onBothEngines } from "../suite/parts.ts";
import { Desk } from "./harness.ts";

const COMMONJS = `const landform = require("landform");\nconst mug = new landform.Product("mug", { price: 2 });\n`;
const ESM = `import * as landform from "landform";\nconst mug = new landform.Product("mug", { price: 2 });\n`;

let desk: Desk;
beforeEach(async () => {
  desk = await Desk.open();
});
afterEach(() => desk.close());

function program(type: "commonjs" | "module", source: string): void {
  desk.write("Pulumi.yaml", "name: test\nruntime:\n  name: nodejs\n  options:\n    typescript: false\n");
  desk.write("package.json", JSON.stringify({ name: "test", type, main: "index.js" }));
  desk.write("index.js", source);
}

onBothEngines((engine, path) => {
  const env = { PATH: path("/usr/bin:/bin") };
  const run = (...args: string[]) => desk.run([...args, "--engine", engine], { env });

  test("of CommonJS and of ES modules", { timeout: 300_000 }, async () => {
    const outputsAre = async (expected: unknown): Promise<void> => {
      const up = await run("up", "--yes");
      expect(up.code, up.stdout + up.stderr).toBe(0);
      expect(JSON.parse((await run("output", "--json")).stdout)).toEqual(expected);
      expect((await run("preview", "--detailed-exitcode")).code).toBe(0);
    };
    program("commonjs", COMMONJS);
    await outputsAre({});
    program("commonjs", `${COMMONJS}exports.name = mug.name;`);
    await outputsAre({ name: "mug" });
    program("commonjs", `${COMMONJS}module.exports = async () => ({ later: mug.name });`);
    await outputsAre({ later: "mug" });
    program("module", `${ESM}export default { name: mug.name };`);
    await outputsAre({ name: "mug" });
    program("module", `${ESM}export const more = await Promise.resolve(2);`);
    await outputsAre({ more: 2 });
  });

  test("a default export beside named ones is refused", { timeout: 120_000 }, async () => {
    program("module", `${ESM}export const more = 2;\nexport default { name: mug.name };`);
    const { code, stdout, stderr } = await run("up", "--yes");
    expect(stdout + stderr).toContain("either a default export or named exports but not both");
    expect(code).toBe(4);
    expect(desk.writes()).toEqual([]);
  });
});
