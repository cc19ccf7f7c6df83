// @module-tag thorough
/** The same preview on both engines, of the same program in TypeScript. */
import { textsOf } from "../reports/texts.ts";
import { cpSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import type { JsonReport } from "../../stack/report/json.ts";
import { SYSTEM_PATH, outputOf } from "../cli/harness.ts";
import type { NearDesk } from "../cli/near-desk.ts";
import { leftToSoak, onBothEngines } from "../suite/parts.ts";
import { accountWith, BASE } from "./desk.ts";

const repository = join(import.meta.dirname, "../..");
const QUICKSTART = join(repository, "examples/quickstart");

/** Puts the program's pages into a component that its author protects. */
function inProtectedComponent(desk: NearDesk): void {
  desk.edit(
    "index.ts",
    'import * as landform from "landform";',
    `import * as landform from "landform";
import * as pulumi from "@pulumi/pulumi";

const whole = new pulumi.ComponentResource("shop:index:Launch", "whole", {}, { protect: true });`,
  );
  const text = desk.read("index.ts").replaceAll(/^( {2}publish: .*\n)\}\);/gm, "$1}, { parent: whole });");
  desk.write("index.ts", text);
}

onBothEngines((engine, path) => {
  // For Pulumi's engine, test/env/backends.test.ts shows this.
  test.skipIf(leftToSoak(engine))(
    "a program goes up, again, and down, and a base of the same engine is as it was",
    async () => {
      const account = await accountWith(
        (desk) => cpSync(QUICKSTART, desk.folder, { recursive: true }),
        {},
        { apply: false },
      );
      const { desk } = account;
      inProtectedComponent(desk);
      const run = (...args: string[]) => desk.run(args, { env: { PATH: path(SYSTEM_PATH) } });
      try {
        await outputOf(0, run("up", "--yes", "--stack", BASE));
        const before = account.holds();
        const up = await run("env", "up", "--pr", "12", "--yes", "--commit", "abc", "--json");
        expect(up.code, up.stderr).toBe(0);
        const report = JSON.parse(up.stdout) as JsonReport;
        expect(textsOf(report, "warn").join("\n")).toContain(
          'Launch "whole": the preview is without the option protect',
        );
        expect(report).toMatchObject({ engine: { name: engine }, counts: { create: 4 } });
        expect(report.outputs["offerUrl"]).toMatch(/\/pr-12-[a-z0-9]{10}\/offer$/);
        const again = JSON.parse(
          (await run("env", "up", "--pr", "12", "--yes", "--commit", "abc", "--json")).stdout,
        ) as JsonReport;
        expect(again.counts).toMatchObject({ create: 0, adopt: 0, update: 0, replace: 0, delete: 0, same: 4 });
        expect((await run("env", "list")).stdout).toContain("pr-12  pushed 0 hours ago, 3 objects");
        await outputOf(0, run("env", "down", "--pr", "12", "--yes"));
        expect(account.holds()).toBe(before);
        expect((await run("stack", "ls", "--json")).stdout).not.toContain("pr-12");
      } finally {
        await desk.close();
      }
    },
  );
});
