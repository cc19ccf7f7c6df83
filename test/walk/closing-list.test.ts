/** What a team comes to later, on both engines: each plan is held to what the account shows afterwards. */
import { execFile } from "node:child_process";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { promisify } from "node:util";
import { afterEach, beforeEach, expect, test } from "vitest";
import { onBothEngines, realEngine } from "../suite/parts.ts";
import { type Command, WalkDesk } from "./desk.ts";
import { accountOf, brokenPromises } from "./oracle.ts";
import { emptyProgram, manifestOf, type Program } from "./program.ts";

let desk: WalkDesk;
let program: Program;

const TEXTS = { "hero.title": "Hello {{brand}}", "hero.text": "Text" };

function page(slug: string) {
  const variables = { brand: "Acme", year: "2026" };
  return { template: "tpl-hero", content: { ...TEXTS }, variables, publish: { site: "main", slug } };
}

const idOf = (name: string, stack = "dev") => desk.state(stack).find(({ urn }) => urn.endsWith(`::${name}`))?.id ?? "";
const objects = (collection: string) => desk.emulator.records()[collection] as unknown as Record<string, unknown>[];

async function preview(...options: string[]): Promise<Command> {
  desk.declare(manifestOf(program));
  return desk.run("preview", ...options);
}

/** What the plan says is what the account shows afterwards, nothing else, and a second plan is empty. */
async function up(...options: string[]): Promise<Command["report"]> {
  const plan = await preview(...options);
  expect(plan.code, plan.printed).toBe(0);
  const before = accountOf(desk);
  const done = await desk.run("up", "--yes", "--force", ...options);
  expect(done.code, done.printed).toBe(0);
  const ids = new Map(desk.state().map(({ urn, id }) => [urn, id]));
  expect(brokenPromises(before, accountOf(desk), plan.report, ids)).toEqual([]);
  const again = await desk.run("preview", "--detailed-exitcode", ...options);
  expect(again.code, again.printed).toBe(0);
  return plan.report;
}

onBothEngines((engine) => {
  beforeEach(async () => {
    desk = await WalkDesk.open(engine);
    program = emptyProgram();
    program.sites["main"] = { name: "main.example" };
  });
  afterEach(() => desk.close());

  test("ignored keys, a replacement that keeps the old one, another adoptId, an emptied funnel, a deleted quiz", async () => {
    const { id: theirs } = (await desk.byHand("POST", "/products", { name: "Theirs", price: 7 })) as { id: string };
    program.pages["home"] = { ...page("home"), options: { ignoreChanges: ['content["hero.title"]'] } };
    program.pages["offer"] = { ...page("offer"), options: { retainOnDelete: true } };
    program.quizzes["fit"] = {
      template: "tpl-quiz-plan",
      variables: { brand: "Acme" },
      publish: { site: "main", slug: "fit" },
    };
    program.products["mug"] = { price: 1 };
    program.funnels["buy"] = {
      steps: [
        { page: "home", pageType: "presell" },
        { quiz: "fit", pageType: "quiz" },
      ],
    };
    await up();
    const [mug, offer, fit] = [idOf("mug"), idOf("offer"), idOf("fit")];
    await desk.byHand("PATCH", "/funnels", { funnel_id: idOf("buy"), pages: [] });
    await desk.byHand("DELETE", `/pages/${fit}`);
    program.pages["home"] = {
      ...page("home"),
      content: { ...TEXTS, "hero.title": "Ignored", "hero.text": "New text" },
      options: { ignoreChanges: ['content["hero.title"]'] },
    };
    program.pages["offer"] = { ...page("offer"), template: "tpl-lead-magnet", options: { retainOnDelete: true } };
    program.products["mug"] = { price: 1, adoptId: theirs };
    const plan = await up("--refresh");
    expect(plan.changes.map(({ name, op }) => `${op} ${name}`).sort()).toEqual([
      "create fit",
      "replace mug",
      "replace offer",
      "update buy",
      "update home",
    ]);
    expect(objects("pages").map(({ id }) => id)).toContain(offer);
    expect(objects("products")).toMatchObject([{ id: theirs, name: "mug", price: 1 }]);
    expect(objects("products").map(({ id }) => id)).not.toContain(mug);
    expect(objects("funnels")).toMatchObject([{ steps: [{ pageId: idOf("home") }, { pageId: idOf("fit") }] }]);
    const texts = accountOf(desk).get(idOf("home"))?.live;
    expect([texts?.["hero.title"], texts?.["hero.text"]]).toEqual(['"Hello Acme"', '"New text"']);
  });

  test("what is protected is neither replaced nor deleted, and that is said in preview", async () => {
    program.pages["home"] = { ...page("home"), options: { protect: true } };
    await up();
    const before = accountOf(desk);
    program.pages["home"] = { ...page("home"), template: "tpl-lead-magnet", options: { protect: true } };
    const replaced = await preview();
    expect(replaced.code, replaced.printed).not.toBe(0);
    expect(replaced.printed).toMatch(/protect/);
    program.pages = {};
    const deleted = await preview();
    expect(deleted.code, deleted.printed).not.toBe(0);
    expect(deleted.printed).toMatch(/protect/);
    const refused = await desk.run("up", "--yes", "--force");
    expect(refused.code).not.toBe(0);
    expect(accountOf(desk)).toEqual(before);
    program.pages["home"] = page("home");
    await up();
    program.pages = {};
    await up();
  });

  test("a target is all that changes, and the rest is still to do", async () => {
    program.pages["home"] = page("home");
    program.products["mug"] = { price: 1 };
    await up();
    program.pages["home"] = { ...page("home"), content: { "hero.title": "Bye" } };
    program.products["mug"] = { price: 2 };
    const plan = await up("--target", "Product/mug");
    expect(plan.changes).toMatchObject([{ name: "mug", op: "update" }]);
    expect((await up()).changes).toMatchObject([{ name: "home", op: "update" }]);
  });

  test("a stack split in two: nothing is planned on either side", async () => {
    program.pages["home"] = page("home");
    program.products["mug"] = { price: 1 };
    await up();
    const before = accountOf(desk);
    const mug = desk.state().find(({ urn }) => urn.endsWith("::mug"))?.urn ?? "";
    const second = { ...emptyProgram(), sites: { ...program.sites } };
    desk.declare(manifestOf(second));
    expect((await desk.run("up", "--yes", "-s", "two")).code).toBe(0);
    await (engine === "embedded" ? moveByExport(mug) : moveByPulumi(mug));
    desk.declare(manifestOf({ ...second, products: program.products }));
    const there = await desk.run("preview", "--detailed-exitcode", "-s", "two");
    expect(there.code, there.printed).toBe(0);
    program.products = {};
    await up();
    expect(accountOf(desk)).toEqual(before);
  });
});

