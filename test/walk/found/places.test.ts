// @module-tag thorough
/** Findings of random walks about addresses, each as its few steps in one process. */
import { expect, test } from "vitest";
import { openTrial, page } from "../trial.ts";

const trial = openTrial();

test("what stays in the account keeps its address: another page that is to have it is refused in preview", async () => {
  await trial.with({ pages: { home: { ...page("home"), options: { retainOnDelete: true } } } }).up();
  await trial.desk.byHand("PATCH", "/pages/metadata", { page_id: trial.idOf("home"), name: "App" });
  trial.program.pages = { start: page("home", { "hero.title": "Start" }) };
  for (const options of [[], ["--refresh"]])
    expect(await trial.refusal(4, ...options)).toMatch(
      /Page start: publish\.slug: \/home is taken on this site by "App" \(page_\w+\)/,
    );
  const before = trial.objects("pages");
  await trial.with({ pages: { start: page("start", { "hero.title": "Start" }) } }).up("--refresh");
  expect(trial.objects("pages")).toEqual(expect.arrayContaining([...before]));
});

test("a page that is taken over in the place of another one gets its address, also in a second run", async () => {
  await trial.with({ pages: { home: page("home") } }).up();
  const id = await trial.theirs("tpl-hero");
  trial.program.pages["home"] = { ...page("home"), adoptId: id, options: { retainOnDelete: true } };
  // The plan asks for it, too.
  trial.desk.emulator.faults.add({ path: "/pages/validate-before-publish", phase: "status", status: 400, skip: 1 });
  await trial.upEnds(1, "--force");
  await trial.up();
  expect(trial.objects("pages").find((one) => one.id === id)).toMatchObject({ slug: "home", status: "published" });
});

test("a path that somebody has on the site of the page is refused, although two sites are planned", async () => {
  trial.program.sites["other"] = { name: "other.example" };
  for (const name of ["main.example", "other.example"]) await trial.desk.byHand("POST", "/sites", { name });
  const [main = { id: "" }] = trial.objects("sites");
  await trial.theirs("tpl-hero", { siteId: main.id, slug: "home" });
  trial.program.pages["home"] = page("home");
  expect(await trial.refusal(4)).toMatch(/Page home: publish\.slug: \/home is taken on this site by "Theirs"/);
  await trial.with({ pages: { home: page("start") } }).up();
  await trial.with({ pages: { home: page("start", { "hero.title": "Changed" }) } }).up();
});
