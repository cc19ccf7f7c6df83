// @module-tag thorough
/**
 * Every exit code of the commands in a job, one after another in one project; on Pulumi's engine before a release.
 */
import { rmSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { LandformApi } from "../../provider/api/index.ts";
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

interface Row {
  does: string;
  args: readonly string[];
  code: number;
  says?: RegExp;
  before?: (desk: NearDesk) => Promise<void> | void;
}

const broken = { method: "POST", path: "/products", phase: "status", status: 400, times: 1 } as const;
const locked = { method: "DELETE", path: "/pages/{pageId}", phase: "status", status: 400, times: 1 } as const;
const refused = { method: "PATCH", path: "/pages/content", phase: "status", status: 400, times: 1 } as const;
const unread = { method: "GET", path: "/search/page-content-map", phase: "status", status: 403, times: 1 } as const;
const HEAD = "a".repeat(40);
const KEPT = ["--plans", "plans", "--head", HEAD];

async function byHand({ emulator }: NearDesk): Promise<void> {
  const api = new LandformApi(emulator);
  const [page] = await api.pages.list();
  await api.pages.updateContent({ page_id: page?.id ?? "", updates: { "hero.title": "By hand" } });
  await api.close();
}

const write =
  (title: string, mugs: readonly string[] = MUGS) =>
  (desk: NearDesk) =>
    desk.declare(manifest(title, mugs));

const ROWS: readonly Row[] = [
  { does: "a plan with changes", args: ["preview", "--save", "plan.json"], code: 0 },
  { does: "the same, asked for", args: ["preview", "--detailed-exitcode"], code: 2 },
  {
    does: "an apply that fails on the way",
    args: ["up", "--yes", "--parallel", "1"],
    code: 1,
    before: ({ emulator }) => emulator.faults.add(broken),
  },
  { does: "the next one, which ends it", args: ["up", "--yes"], code: 0 },
  {
    does: "a plan of what is done since",
    args: ["up", "--plan", "plan.json"],
    code: 3,
    says: /all that was reviewed has been applied/,
  },
  { does: "nothing to change", args: ["preview", "--detailed-exitcode"], code: 0 },
  {
    does: "drift, asked for",
    args: ["drift", "--full", "--detailed-exitcode"],
    code: 2,
    says: /By hand/,
    before: byHand,
  },
  { does: "nobody to ask", args: ["up"], code: 4, says: /--yes/, before: write("Other") },
  { does: "more deletions than the limit", args: ["up", "--yes"], code: 3, before: write("Other", MUGS.slice(0, 5)) },
  {
    does: "a text that a person and the code have changed",
    args: ["up", "--yes", "--refresh"],
    code: 1,
    says: /held back/,
    before: write("Other"),
  },
  { does: "the same, the code's", args: ["up", "--yes", "--refresh", "--foreign-edits", "include"], code: 0 },
  {
    does: "a merge that nobody has reviewed",
    args: ["ci", "apply", "--plans", "plans", "--head", "a".repeat(40)],
    code: 3,
    says: /no plan is kept/,
  },
  {
    does: "a job's plan, which is kept for the merge",
    args: ["ci", "plan", ...KEPT, "--refresh"],
    code: 0,
    says: /kept for aaaaaaaaaaaa/,
    before: write("Merged"),
  },
  { does: "the same, asked for changes", args: ["ci", "plan", "--refresh", "--detailed-exitcode"], code: 2 },
  {
    does: "the apply of the kept plan, which fails on the way",
    args: ["ci", "apply", ...KEPT, "--refresh"],
    code: 1,
    before: ({ emulator }) => emulator.faults.add(refused),
  },
  { does: "the job again, whose plan still holds", args: ["ci", "apply", ...KEPT, "--refresh"], code: 0 },
  {
    does: "and once more, with nothing left",
    args: ["ci", "apply", ...KEPT, "--refresh"],
    code: 0,
    says: /Nothing is left to do/,
  },
  { does: "a job's drift, none", args: ["ci", "drift", "--full", "--detailed-exitcode"], code: 0 },
  {
    does: "a look that the service refuses, which is no fault of the program's",
    args: ["ci", "drift", "--full", "--detailed-exitcode"],
    code: 1,
    before: ({ emulator }) => emulator.faults.add(unread),
  },
  {
    does: "a change that can't be made, which is",
    args: ["preview"],
    code: 4,
    says: /replaceOnChange/,
    before: (desk) => desk.declare(manifest("Merged", MUGS, "summer.example")),
  },
  {
    does: "a job's drift",
    args: ["ci", "drift", "--full", "--detailed-exitcode"],
    code: 2,
    says: /edited in the app/,
    before: async (desk) => {
      write("Merged")(desk);
      await byHand(desk);
    },
  },
  { does: "a place for plans that is none", args: ["ci", "plan", "--plans", "s3://", "--head", HEAD], code: 4 },
  { does: "no place for plans", args: ["ci", "apply"], code: 4, says: /--plans/ },
  { does: "a manifest that is wrong", args: ["ci", "plan"], code: 4, says: /template/, before: write("{ a: [") },
  { does: "a stack that isn't there", args: ["drift", "-s", "typo"], code: 4, before: write("Other") },
  {
    does: "a destroy that fails on the way",
    args: ["destroy", "--yes", "--force"],
    code: 1,
    before: ({ emulator }) => emulator.faults.add(locked),
  },
  { does: "the next one, which ends that", args: ["destroy", "--yes", "--force"], code: 0 },
];

const RESULTS = ["succeeded", "failed", "succeeded", "failed", "failed"];

describe("every exit code", () => {
  onBothAtRelease((engine, path) => {
    const desk = NearDesk.each();

    test("one command after another", async () => {
      desk.declare(manifest("Hello", MUGS));
      const env = { PATH: path(desk.env["PATH"] ?? "") };
      const ended: [string, number | null][] = [];
      for (const { does, args, says, before } of ROWS) {
        await before?.(desk);
        const isJob = args[0] === "ci";
        const all = [...args, "--engine", engine, ...(isJob ? ["--json", "report.json"] : [])];
        rmSync(desk.path("report.json"), { force: true });
        const { code, stdout, stderr } = await desk.run(all, { env });
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
