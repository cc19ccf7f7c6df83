/** The line of the user's program reaches Pulumi, also from the top level of an ES module, where the SDK alone loses it. */
import { execFileSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { expect, test } from "vitest";

test("frames of ES modules are told as the SDK reads them, and no more of them than it needs", () => {
  const folder = mkdtempSync(join(tmpdir(), "landform-stacks-"));
  try {
    const resource = pathToFileURL(join(import.meta.dirname, "../../provider/pulumi/resource.ts")).href;
    const program = join(folder, "program.mjs");
    writeFileSync(
      program,
      `import { restoreStacks, shortStacks } from ${JSON.stringify(resource)};
shortStacks();
Error.stackTraceLimit = Infinity;
const inner = (depth) => (depth === 0 ? new Error("x").stack : inner(depth - 1));
console.log(JSON.stringify([inner(0), inner(20)]));
restoreStacks();
console.log(JSON.stringify(Error.stackTraceLimit > 0));
`,
    );
    const [stacks = "", restored] = execFileSync(process.execPath, [program], {
      encoding: "utf8",
      cwd: import.meta.dirname,
    }).split("\n");
    const [shallow = "", deep = ""] = JSON.parse(stacks) as string[];
    expect(shallow.split("\n").slice(1, 3)).toEqual([
      `    at inner (${program}:4:41)`,
      `    at program (${program}:5:29)`,
    ]);
    expect(deep.split("\n")).toHaveLength(7);
    expect(restored).toBe("true");
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
});

test("each resource is registered with the line of the program that makes it", () => {
  const folder = mkdtempSync(join(tmpdir(), "landform-lines-"));
  try {
    const classes = pathToFileURL(join(import.meta.dirname, "../../provider/pulumi/resources.ts")).href;
    const program = join(folder, "program.mjs");
    writeFileSync(
      program,
      `import * as pulumi from ${JSON.stringify(import.meta.resolve("@pulumi/pulumi"))};
import { Page, Project } from ${JSON.stringify(classes)};
pulumi.runtime.setMocks({ newResource: ({ inputs }) => ({ id: "x", state: inputs }), call: ({ inputs }) => inputs });
const monitor = pulumi.runtime.getMonitor();
const register = monitor.registerResource.bind(monitor);
monitor.registerResource = (request, done) => {
  console.log(request.getSourceposition().getLine());
  return register(request, done);
};
new Project("a");
new Page("b");
`,
    );
    const lines = execFileSync(process.execPath, [program], { encoding: "utf8", cwd: import.meta.dirname });
    expect(lines.trim().split("\n")).toEqual(["10", "11"]);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
});
