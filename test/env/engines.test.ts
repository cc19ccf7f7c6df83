// @module-tag thorough
/** The same preview on both engines, of the same program in TypeScript. */
import { textsOf } from "../reports/texts.ts";
import { cpSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { SYSTEM_PATH } from "../cli/harness.ts";
import type { NearDesk } from "../cli/near-desk.ts";
import { inTest } from "../suite/opened.ts";
import { leftToSoak, onBothEngines } from "../suite/parts.ts";
import { Account, BASE, NOTHING } from "./desk.ts";

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
  desk.write("index.ts", desk.read("index.ts").replaceAll(/^( {2}publish: .*\n)\}\);/gm, "$1}, { parent: whole });"));
}

onBothEngines((engine, path) => {
  // For Pulumi's engine, test/env/backends.test.ts shows this.
  test.skipIf(leftToSoak(engine))(
    "a program goes up, again, and down, and a base of the same engine is as it was",
    async () => {
      const declare = (desk: NearDesk): void => cpSync(QUICKSTART, desk.folder, { recursive: true });
      const account = await inTest(Account.open(declare, { apply: false }));
      const { desk } = account;
      inProtectedComponent(desk);
      desk.also.env = { PATH: path(SYSTEM_PATH) };
      await desk.up("--stack", BASE);
      const before = account.holds();
      const report = await account.up("--pr", "12", "--commit", "abc");
      expect(textsOf(report, "warn").join("\n")).toContain('Launch "whole": the preview is without the option protect');
      expect(report).toMatchObject({ engine: { name: engine }, counts: { create: 4 } });
      expect(report.outputs["offerUrl"]).toMatch(/\/pr-12-[a-z0-9]{10}\/offer$/);
      expect((await account.up("--pr", "12", "--commit", "abc")).counts).toMatchObject({ ...NOTHING, same: 4 });
      expect(await account.says(0, "list")).toContain("pr-12  pushed 0 hours ago, 3 objects");
      await account.down("--pr", "12");
      expect(account.holds()).toBe(before);
      expect(await desk.says(0, "stack", "ls", "--json")).not.toContain("pr-12");
    },
  );
});
