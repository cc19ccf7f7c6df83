// @module-tag thorough
/** Pulumi's engine adopts an export as the embedded engine does, as a program and as a manifest. */
import { delimiter, dirname } from "node:path";
import { describe, expect, test } from "vitest";
import type { Report } from "../../stack/report/model.ts";
import { realEngine as pulumi, sampled } from "../suite/parts.ts";
import { NearDesk } from "../cli/near-desk.ts";
import { forEachTest } from "../suite/opened.ts";

const desk = forEachTest(() => NearDesk.open(undefined, { seed: "demo" }));

async function run(...args: string[]): Promise<string> {
  const PATH = [dirname(pulumi ?? ""), desk.env["PATH"]].join(delimiter);
  const { code, stdout, stderr } = await desk.run(args, { env: { PATH } });
  expect(code, `${args.join(" ")}\n${stdout}\n${stderr}`).toBe(0);
  return stdout;
}

describe.skipIf(pulumi === undefined)("on Pulumi's engine", { timeout: 600_000 }, () => {
  const formats = [
    ["yaml", "typescript"],
    ["typescript", "typescript"],
  ] as const;
  test.each(sampled(formats, 1, 1).run)(
    "an export as %s is adopted without a write, and a later one as %s changes nothing",
    async (format, next) => {
      const { resources } = JSON.parse(await run("export", "--format", format, "--json")) as { resources: number };
      const preview = JSON.parse(await run("preview", "--engine", "pulumi", "--json")) as Report;
      expect(preview).toMatchObject({ engine: { name: "pulumi" }, counts: { adopt: resources, create: 0, update: 0 } });
      await run("up", "--engine", "pulumi", "--yes");
      await run("preview", "--engine", "pulumi", "--detailed-exitcode");
      await run("preview", "--engine", "embedded", "--detailed-exitcode");
      await run("export", "--format", next);
      await run("preview", "--engine", "pulumi", "--detailed-exitcode");
      expect(desk.writes()).toEqual([]);
    },
  );
});
