// @module-tag thorough
/** Findings of random walks about addresses, each as its few steps in one process. */
import { expect, test } from "vitest";
import { openTrial, page } from "../trial.ts";
import { publishInApp } from "../../suite/app.ts";

const trial = openTrial();

test("a page that somebody moved stays there when something else is published with it, until a refresh", async () => {
  trial.program.pages["home"] = page("home");
  await trial.up();
  await publishInApp(trial.desk, trial.idOf("home"), { siteId: trial.idOf("main"), slug: "elsewhere" });
  trial.program.pages["home"] = page("home", { "hero.title": "Bye" });
  const done = await trial.up();
  expect(done.printed).toMatch(
    /is at \/elsewhere of site site_\w+, where somebody moved it in the app, and stays there/,
  );
  expect(trial.objects("pages")).toMatchObject([{ slug: "elsewhere" }]);
  const back = await trial.preview("--refresh");
  expect(back.report.changes).toMatchObject([
    { op: "update", fields: [{ path: "publish.slug", old: "elsewhere", new: "home" }] },
  ]);
  await trial.up("--refresh");
  expect(trial.objects("pages")).toMatchObject([{ slug: "home" }]);
});

test("what stays in the account keeps its address: another page that is to have it is refused in preview", async () => {
  trial.program.pages["home"] = { ...page("home"), options: { retainOnDelete: true } };
  await trial.up();
  await trial.desk.byHand("PATCH", "/pages/metadata", { page_id: trial.idOf("home"), name: "App" });
  trial.program.pages = { start: page("home", { "hero.title": "Start" }) };
  for (const options of [[], ["--refresh"]])
    expect(await trial.refusal(4, ...options)).toMatch(
      /Page start: publish\.slug: \/home is taken on this site by "App" \(page_\w+\)/,
    );
  const before = trial.objects("pages");
  trial.program.pages = { start: page("start", { "hero.title": "Start" }) };
  await trial.up("--refresh");
  expect(trial.objects("pages")).toEqual(expect.arrayContaining([...before]));
});

test("a page that is taken over in the place of another one gets its address, also in a second run", async () => {
  trial.program.pages["home"] = page("home");
  await trial.up();
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
  trial.program.pages["home"] = page("start");
  await trial.up();
  trial.program.pages["home"] = page("start", { "hero.title": "Changed" });
  await trial.up();
});