interface Exported {
  deployment: { resources: { urn: string }[] };
}

/** Taken out of one export and put into the other, under the other stack's name. */
async function moveByExport(urn: string): Promise<void> {
  const [from, to] = await Promise.all(["dev", "two"].map(exported));
  const moved = from?.deployment.resources.filter((one) => one.urn === urn) ?? [];
  const own = JSON.parse(JSON.stringify(moved).replaceAll("urn:pulumi:dev::", "urn:pulumi:two::")) as {
    urn: string;
    provider?: string;
  }[];
  const provider = to?.deployment.resources.find((one) => one.urn.includes("pulumi:providers:")) as
    { urn: string; id?: string } | undefined;
  for (const one of own) one.provider = `${provider?.urn ?? ""}::${provider?.id ?? ""}`;
  if (!from || !to) throw new Error("nothing was exported");
  from.deployment.resources = from.deployment.resources.filter((one) => one.urn !== urn);
  to.deployment.resources.push(...own);
  for (const [stack, state] of [
    ["dev", from],
    ["two", to],
  ] as const) {
    const file = join(desk.folder, `${stack}.state.json`);
    writeFileSync(file, JSON.stringify(state));
    const { code, printed } = await desk.command("state", "import", "-s", stack, "--file", file);
    expect(code, printed).toBe(0);
  }
}

async function exported(stack: string): Promise<Exported> {
  const { code, printed } = await desk.command("state", "export", "-s", stack);
  expect(code, printed).toBe(0);
  return JSON.parse(printed) as Exported;
}

async function moveByPulumi(urn: string): Promise<void> {
  const env = {
    ...process.env,
    ...desk.environment,
    PULUMI_BACKEND_URL: `file://${desk.folder}`,
    PULUMI_SKIP_UPDATE_CHECK: "true",
  };
  const stacks = ["--source", "organization/walk/dev", "--dest", "organization/walk/two"];
  writeFileSync(join(desk.folder, "Pulumi.yaml"), "name: walk\nruntime: nodejs\n");
  await promisify(execFile)(realEngine ?? "", ["state", "move", "--yes", "--non-interactive", ...stacks, urn], {
    cwd: desk.folder,
    env,
  });
  await promisify(execFile)("rm", [join(desk.folder, "Pulumi.yaml")]);
}
