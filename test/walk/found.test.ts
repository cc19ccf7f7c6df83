/** What random walks found, each as the few steps that show it, in one process. */
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { type Command, WalkDesk } from "./desk.ts";
import { emptyProgram, manifestOf, type Program } from "./program.ts";

let desk: WalkDesk;
let program: Program;
beforeEach(async () => {
  desk = await WalkDesk.open();
  program = emptyProgram();
  program.sites["main"] = { name: "main.example" };
});
afterEach(() => desk.close());

function page(slug: string, content: Record<string, string> = { "hero.title": "Hello {{brand}}" }) {
  return { template: "tpl-hero", content, variables: { brand: "Acme" }, publish: { site: "main", slug } };
}

/** Up, after which a second one plans nothing. */
async function up(...options: string[]): Promise<Command> {
  desk.declare(manifestOf(program));
  const done = await desk.run("up", "--yes", "--force", ...options);
  expect(done.printed).toContain("Done");
  expect(done.code, done.printed).toBe(0);
  const again = await desk.run("preview", "--detailed-exitcode", ...options);
  expect(again.code, again.printed).toBe(0);
  return done;
}

async function preview(...options: string[]): Promise<Command> {
  desk.declare(manifestOf(program));
  return desk.run("preview", ...options);
}

test("a text with a placeholder is shown in the next plan: it is no secret, though it is kept like one", async () => {
  program.pages["home"] = page("home");
  await up();
  program.pages["home"] = page("home", { "hero.title": "Bye {{brand}}" });
  const { report } = await preview();
  const [change] = report.changes;
  expect(change?.fields).toEqual([
    { path: 'content["hero.title"]', kind: "update", old: "Hello {{brand}}", new: "Bye {{brand}}" },
  ]);
  await up();
});

test("the drafts of a renamed page are looked at by the name that the state knows it by", async () => {
  program.pages["home"] = page("home");
  await up();
  const { home } = program.pages;
  program.pages = { start: { ...home, name: "Start", options: { aliases: ["home"] } } };
  const { report } = await preview();
  expect(report.warnings).toEqual([]);
  expect(report.changes).toMatchObject([{ op: "update", name: "start" }]);
  await up();
});
