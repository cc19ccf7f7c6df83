// @module-tag thorough
/** Saved plans if the content map shows the live text: a hand edit of a page's draft is no drift there. */
import { join } from "node:path";
import { beforeEach, expect, test, vi } from "vitest";
import { startEmulator } from "../../../emulator/index.ts";
import { emptyProgram, manifestOf } from "../program.ts";
import { openTrial, page } from "../trial.ts";
import { inTest } from "../../suite/opened.ts";
import { editInApp } from "../../suite/app.ts";

const trial = openTrial("embedded", { notShown: { contentMapShows: "live" } });
const texts = { "hero.title": "Hello to all of you", "hero.text": "What it is about" };

async function edit(updates: Record<string, string>): Promise<void> {
  await editInApp(trial.desk, trial.idOf("home"), updates);
}

const plan = (): string => join(trial.desk.folder, "plan.json");
const applyPlan = (...options: string[]) => trial.desk.run("up", "--plan", plan(), ...options);
const documents = (): string => JSON.stringify(trial.objects("documents"));

async function savePlan(...options: string[]): Promise<void> {
  const { code, printed } = await trial.preview("--save", plan(), ...options);
  expect(code, printed).toBe(0);
}

beforeEach(async () => {
  await trial.with({ pages: { home: page("home", texts) }, products: { mug: { price: 1 } } }).up();
  trial.program.pages["home"] = page("home", { ...texts, "hero.title": "Good morning" });
  trial.program.products["mug"] = { price: 2 };
});

test.each(["hold", "include"])("one of a text that the plan changes is refused by its name: %s", async (word) => {
  await savePlan("--foreign-edits", word);
  await edit({ "hero.title": "By hand" });
  const before = documents();
  const refused = await applyPlan("--foreign-edits", word);
  expect(refused.code, refused.printed).toBe(3);
  expect(refused.printed).toMatch(
    /Page home.*: content\["hero\.title"\] is edited in its draft, which nobody reviewed: .*"By hand"/,
  );
  expect(documents()).toBe(before);
  expect(trial.objects("products")).toMatchObject([{ price: 1 }]);
  // A new plan shows the draft's text, and the user's word decides about it.
  await savePlan("--foreign-edits", word);
  const done = await applyPlan("--foreign-edits", word);
  expect(done.code, done.printed).toBe(word === "hold" ? 1 : 0);
  expect(done.printed).toMatch(
    word === "hold"
      ? /Landform holds back Page home.* Somebody has edited values in the app that the code changes.*\n.*"By hand"/
      : /The code changes values of Page home that somebody has edited in the app.*\n.*"By hand"/,
  );
  expect(trial.objects("products")).toMatchObject([{ price: 2 }]);
  expect(documents().includes("By hand")).toBe(word === "hold");
});

test("a plan is for its account: with another one's key it is refused before anything is sent", async () => {
  const other = await inTest(startEmulator());
  // The state of an empty stack can't tell its account.
  trial.program = emptyProgram();
  const made = await trial.with({ products: { mug: { price: 1 } } }).preview("--save", plan(), "--stack", "two");
  expect(made.code, made.printed).toBe(0);
  const own = trial.desk.account;
  trial.desk.account = other;
  const refused = await applyPlan("--stack", "two");
  expect(refused.code, refused.printed).toBe(3);
  expect(refused.printed).toMatch(
    /the plan was made for account acct_\w+, and the key \(LANDFORM_API_KEY\) belongs to account acct_\w+\. Nothing was sent. Use a key of account/,
  );
  expect(other.records()["products"]).toEqual([]);
  trial.desk.account = own;
  const done = await applyPlan("--stack", "two");
  expect(done.code, done.printed).toBe(0);
  expect((await trial.desk.run("preview", "--stack", "two", "--detailed-exitcode")).code).toBe(0);
});

test("so is one with another key of an account that the program has itself", async () => {
  const [theirs, other] = await Promise.all([startEmulator(), startEmulator()]);
  const withKeyOf = ({ baseUrl, apiKey }: typeof theirs): void => {
    vi.stubEnv("BASE_B", baseUrl);
    vi.stubEnv("KEY_B", apiKey);
  };
  try {
    trial.program = emptyProgram();
    trial.program.products["mug"] = { price: 1, account: "b" };
    const accounts = { b: { baseUrl: { env: "BASE_B" }, apiKeyEnv: "KEY_B" } };
    trial.desk.declare({ ...manifestOf(trial.program), accounts });
    withKeyOf(theirs);
    const made = await trial.desk.run("preview", "--save", plan(), "--stack", "two");
    expect(made.code, made.printed).toBe(0);
    withKeyOf(other);
    const refused = await applyPlan("--stack", "two");
    expect(refused.code, refused.printed).toBe(3);
    expect(refused.printed).toMatch(
      /the plan was made for account acct_\w+, and the key of "b" belongs to account acct_\w+\. Nothing was sent/,
    );
    expect(other.records()["products"]).toEqual([]);
    withKeyOf(theirs);
    const done = await applyPlan("--stack", "two");
    expect(done.code, done.printed).toBe(0);
    expect((await trial.desk.run("preview", "--stack", "two", "--detailed-exitcode")).code).toBe(0);
  } finally {
    vi.unstubAllEnvs();
    await Promise.all([theirs.close(), other.close()]);
  }
});
