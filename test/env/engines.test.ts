// @module-tag thorough
/** The same preview on both engines, of the same program in TypeScript, and with Pulumi only. */
import { execFile, execFileSync } from "node:child_process";
import { cpSync, symlinkSync } from "node:fs";
import { delimiter, dirname, join } from "node:path";
import { promisify } from "node:util";
import { describe, expect, test } from "vitest";
import type { ListedEnvironment } from "../../stack/env/list.ts";
import type { JsonReport } from "../../stack/report/json.ts";
import { SYSTEM_PATH, outputOf } from "../cli/harness.ts";
import type { NearDesk } from "../cli/near-desk.ts";
import { writePlugin } from "../pulumi/real.ts";
import { leftToSoak, onBothEngines, realEngine } from "../suite/parts.ts";
import { accountWith, BASE } from "./desk.ts";

const repository = join(import.meta.dirname, "../..");
const QUICKSTART = join(repository, "examples/quickstart");

/** Checks out a branch's commit in a repository whose home is elsewhere. */
function checkOut(folder: string, branch: string): void {
  for (const args of [
    ["init", "-q", "-b", branch],
    ["-c", "user.name=A", "-c", "user.email=a@example.com", "commit", "-q", "--allow-empty", "-m", "one"],
    ["remote", "add", "origin", "git@github.com:acme/funnels.git"],
  ])
    execFileSync("git", args, { cwd: folder, stdio: "ignore" });
}

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
  // For Pulumi's engine, test/env/backends.test.ts and the test with Pulumi only, below, show this.
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
        expect(report.warnings.join("\n")).toContain('Launch "whole": protect is left out of the preview');
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

describe.skipIf(realEngine === undefined)("Pulumi alone", { timeout: 240_000 }, () => {
  test("LANDFORM_PREVIEW is all that a program needs, and without it nothing of a preview is touched", async () => {
    const account = await accountWith(
      (desk) => cpSync(QUICKSTART, desk.folder, { recursive: true }),
      {},
      { apply: false },
    );
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
    const LANDFORM_PREVIEW = "1";
    try {
      await pulumi(BASE, "up");
      // A stack that only had a preview is no base.
      desk.write(".pulumi/stacks/quickstart/looked-at.json", '{"version":3,"checkpoint":{"latest":null}}');
      const before = account.holds();
      desk.writes();
      await expect(pulumi(BASE, "up", { LANDFORM_PREVIEW })).rejects.toThrow(
        /is no preview environment and has resources/,
      );
      expect(desk.writes()).toEqual([]);

      // Pulumi writes the state again, even after a refused run.
      const state = desk.read(`.pulumi/stacks/quickstart/${BASE}.json`);
      checkOut(desk.folder, "red");
      desk.write(
        "Pulumi.pr-3.yaml",
        "config:\n  landform:previewSite: mugs.example\n  landform:previewProject: nobody\n",
      );
      await expect(pulumi("pr-3", "up", { LANDFORM_PREVIEW })).rejects.toThrow(/nobody/);
      expect(account.ofPreview("pr-3")).toEqual([]);
      desk.edit("Pulumi.pr-3.yaml", "nobody", "Spring launch");
      await pulumi("pr-3", "up", { LANDFORM_PREVIEW });
      const slugs = account.ofPreview("pr-3").flatMap(({ slug }) => slug ?? []);
      expect(slugs.map((slug) => slug.replace(/^pr-3-[a-z0-9]{10}\//, "")).sort()).toEqual(["offer", "thanks"]);
      expect(await pulumi("pr-3", "up", { LANDFORM_PREVIEW })).toEqual({ same: 7 });
      expect((await desk.run(["env", "list"])).stdout).toContain("pr-3  branch red, pushed 0 hours ago, 3 objects");
      const [listed] = JSON.parse((await desk.run(["env", "list", "--json"])).stdout) as ListedEnvironment[];
      expect(listed?.record).toMatchObject({
        pr: 3,
        branch: "red",
        commit: expect.stringMatching(/^[0-9a-f]{40}$/) as string,
        repository: "github.com/acme/funnels",
        site: { name: "mugs.example" },
      });
      desk.writes();
      await expect(pulumi("pr-3", "up")).rejects.toThrow(
        /pr-3 is a preview environment, and this run is no preview of it/,
      );
      expect(desk.writes()).toEqual([]);
      await pulumi("pr-3", "destroy");
      expect(account.holds()).toBe(before);
      expect(desk.read(`.pulumi/stacks/quickstart/${BASE}.json`) === state).toBe(true);

      desk.edit(
        "index.ts",
        'import * as landform from "landform";',
        'import * as landform from "landform";\nif (process.env["HERE"]) landform.preview({ base: "prod", drafts: true });',
      );
      await pulumi("try", "up", { HERE: "1" });
      expect(account.ofPreview("try").map(({ slug }) => slug)).toEqual([null, null, null]);
      desk.writes();
      await expect(pulumi("try", "up")).rejects.toThrow(
        /stack try is a preview environment, and this run is no preview of it/,
      );
      expect(desk.writes()).toEqual([]);
      await outputOf(0, desk.run(["env", "down", "try", "--yes"]));
      expect(account.holds()).toBe(before);
    } finally {
      await desk.close();
    }
  });
});
