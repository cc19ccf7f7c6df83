/** Checks x intents: every check asks its question for every intent, or the table says why not. */
import { readFileSync, globSync } from "node:fs";
import { basename, join } from "node:path";
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { CHECKS } from "../../stack/checks/table.ts";
import { apply } from "../../stack/plan/apply.ts";
import { makePlan } from "../../stack/plan/make.ts";
import type { Ended, Intent, Plan } from "../../stack/review/plan.ts";
import { StackSession } from "../../stack/run/session.ts";
import { forms } from "../reports/forms.ts";
import { NearDesk } from "./near-desk.ts";

const root = join(import.meta.dirname, "../..");

test("a check applies to an intent, or a sentence gives the reason why not", () => {
  const rows = CHECKS.flatMap(({ name, not }) => Object.entries(not).map(([intent, why]) => ({ name, intent, why })));
  for (const { name, intent, why } of rows) expect(why, `${name}: ${intent}`).toMatch(/\w+ \w+ \w+/);
});

test("a plan is made in one place, and no command takes another one's", () => {
  const files = globSync("{stack,ci,cli,story}/**/*.ts", { cwd: root }).sort();
  const saying = (what: RegExp): string[] => files.filter((file) => what.test(readFileSync(join(root, file), "utf8")));
  expect(saying(/from "[^"]*checks\/table\.ts"/)).toEqual(["stack/plan/make.ts"]);
  const commands = globSync("cli/commands/*.ts", { cwd: root }).map((file) => basename(file, ".ts"));
  const taken = saying(new RegExp(`from "(\\.|.*/commands)/(${commands.join("|")})\\.ts"`));
  const OF_THE_TABLE = ["cli/cli.ts", "cli/commands/completion.ts"];
  expect(taken.filter((file) => /^c(i|li)\//.test(file) && !OF_THE_TABLE.includes(file))).toEqual([]);
});

describe("on a stack", () => {
  const desk = NearDesk.each();
  beforeEach(() => {
    for (const [name, value] of Object.entries(desk.env)) vi.stubEnv(name, value);
    desk.declare(CODE);
  });
  afterEach(() => vi.unstubAllEnvs());

  const opened = <Result extends { readonly exit: 0 | 1 | 2 | 3 | 4 }>(
    work: (session: StackSession) => Promise<Result>,
  ): Promise<Result> =>
    StackSession.with({ C: desk.folder, stack: "dev", engine: "embedded", target: [] }, work, { makesStack: true });
  const applied = (intent: Intent): Promise<Ended> =>
    opened(async (session) => apply(session, await makePlan(session, intent)));

  test("a library without a terminal plans, applies and destroys", async () => {
    const planned = (intent: Intent): Promise<Ended> =>
      opened(async (session) => ({ report: (await makePlan(session, intent)).report, exit: 0 }));
    expect((await planned({ kind: "preview" })).report.counts.create).toBe(4);
    expect(await applied({ kind: "up", yes: true })).toMatchObject({ exit: 0, hasRun: true });
    expect((await planned({ kind: "up" })).report.counts).toMatchObject({ create: 0, update: 0, same: 4 });
    expect(await applied({ kind: "destroy", yes: true })).toMatchObject({ exit: 0, hasRun: true });
  });

  test("a reviewed plan is applied where an alias renames what it changes", async () => {
    await applied({ kind: "up", yes: true });
    desk.code("  offer: {", "  best: { options: { aliases: [offer] }, content: { hero.title: Now },");
    const planOf = (intent: Intent): Promise<Plan & { exit: 0 }> =>
      opened(async (session) => ({ ...(await makePlan(session, intent)), exit: 0 }));
    const { saved } = await planOf({ kind: "preview", keeps: true });
    expect(saved?.changes.map(({ op, name }) => [op, name])).toEqual([["update", "best"]]);
    expect((await planOf({ kind: "up --plan", yes: true, saved })).conflict).toBeUndefined();
    expect(await applied({ kind: "up --plan", yes: true, saved })).toMatchObject({ exit: 0, hasRun: true });
    await expect(applied({ kind: "up --plan", yes: true, saved })).rejects.toThrow("nothing is left to do");
  });

  test("a hold that stops an apply is told once, as its failure, in every form", async () => {
    await applied({ kind: "up", yes: true });
    desk.code(GOING, "");
    const limit = { amount: 0, percent: false };
    const { exit, hasRun, report } = await applied({ kind: "up", yes: true, maxDeletes: limit });
    expect([exit, hasRun, report]).toMatchObject([
      3,
      undefined,
      {
        result: "failed",
        failures: [{ check: "safety", cause: "refused", allowed: "--max-deletes 1 (or --force)" }],
      },
    ]);
    const [{ message } = { message: "" }] = report.failures;
    for (const [form, print] of Object.entries(forms))
      // JUnit has the first line of a failure as an attribute, too.
      expect(print(report).split(message), form).toHaveLength(form === "xml" ? 3 : 2);
  });
});

const GOING = "  offer: { template: tpl-hero, variables: { brand: Acme }, publish: { site: main, slug: offer } }\n";
const CODE = `landform: 1
name: checked
sites: { main: { name: checked.example } }
pages:
${GOING}  home: { template: tpl-hero, variables: { brand: Acme }, content: { hero.text: 'read <a href="/offer">the offer</a>' }, publish: { site: main, slug: home } }
products: { mug: { name: Mug, price: 3 } }
`;
