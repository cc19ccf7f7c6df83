// @module-tag thorough
/**
 * The tasks of teams after the first deploy, beside changed inputs, one after another and on both engines. Each plan says exactly what then happens,
 * and the plan after it is empty.
 */
import { execFileSync } from "node:child_process";
import { describe, expect, test } from "vitest";
import { asked, realEngine, rounds } from "../suite/parts.ts";
import { moveState } from "./operations/splitting.ts";
import { emptyProgram, manifestOf, urnOf } from "./program.ts";
import { openTrial, page, type Trial } from "./trial.ts";
import { editInApp } from "../suite/app.ts";

const QUIZ = { template: "tpl-quiz-plan", variables: { brand: "Acme", support_email: "help@acme.example" } };
const THANKS = { template: "tpl-thankyou", variables: { brand: "Acme", support_email: "help@acme.example" } };

/** Checks that the plan names a change before it is made. */
async function expectPlanned(trial: Trial, changes: readonly object[], ...options: string[]): Promise<void> {
  const { report, code, printed } = await trial.preview(...options);
  expect(code, printed).toBe(0);
  expect(report.changes).toMatchObject(changes);
  expect(report.changes, printed).toHaveLength(changes.length);
}

const CASES: Readonly<Record<string, (trial: Trial) => Promise<void>>> = {
  "ignoreChanges on a content key: neither the code nor a refresh touches it": async (trial) => {
    const content = (title: string, text: string) => ({
      ...page("home", { "hero.title": title, "hero.text": text }),
      options: { ignoreChanges: ['content["hero.title"]'] },
    });
    await trial.with({ pages: { home: content("One", "Text") } }).up();
    await editInApp(trial.desk, trial.idOf("home"), { "hero.title": "By hand" });
    trial.program.pages["home"] = content("Two", "Another text");
    await expectPlanned(trial, [{ op: "update", fields: [{ path: 'content["hero.text"]' }] }]);
    await trial.up("--foreign-edits", "include");
    await trial.up("--refresh");
    const shown = JSON.stringify(trial.objects("documents"));
    expect(shown).toContain("By hand");
    expect(shown).toContain("Another text");
    expect(shown).not.toContain("Two");
  },

  "retainOnDelete: a replacement leaves the old one, beside the address": async (trial) => {
    await trial.with({ pages: { home: { ...page("home"), options: { retainOnDelete: true } } } }).up();
    const before = trial.idOf("home");
    trial.program.pages["home"] = { ...THANKS, publish: page("home").publish, options: { retainOnDelete: true } };
    const { report } = await trial.preview();
    expect(report.changes[0]?.note).toMatch(/the old one stays in the account/);
    await trial.up();
    expect(trial.objects("pages")).toHaveLength(2);
    const [old, next] = [before, trial.idOf("home")].map((id) => trial.objects("pages").find((one) => one.id === id));
    expect([old?.["status"], next?.["slug"]]).toEqual(["published", "home"]);
    expect(old?.["slug"]).not.toBe("home");
  },

  "targets: what is left out stays as it is, also where it changed": async (trial) => {
    await trial.with({ products: { mug: { price: 1 }, cup: { price: 1 } } }).up();
    trial.program.products = { mug: { price: 2 }, cup: { price: 2 }, jug: { price: 2 } };
    await expectPlanned(trial, [{ op: "update", name: "mug" }], "--target", "Product/mug");
    await trial.up("--target", "Product/mug");
    const priceOf = (name: string) => trial.objects("products").find(({ id }) => id === trial.idOf(name))?.["price"];
    expect(["mug", "cup"].map(priceOf)).toEqual([2, 1]);
    await trial.up();
    expect(trial.objects("products").map(({ price }) => price)).toEqual([2, 2, 2]);
  },

  "a changed adoptId: the other object becomes the resource's, and the first one goes as planned": async (trial) => {
    const make = (name: string) => trial.make("/products", { name, price: 7 });
    const [first, second] = [await make("First"), await make("Second")];
    await trial.with({ products: { mug: { adoptId: first, price: 3 } } }).up();
    trial.program.products["mug"] = { adoptId: second, price: 3 };
    await expectPlanned(trial, [{ op: "replace", id: first }]);
    await trial.up();
    expect(trial.objects("products")).toMatchObject([{ id: second, price: 3 }]);
    await trial.with({ products: { mug: { price: 3 } } }).up();
    expect(trial.idOf("mug")).toBe(second);
  },

  "a stack split in two: what moved is the other one's, and neither plans anything": async (trial) => {
    await trial.with({ products: { mug: { price: 1 }, cup: { price: 1 } } }).up();
    const before = trial.idOf("mug");
    const urn = urnOf("dev", "products", "mug");
    if (realEngine === undefined) await moveState(trial.desk, urn, manifestOf(emptyProgram()));
    else await moveByPulumi(trial, urn, realEngine);
    delete trial.program.products["mug"];
    await trial.up();
    trial.program = { ...emptyProgram(), products: { mug: { price: 2 } } };
    await expectPlanned(trial, [{ op: "update", id: before }], "--stack", "two");
    await trial.up("--stack", "two");
    const prices = trial.objects("products").map(({ id, price }) => [id === before, price]);
    expect(prices.sort()).toEqual([
      [false, 1],
      [true, 2],
    ]);
  },

  "a funnel that was emptied in the app: a refresh plans its steps": async (trial) => {
    trial.program.pages["home"] = page("home");
    trial.program.funnels["buy"] = { steps: [{ page: "home", pageType: "presell" }] };
    await trial.up();
    await trial.desk.byHand("PATCH", "/funnels", { funnel_id: trial.idOf("buy"), pages: [] });
    await expectPlanned(trial, [{ op: "update", name: "buy" }], "--refresh");
    await trial.up("--refresh");
    expect(trial.objects("funnels")).toMatchObject([{ steps: [{ pageId: trial.idOf("home") }] }]);
  },

  "a quiz whose page was deleted in the app: made anew, and what leads to it follows": async (trial) => {
    trial.program.quizzes["fit"] = { ...QUIZ, publish: { site: "main", slug: "fit" } };
    trial.program.funnels["buy"] = { steps: [{ quiz: "fit", pageType: "quiz" }] };
    await trial.up();
    const before = trial.idOf("fit");
    await trial.desk.byHand("DELETE", `/pages/${before}`);
    const planned = [
      { op: "create", name: "fit" },
      { op: "update", name: "buy" },
    ];
    await expectPlanned(trial, planned, "--refresh");
    await trial.up("--refresh");
    expect(trial.idOf("fit")).not.toBe(before);
    expect(trial.objects("funnels")).toMatchObject([{ steps: [{ pageId: trial.idOf("fit") }] }]);
    expect(trial.objects("pages")).toMatchObject([{ id: trial.idOf("fit"), slug: "fit" }]);
  },
};

