/** The SDK in the embedded engine's processes: a program finds it complete, and it loads when it is needed. */
import { execFileSync } from "node:child_process";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { describe, expect, test } from "vitest";

const repository = join(import.meta.dirname, "../..");
const hook = pathToFileURL(join(repository, "engine/sdk/child-hook.ts")).href;

function run(program: string, type: "module" | "commonjs"): unknown {
  const args = ["--import", hook, `--input-type=${type}`, "-e", program];
  return JSON.parse(execFileSync(process.execPath, args, { cwd: repository, encoding: "utf8" }));
}

const IMPORTED = {
  module:
    'import * as pulumi from "@pulumi/pulumi"; import { createRequire } from "node:module"; const require = createRequire(process.cwd() + "/x.js");',
  commonjs: 'const pulumi = require("@pulumi/pulumi");',
};
const LOADED = `Object.keys(require("node:module")._cache)`;

describe.each(["module", "commonjs"] as const)("in a %s program", (type) => {
  test("the compiler is loaded when a function is serialized", () => {
    const program = `${IMPORTED[type]}
      const isLoaded = () => ${LOADED}.some((file) => /node_modules.typescript.|vendor.typescript/.test(file));
      const before = isLoaded();
      void pulumi.runtime.serializeFunction(() => 42).then(({ text }) => console.log(JSON.stringify({ before, is: text.includes("42"), after: isLoaded() })));`;
    expect(run(program, type)).toEqual({ before: false, is: true, after: true });
  });
});
