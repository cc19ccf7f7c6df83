/** Checks x intents: every check asks its question for every intent, or the table says why not. */
import { readFileSync, globSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { CHECKS, checksFor } from "../../stack/checks/table.ts";
import { apply } from "../../stack/plan/apply.ts";
import { makePlan } from "../../stack/plan/make.ts";
import { INTENTS, type Ended, type Intent, type IntentKind, type Plan } from "../../stack/plan/plan.ts";
import { StackSession } from "../../stack/run/session.ts";
import { NearDesk } from "./near-desk.ts";
import { forEachTest } from "../suite/opened.ts";

const root = join(import.meta.dirname, "../..");

describe.each(CHECKS)("$name", ({ not }) => {
  test.each(INTENTS)("%s", (intent) => {
    const why = not[intent];
    // The check exists, or a sentence gives the reason why it does not apply.
    if (why !== undefined) expect(why.split(" ").length).toBeGreaterThanOrEqual(3);
  });
});

test("what is asked of every plan that changes something by a program", () => {
  const asked = (kind: IntentKind): string[] => checksFor(kind).map(({ name }) => name);
  const all = ["account", "held elsewhere", "made before", "mentions", "also live", "leftovers"];
  for (const kind of ["preview", "up", "up --plan", "undo", "undo --preview", "undo --plan"] as const)
    expect(asked(kind)).toEqual(expect.arrayContaining([...all, "safety"]));
  for (const kind of ["up", "up --plan", "undo", "undo --plan", "env up"] as const)
    expect(asked(kind)).toContain("scopes");
  expect(asked("destroy")).toEqual(["staying", "held elsewhere", "mentions", "also live", "leftovers", "safety"]);
  expect([...asked("adopt"), ...asked("env down")]).toEqual([]);
});

test("a plan is made in one place, and no command takes another one's", () => {
  const files = globSync("{stack,ci,cli,story}/**/*.ts", { cwd: root }).sort();
  const saying = (what: RegExp): string[] => files.filter((file) => what.test(readFileSync(join(root, file), "utf8")));
  expect(saying(/from "[^"]*checks\/table\.ts"/)).toEqual(["stack/plan/make.ts"]);
  const taken = saying(/from "(\.|\.\.?\/commands)\/(up|preview|drift|undo|destroy|refresh)\.ts"/);
  expect(taken.filter((file) => !file.startsWith("stack/"))).toEqual([]);
});

describe("on a stack", () => {
  const desk = forEachTest(() => NearDesk.open());
  beforeEach(() => {
    for (const [name, value] of Object.entries(desk.env)) vi.stubEnv(name, value);
    desk.write("landform.yaml", CODE);
  });
  afterEach(() => vi.unstubAllEnvs());

  const opened = <Result extends { readonly exit: 0 | 1 | 2 | 3 | 4 }>(
    work: (session: StackSession) => Promise<Result>,
  ): Promise<Result> =>
    StackSession.with({ C: desk.folder, stack: "dev", engine: "embedded", target: [] }, work, { makesStack: true });
  const checks = (kind: IntentKind): string[] => checksFor(kind).map(({ name }) => name);
  const applied = (intent: Intent): Promise<Ended> =>
    opened(async (session) => apply(session, await makePlan(session, intent)));

  test("a library without a terminal plans, applies, takes back and destroys, and each plan was asked what the table says", async () => {
    const seen = new Map<IntentKind, readonly string[]>();
    const planned = (intent: Intent): Promise<Ended> =>
      opened(async (session) => {
        const { report, checked } = await makePlan(session, intent);
        seen.set(intent.kind, checked);
        return { report, exit: 0 };
      });
    expect((await planned({ kind: "preview" })).report.counts.create).toBe(4);
    expect(await applied({ kind: "up", yes: true })).toMatchObject({ exit: 0, hasRun: true });
    expect((await planned({ kind: "up" })).report.counts).toMatchObject({ create: 0, update: 0, same: 4 });
    desk.edit("landform.yaml", GOING, "");
    const { report } = await planned({ kind: "preview" });
    expect(report.leaving?.flatMap(({ mentions }) => mentions.map(({ name }) => name))).toEqual(["home"]);
    desk.write("landform.yaml", CODE);
    for (const kind of ["adopt", "destroy", "env down"] as const) await planned({ kind });
    for (const kind of seen.keys()) expect(seen.get(kind), kind).toEqual(checks(kind));
    expect(await applied({ kind: "destroy", yes: true })).toMatchObject({ exit: 0, hasRun: true });
  });

  test("a reviewed plan is applied where an alias renames what it changes", async () => {
    await applied({ kind: "up", yes: true });
    const renamed = GOING.replace("offer: {", "best: { options: { aliases: [offer] }, content: { hero.title: Now },");
    desk.edit("landform.yaml", GOING, renamed);
    const planOf = (intent: Intent): Promise<Plan & { exit: 0 }> =>
      opened(async (session) => ({ ...(await makePlan(session, intent)), exit: 0 }));
    const { saved } = await planOf({ kind: "preview", keeps: true });
    expect(saved?.changes.map(({ op, name }) => [op, name])).toEqual([["update", "best"]]);
    const planned = await planOf({ kind: "up --plan", yes: true, saved });
    expect([planned.conflict, planned.checked]).toEqual([undefined, checks("up --plan")]);
    expect(await applied({ kind: "up --plan", yes: true, saved })).toMatchObject({ exit: 0, hasRun: true });
    await expect(applied({ kind: "up --plan", yes: true, saved })).rejects.toThrow("nothing is left to do");
  });

  test("an undo that deletes a page says what points to it", async () => {
    desk.edit("landform.yaml", GOING, "");
    await applied({ kind: "up", yes: true });
    desk.write("landform.yaml", CODE);
    await applied({ kind: "up", yes: true });
    const kinds: (readonly string[])[] = [];
    const undone = await opened(async (session) => {
      const undoes = { run: undefined, skipsConflicts: false };
      const plan = await makePlan(session, { kind: "undo", undoes, yes: true });
      kinds.push(plan.checked);
      return apply(session, plan);
    });
    expect(undone).toMatchObject({ exit: 0, hasRun: true });
    expect(kinds).toEqual([checks("undo")]);
    expect(undone.report.leaving?.map(({ name, mentions }) => [name, mentions.map((one) => one.name)])).toEqual([
      ["offer", ["home"]],
    ]);
    const run = undone.report.undone?.id;
    const again = await applied({ kind: "undo", undoes: { run, skipsConflicts: false }, yes: true });
    expect([again.exit, again.hasRun, again.report.undone?.nothingLeft]).toEqual([0, undefined, true]);
  });
});

const GOING = "  offer: { template: tpl-hero, variables: { brand: Acme }, publish: { site: main, slug: offer } }\n";
const CODE = `landform: 1
name: checked
sites: { main: { name: checked.example } }
pages:
${GOING}  home:
    template: tpl-hero
    variables: { brand: Acme }
    content: { hero.text: 'read <a href="/offer">the offer</a>' }
    publish: { site: main, slug: home }
products: { mug: { name: Mug, price: 3 } }
`;