/** Moves with Pulumi's own command, in the folder of both engines' state. */
async function moveByPulumi(trial: Trial, urn: string, pulumi: string): Promise<void> {
  const { desk } = trial;
  desk.declare(manifestOf(emptyProgram()));
  const made = await desk.run("up", "--yes", "--stack", "two");
  expect(made.code, made.printed).toBe(0);
  const stacks = ["--source", "organization/walk/dev", "--dest", "organization/walk/two"];
  execFileSync(pulumi, ["state", "move", ...stacks, urn, "--yes", "--non-interactive"], {
    cwd: desk.folder,
    stdio: "pipe",
    env: {
      ...{ PATH: process.env["PATH"], PULUMI_HOME: `${desk.folder}/home`, HOME: desk.folder },
      ...{ PULUMI_BACKEND_URL: `file://${desk.folder}`, PULUMI_CONFIG_PASSPHRASE: "" },
    },
  });
}

const TITLES = Object.keys(CASES);

describe("on the embedded engine", () => {
  const trial = openTrial();
  for (const title of TITLES) test(title, () => CASES[title]?.(trial));
});

/** Each test takes some ten processes, so all of them run only before a release. */
describe.skipIf(realEngine === undefined)("on Pulumi's engine", { timeout: 300_000 }, () => {
  const trial = openTrial("pulumi");
  const some = rounds({ quick: 0, all: 1, soak: TITLES.length });
  for (const [index, title] of TITLES.entries())
    test.skipIf(asked !== "soak" && index >= some)(title, () => CASES[title]?.(trial));
});
