// @module-tag thorough
/** The remains beside the state of a Pulumi run that was killed while it wrote. */
import { writeFileSync } from "node:fs";
import { delimiter, dirname, join } from "node:path";
import { expect, test } from "vitest";
import { realEngine as pulumi } from "../suite/parts.ts";
import { Desk, outputOf } from "./harness.ts";
import { inTest } from "../suite/opened.ts";

test.skipIf(pulumi === undefined).each(["", '{"user.cache_control":'])(
  "attributes that hold %j don't make the state unreadable",
  { timeout: 240_000 },
  async (left) => {
    const desk = await inTest(Desk.open());
    desk.program('new landform.Site("main", { name: "mugs.example" });');
    const PATH = [dirname(pulumi ?? ""), desk.env["PATH"]].join(delimiter);
    const run = (...args: string[]) => desk.run([...args, "--engine", "pulumi"], { env: { PATH } });
    expect((await run("up", "--yes")).code).toBe(0);
    writeFileSync(join(desk.folder, ".pulumi/stacks/test/dev.json.attrs"), left);
    expect(await outputOf(0, run("preview", "--detailed-exitcode"))).toContain("no changes");
  },
);
