/** Stored plans between review and merge: a job takes the one of its commit, if it is not too old, and no other. */
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { beforeEach, expect, test } from "vitest";
import { LONGEST_DAYS, StoredPlans } from "../../ci/plans.ts";
import { RefusedError } from "../../stack/exit/codes.ts";
import type { SavedPlan } from "../../stack/review/saved-plan.ts";
import { NearDesk } from "../cli/near-desk.ts";
import { folderWith } from "../manifest/files.ts";
import { gitIn } from "../suite/git.ts";

const DAY_MS = 24 * 60 * 60 * 1000;
const HEAD = "a".repeat(40);

let folder: string;
beforeEach(() => {
  folder = folderWith({});
});

const open = (stack = "dev") => StoredPlans.open("plans", folder, "spring", stack);
const files = () =>
  readdirSync(join(folder, "plans"), { recursive: true, encoding: "utf8" }).filter((name) => name.endsWith(".json"));

const planOf = (daysAgo: number): SavedPlan => ({
  landformPlan: 3,
  expects: {},
  engine: "embedded",
  project: "spring",
  stack: "dev",
  targets: [],
  madeAt: new Date(Date.now() - daysAgo * DAY_MS).toISOString(),
  changes: [],
  engines: null,
});

test("a plan is found by its commit, however that is written", async () => {
  const plans = await open();
  await plans.keep(HEAD, planOf(0));
  expect(await plans.find(HEAD.toUpperCase(), "pull request #1")).toEqual({
    ...planOf(0),
    madeAt: expect.any(String) as string,
  });
  const missing = plans.find("b".repeat(40), "pull request #1");
  await expect(missing).rejects.toThrow(RefusedError);
  await expect(missing).rejects.toThrow(
    /no plan is kept for pull request #1 \(b{12}\) in .*plans\. Plan its last commit.*Nothing was sent.*--replan/,
  );
});

test("what nobody remembers to have reviewed is refused; also by a machine whose clock is some minutes off", async () => {
  const plans = await open();
  await plans.keep(HEAD, planOf(LONGEST_DAYS + 0.01));
  const found = plans.find(HEAD, "pull request #1");
  await expect(found).rejects.toThrow(RefusedError);
  await expect(found).rejects.toThrow(
    /the plan of pull request #1 was made 30 days ago, and ci apply takes none that is older than 30 days\. Nothing was sent.*--replan/,
  );
  for (const days of [LONGEST_DAYS - 0.01, -0.012]) {
    await plans.keep(HEAD, planOf(days));
    expect((await plans.find(HEAD, "pull request #1")).project).toBe("spring");
  }
});

test("a plan without a date, or one that is cut short, is none", async () => {
  const plans = await open();
  await plans.keep(HEAD, planOf(0));
  const [name = ""] = files();
  const file = join(folder, "plans", name);
  const whole = readFileSync(file, "utf8");
  for (const text of [whole.slice(0, 40), whole.replace(/"madeAt": "[^"]*"/, '"madeAt": "soon"'), "null", ""]) {
    writeFileSync(file, text);
    const found = plans.find(HEAD, "pull request #1");
    await expect(found).rejects.toThrow(RefusedError);
    await expect(found).rejects.toThrow(
      /^the file that .*plans keeps for pull request #1 is no plan of this version: .*Nothing was sent\. Plan and review again/,
    );
  }
});

test.each(["..", "a/../../b", "organization/spring/dev", ".hidden", "a b"])(
  "the stack %j has plans of its own, below the place",
  async (stack) => {
    mkdirSync(join(folder, "plans"));
    writeFileSync(join(folder, "outside.json"), "precious");
    const plans = await open(stack);
    await plans.keep(HEAD, planOf(0));
    expect(files()).toHaveLength(1);
    expect(readdirSync(folder).sort()).toEqual(["outside.json", "plans"]);
    await expect((await open("other")).find(HEAD, "it")).rejects.toThrow(/no plan is kept/);
  },
);

test("without a code host, git knows the commit that a merge was reviewed as", async () => {
  const desk = await NearDesk.own();
  const git = (...args: string[]): string => gitIn(desk.folder, ...args);
  const save = (title: string): void => {
    desk.declare(`landform: 1\nname: merged\npages: { offer: { name: ${title} } }\n`);
    git("add", "landform.yaml");
    git("commit", "-qm", title);
  };
  const place = ["--plans", "plans"];
  git("init", "-qb", "main");
  save("One");
  await desk.up();
  git("checkout", "-qb", "change");
  save("Two");
  await desk.clean("ci", "plan", ...place);
  git("checkout", "-q", "main");
  git("merge", "-q", "--no-ff", "-m", "Merge", "change");
  expect(await desk.says(0, "ci", "apply", ...place)).toMatch(/as the commit that [0-9a-f]{12} merged/);
  expect(await desk.says(0, "preview")).toContain("no changes");

  save("Three");
  expect(await desk.says(3, "ci", "apply", ...place, "--markdown", "comment.md")).toContain("no plan is kept for");
  expect(desk.read("comment.md")).toContain("Refused: nothing was done in merged/dev");
  expect(desk.read("comment.md")).toContain("`merged/dev`");
});
