/** The same preview on both engines, of the same program in TypeScript. */
import { cpSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import type { JsonReport } from "../../cli/render/json.ts";
import { SYSTEM_PATH } from "../cli/harness.ts";
import { onBothEngines } from "../suite/parts.ts";
import { accountWith, BASE } from "./desk.ts";

const repository = join(import.meta.dirname, "../..");
const QUICKSTART = join(repository, "examples/quickstart");

onBothEngines((engine, path) => {
  test("a program goes up, again, and down, and a base of the same engine is as it was", async () => {
    const account = await accountWith((desk) => cpSync(QUICKSTART, desk.folder, { recursive: true }), {}, false);
    const { desk } = account;
    const run = (...args: string[]) => desk.run(args, { env: { PATH: path(SYSTEM_PATH) } });
    try {
      const base = await run("up", "--yes", "--stack", BASE);
      expect(base.code, base.stdout + base.stderr).toBe(0);
      const before = account.holds();
      const up = await run("env", "up", "--pr", "12", "--yes", "--commit", "abc", "--json");
      expect(up.code, up.stderr).toBe(0);
      const report = JSON.parse(up.stdout) as JsonReport;
      expect(report).toMatchObject({ engine: { name: engine }, counts: { create: 3 } });
      expect(report.outputs["offerUrl"]).toMatch(/\/pr-12-[a-z0-9]{10}\/offer$/);
      const again = JSON.parse(
        (await run("env", "up", "--pr", "12", "--yes", "--commit", "abc", "--json")).stdout,
      ) as JsonReport;
      expect(again.counts).toMatchObject({ create: 0, adopt: 0, update: 0, replace: 0, delete: 0, same: 3 });
      expect((await run("env", "list")).stdout).toContain("pr-12  pushed 0 hours ago, 3 objects");
      const down = await run("env", "down", "--pr", "12", "--yes");
      expect(down.code, down.stdout + down.stderr).toBe(0);
      expect(account.holds()).toBe(before);
      expect((await run("stack", "ls", "--json")).stdout).not.toContain("pr-12");
    } finally {
      await desk.close();
    }
  });
});
