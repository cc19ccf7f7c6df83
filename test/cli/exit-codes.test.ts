// @module-tag thorough
/**
 * Every exit code of the commands in a job, one after another in one project; on Pulumi's engine before a release.
 */
import { rmSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { onBothAtRelease } from "../suite/parts.ts";
import { NearDesk } from "./near-desk.ts";

const MUGS = Array.from({ length: 12 }, (_, index) => `mug${index}`);
const manifest = (title: string, mugs: readonly string[], site = "spring.example"): string => `landform: 1
name: codes
sites: { main: { name: ${site} } }
pages:
  offer: { template: tpl-hero, content: { hero.title: ${title} } }
products:
${mugs.map((mug) => `  ${mug}: { price: 12.5 }`).join("\n")}
`;

type Before = (desk: NearDesk) => unknown;

/** One command, its end, what comes before it and what it says. */
const row = (does: string, args: string, code: number, ...more: readonly (RegExp | Before)[]) => ({
  ...{ does, args: args.split(" "), code },
  before: more.find((one) => typeof one === "function"),
  says: more.find((one) => one instanceof RegExp),
});

const fails =
  (method: "POST" | "DELETE" | "PATCH" | "GET", path: string, status = 400): Before =>
  ({ emulator }) =>
    emulator.faults.add({ method, path, phase: "status", status, times: 1 });
const write =
  (title: string, mugs: readonly string[] = MUGS, site?: string): Before =>
  (desk) =>
    desk.declare(manifest(title, mugs, site));
const byHand: Before = (desk) => desk.edits("offer", { "hero.title": "By hand" });

const mergedAndByHand: Before = (desk) => (write("Merged")(desk), byHand(desk));

const KEPT = `--plans plans --head ${"a".repeat(40)}`;

const ROWS = [
  row("a plan with changes", "preview --save plan.json", 0),
  row("the same, asked for", "preview --detailed-exitcode", 2),
  row("an apply that fails on the way", "up --yes --parallel 1", 1, fails("POST", "/products")),
  row("the next one, which ends it", "up --yes", 0),
  row("a plan of what is done since", "up --plan plan.json", 3, /all that was reviewed has been applied/),
  row("nothing to change", "preview --detailed-exitcode", 0),
  row("drift, asked for", "drift --full --detailed-exitcode", 2, byHand, /By hand/),
  row("nobody to ask", "up", 4, write("Other"), /--yes/),
  row("more deletions than the limit", "up --yes", 3, write("Other", MUGS.slice(0, 5))),
  row("a text that a person and the code have changed", "up --yes --refresh", 1, write("Other"), /held back/),
  row("the same, the code's", "up --yes --refresh --foreign-edits include", 0),
  row("a merge that nobody has reviewed", `ci apply ${KEPT}`, 3, /no plan is kept/),
  row(
    "a job's plan, which is kept for the merge",
    `ci plan ${KEPT} --refresh`,
    0,
    write("Merged"),
    /kept for aaaaaaaaaaaa/,
  ),
  row("the same, asked for changes", "ci plan --refresh --detailed-exitcode", 2),
  row(
    "the apply of the kept plan, which fails on the way",
    `ci apply ${KEPT} --refresh`,
    1,
    fails("PATCH", "/pages/content"),
  ),
  row("the job again, whose plan still holds", `ci apply ${KEPT} --refresh`, 0),
  row("and once more, with nothing left", `ci apply ${KEPT} --refresh`, 0, /Nothing is left to do/),
  row("a job's drift, none", "ci drift --full --detailed-exitcode", 0),
  row(
    "a look that the service refuses, which is no fault of the program's",
    "ci drift --full --detailed-exitcode",
    1,
    fails("GET", "/search/page-content-map", 403),
  ),
  row(
    "a change that can't be made, which is",
    "preview",
    4,
    write("Merged", MUGS, "summer.example"),
    /replaceOnChange/,
  ),
  row("a job's drift", "ci drift --full --detailed-exitcode", 2, mergedAndByHand, /edited in the app/),
  row("a place for plans that is none", `ci plan --plans s3:// --head ${"a".repeat(40)}`, 4),
  row("no place for plans", "ci apply", 4, /--plans/),
  row("a manifest that is wrong", "ci plan", 4, write("{ a: ["), /template/),
  row("a stack that isn't there", "drift -s typo", 4, write("Other")),
  row("a destroy that fails on the way", "destroy --yes --force", 1, fails("DELETE", "/pages/{pageId}")),
  row("the next one, which ends that", "destroy --yes --force", 0),
];

const RESULTS = ["succeeded", "failed", "succeeded", "failed", "failed"];

describe("every exit code", () => {
  onBothAtRelease((engine, path) => {
    const desk = NearDesk.each(engine, path);

    test("one command after another", async () => {
      desk.declare(manifest("Hello", MUGS));
      const ended: [string, number | null][] = [];
      for (const { does, args, says, before } of ROWS) {
        await before?.(desk);
        const isJob = args[0] === "ci";
        rmSync(desk.path("report.json"), { force: true });
        const { code, stdout, stderr } = await desk.run([...args, ...(isJob ? ["--json", "report.json"] : [])]);
        ended.push([does, code]);
        // A step that reads the report finds one, whatever the result.
        if (isJob) expect([does, desk.report("report.json")]).toMatchObject([does, { result: RESULTS[code ?? 1] }]);
        if (says !== undefined) expect(stdout + stderr, does).toMatch(says);
        // No command fails without a message.
        if (code !== 0 && code !== 2) expect(stdout + stderr, does).toMatch(/^ *(error|warning): /m);
      }
      expect(ended).toEqual(ROWS.map(({ does, code }) => [does, code]));
      expect(desk.rows("products")).toEqual([]);
    });
  });
});
