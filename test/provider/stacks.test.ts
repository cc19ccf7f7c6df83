/** The line of the user's program reaches Pulumi, also from the top level of an ES module, where the SDK alone loses it. */
import { execFileSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { expect, test } from "vitest";

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
