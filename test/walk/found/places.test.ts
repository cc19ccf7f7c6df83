/** What random walks found, each as the few steps that show it, in one process: addresses. */
import { expect, test } from "vitest";
import { openTrial, page } from "../trial.ts";

const trial = openTrial();

test("a page that somebody moved stays there when something else is published with it, until a refresh", async () => {
  trial.program.pages["home"] = page("home");
  await trial.up();
  await trial.desk.byHand("POST", "/pages/publish", {
    page_id: trial.idOf("home"),
    site_id: trial.idOf("main"),
    slug: "elsewhere",
  });
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

test("a path whose page is deleted in the same run is free for the new one after a refresh, too", async () => {
  trial.program.pages["home"] = page("home");
  await trial.up();
  trial.program.pages = { start: page("home", { "hero.title": "Start" }) };
  await trial.up("--refresh");
  expect(trial.objects("pages")).toMatchObject([{ pageName: "start", slug: "home" }]);
});

test("targets that swap their paths, with names as a user writes them", async () => {
  trial.program.pages = { home: page("home"), shop: page("shop", { "hero.title": "Shop" }) };
  await trial.up();
  trial.program.pages = { home: page("shop"), shop: page("home", { "hero.title": "Shop" }) };
  await trial.up("--target", "Page/home", "--target", "Page/shop");
  expect(trial.objects("pages")).toMatchObject([{ slug: "shop" }, { slug: "home" }]);
  await trial.up();
});
