/** What every program begins with: `import "landform"` loads nothing that most programs never use. */
import { execFileSync } from "node:child_process";
import { join } from "node:path";
import { expect, test } from "vitest";

const compiled = join(import.meta.dirname, "../../dist/provider/index.js");

function loadedBy(program: string): string[] {
  const script = `
    import { createRequire } from "node:module";
    import * as landform from ${JSON.stringify(compiled)};
    ${program}
    const names = Object.keys(createRequire(import.meta.url).cache).map((path) => /node_modules\\/((?:@[^/]+\\/)?[^/]+)/.exec(path)?.[1]);
    console.log(JSON.stringify([...new Set(names)]));
  `;
  return JSON.parse(
    execFileSync(process.execPath, ["--input-type=module", "-e", script], { encoding: "utf8" }),
  ) as string[];
}

test("YAML and XML are read by programs that read data files, and by no others", () => {
  expect(loadedBy("")).not.toEqual(expect.arrayContaining(["yaml"]));
  expect(loadedBy('try { landform.content({ file: "none.yaml" }) } catch {}')).toEqual(
    expect.arrayContaining(["yaml", "saxes"]),
  );
});
