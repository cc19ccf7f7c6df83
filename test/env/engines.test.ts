/** The same preview on both engines, of the same program in TypeScript, and by Pulumi alone. */
import { execFile } from "node:child_process";
import { cpSync, symlinkSync } from "node:fs";
import { delimiter, dirname, join } from "node:path";
import { promisify } from "node:util";
import { describe, expect, test } from "vitest";
import type { JsonReport } from "../../cli/render/json.ts";
import { SYSTEM_PATH } from "../cli/harness.ts";
import { writePlugin } from "../pulumi/real.ts";
import { onBothEngines, realEngine } from "../suite/parts.ts";
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

describe.skipIf(realEngine === undefined)("Pulumi alone", { timeout: 240_000 }, () => {
  test("LANDFORM_PREVIEW is all that a program needs", async () => {
    const account = await accountWith((desk) => cpSync(QUICKSTART, desk.folder, { recursive: true }), {}, false);
    const { desk } = account;
    writePlugin(desk.path("plugins"));
    symlinkSync(join(repository, "node_modules"), desk.path("node_modules"));
    const pulumi = async (
      stack: string,
      kind: "up" | "destroy",
      env: Record<string, string> = {},
    ): Promise<Record<string, number>> => {
      const PATH = [desk.path("plugins"), dirname(realEngine ?? ""), SYSTEM_PATH].join(delimiter);
      const args = [join(import.meta.dirname, "plain-up.ts"), desk.folder, stack, kind];
      const settings = {
        PATH,
        PULUMI_BACKEND_URL: `file://${desk.folder}`,
        PULUMI_AUTOMATION_API_SKIP_VERSION_CHECK: "true",
      };
      const { stdout } = await promisify(execFile)(process.execPath, args, {
        cwd: desk.folder,
        env: { ...desk.env, ...settings, ...env },
      });
      return JSON.parse(stdout) as Record<string, number>;
    };
    try {
      await pulumi(BASE, "up");
      const before = account.holds();
      const state = desk.read(`.pulumi/stacks/quickstart/${BASE}.json`);
      const LANDFORM_PREVIEW = "1";
      await pulumi("pr-3", "up", { LANDFORM_PREVIEW });
      const slugs = account.ofPreview("pr-3").flatMap(({ slug }) => slug ?? []);
      expect(slugs.map((slug) => slug.replace(/^pr-3-[a-z0-9]{10}\//, "")).sort()).toEqual(["offer", "thanks"]);
      expect(await pulumi("pr-3", "up", { LANDFORM_PREVIEW })).toEqual({ same: 7 });
      expect((await desk.run(["env", "list"])).stdout).toContain("pr-3  pushed 0 hours ago, 3 objects");
      await pulumi("pr-3", "destroy");
      expect(account.holds()).toBe(before);
      expect(desk.read(`.pulumi/stacks/quickstart/${BASE}.json`)).toBe(state);

      desk.edit(
        "index.ts",
        'import * as landform from "landform";',
        'import * as landform from "landform";\nlandform.preview({ base: "prod", drafts: true });',
      );
      await pulumi("pr-4", "up");
      expect(account.ofPreview("pr-4").map(({ slug }) => slug)).toEqual([null, null, null]);
      await pulumi("pr-4", "destroy");
      expect(account.holds()).toBe(before);
    } finally {
      await desk.close();
    }
  });
});
