// @module-tag thorough
/** Findings of random walks about the object of an entry in exported code, each as its few steps in one process. */
import { rmSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { programIn } from "../program.ts";
import { openTrial, page, project } from "../trial.ts";

const trial = openTrial();

async function takeExport(): Promise<void> {
  trial.declare();
  const { code, printed } = await trial.desk.export();
  expect(code, printed).toBe(0);
  trial.program = programIn(trial.desk.folder, trial.desk.read("landform.yaml"));
}

test("what somebody renamed in the app is what the state knows, and is not added a second time", async () => {
  trial.program.pages = { draft: { template: "tpl-hero", variables: { brand: "Acme", support_email: "a@b.example" } } };
  trial.program.products["mug"] = { price: 1 };
  await trial.up();
  const [draft, mug] = [trial.idOf("draft"), trial.idOf("mug")];
  await trial.desk.byHand("PATCH", "/pages/metadata", { page_id: draft, name: "App" });
  await trial.desk.byHand("PATCH", "/products", { product_id: mug, name: "App" });
  const { draft: before } = trial.program.pages;
  trial.program.pages = { start: { ...before, options: { aliases: ["draft"] } } };
  await takeExport();
  expect(trial.program.pages).toMatchObject({ start: { name: "App", adoptId: draft } });
  expect(trial.program.products).toMatchObject({ mug: { name: "App", adoptId: mug } });
  expect([trial.program.pages, trial.program.products].map((all) => Object.keys(all))).toEqual([["start"], ["mug"]]);
  await trial.up("--refresh");
  expect([trial.idOf("start"), trial.idOf("mug")]).toEqual([draft, mug]);
});

test("of several of one name, an entry is the one at its address, where there is no state", async () => {
  trial.program.pages["home"] = page("home");
  await trial.up();
  const id = trial.idOf("home");
  const { id: other } = (await trial.desk.byHand("POST", "/pages/duplicate", { page_id: id, new_name: "home" })) as {
    id: string;
  };
  rmSync(join(trial.desk.folder, ".pulumi"), { recursive: true });
  await takeExport();
  expect(trial.program.pages["home"]).toMatchObject({ adoptId: id, publish: { slug: "home" } });
  expect(Object.values(trial.program.pages).map(({ adoptId }) => adoptId)).toEqual([id, other]);
  const done = await trial.up();
  expect(done.report.counts).toMatchObject({ create: 0, update: 0 });
  expect(trial.objects("pages")).toHaveLength(2);
});

test("what another one is to take the place of is left out between a changed adoptId and its apply, with the reason", async () => {
  trial.program.pages["home"] = page("home");
  trial.program.funnels["buy"] = { steps: [{ page: "home", pageType: "presell" }] };
  await trial.up();
  const before = trial.idOf("home");
  const { id } = (await trial.desk.byHand("POST", "/pages/from-template", {
    template_id: "tpl-hero",
    name: "Theirs",
  })) as { id: string };
  trial.program.pages["home"] = { ...page("home"), adoptId: id };
  trial.declare();
  const { code, printed } = await trial.desk.export();
  // The new page doesn't have the old one's address yet.
  expect(code, printed).toBe(2);
  expect(printed).toContain(
    `Left out: page "home" (${before}), it is pages.home of the stack, and its adoptId is ${id} now: the next up replaces it by that one`,
  );
  trial.program = programIn(trial.desk.folder, trial.desk.read("landform.yaml"));
  expect(Object.keys(trial.program.pages)).toEqual(["home"]);
  expect(trial.program.pages["home"]).toMatchObject({ adoptId: id, publish: { slug: "home" } });
  expect(trial.program.funnels["buy"]).toMatchObject({ steps: [{ page: "home" }] });
  await trial.up();
  expect(trial.objects("pages")).toMatchObject([{ id, slug: "home" }]);
});

test("a page that the code no longer publishes is not published again by an export before the apply", async () => {
  trial.program.pages["home"] = { ...page("home"), variables: { brand: "Acme", support_email: "a@b.example" } };
  await trial.up();
  const { publish: _, ...draft } = trial.program.pages["home"];
  trial.program.pages["home"] = draft;
  trial.declare();
  const { code, printed } = await trial.desk.export();
  expect(code, printed).toBe(0);
  expect(printed).toMatch(/Changed in the code since the last run, and left.*: pages\.home\.publish/);
  expect(programIn(trial.desk.folder, trial.desk.read("landform.yaml")).pages["home"]).not.toHaveProperty("publish");
});

test("what the code refers to otherwise since the last run stays, and what somebody leads elsewhere meanwhile is told", async () => {
  trial.program.projects = { spring: { ...project, name: "Spring" }, summer: { ...project, name: "Summer" } };
  trial.program.pages = { home: { ...page("home"), project: "spring" }, shop: page("shop") };
  const steps = (key: string) => [{ page: key, pageType: "presell" }];
  trial.program.funnels = { buy: { steps: steps("home") }, sell: { steps: steps("home") } };
  await trial.up();
  trial.program.pages["home"] = { ...page("home"), project: "summer" };
  trial.program.funnels = { buy: { steps: steps("shop") }, sell: { steps: steps("shop") } };
  trial.declare();
  await trial.desk.byHand("PATCH", "/funnels", {
    funnel_id: trial.idOf("sell"),
    pages: [{ url: "https://theirs.example", pageType: "sales" }],
  });
  const { code, printed } = await trial.desk.export();
  expect(code, printed).toBe(2);
  expect(printed).toMatch(/and left, for the next up to apply: .*pages\.home\.project.*funnels\.buy\.steps/);
  expect(printed).toMatch(/funnels\.sell\.steps \(changed in both: the code says .*, the account .*theirs\.example/);
  const { pages, funnels } = programIn(trial.desk.folder, trial.desk.read("landform.yaml"));
  expect(pages["home"]).toMatchObject({ project: "summer" });
  expect(funnels).toMatchObject({ buy: { steps: steps("shop") }, sell: { steps: steps("shop") } });
});

test("an id that an entry of the export has stays as it is written, and is not planned as a move", async () => {
  trial.program.pages["home"] = page("home");
  trial.program.funnels["buy"] = { steps: [{ page: "home", pageType: "presell" }] };
  await trial.up();
  const [site, home] = [{ id: trial.idOf("main") }, { id: trial.idOf("home") }];
  trial.program.sites = {};
  trial.program.pages["home"] = { ...page("home"), publish: { site, slug: "home" } };
  trial.program.funnels["buy"] = { steps: [{ page: home, pageType: "presell" }] };
  await trial.up();
  await takeExport();
  expect(trial.program.sites).toMatchObject({ "main-example": { adoptId: site.id } });
  expect(trial.program.pages["home"]).toMatchObject({ publish: { site, slug: "home" } });
  expect(trial.program.funnels["buy"]).toMatchObject({ steps: [{ page: home }] });
  const planned = await trial.preview();
  expect(planned.report.counts).toMatchObject({ adopt: 1, create: 0, update: 0, replace: 0, delete: 0 });
  await trial.up();
});

test("what leads elsewhere in the app than its reference is told, and left as declared", async () => {
  const reference = { ref: "pages.thanks.url" };
  trial.program.pages = { thanks: page("thanks"), home: { ...page("home"), content: { "hero.cta.url": reference } } };
  trial.program.products["mug"] = { price: 1, ctaUrl: reference };
  await trial.up();
  await takeExport();
  const updates = { "hero.cta.url": "https://else.example/" };
  await trial.desk.byHand("PATCH", "/pages/content", { page_id: trial.idOf("home"), updates });
  await trial.desk.byHand("PATCH", "/products", { product_id: trial.idOf("mug"), cta_url: "https://else.example/" });
  trial.declare();
  const { code, printed } = await trial.desk.export();
  expect(code, printed).toBe(2);
  expect(printed).toContain(
    "--refresh restores: pages.home.content.hero.cta.url ({ ref: pages.thanks.url }), products.mug.ctaUrl ({ ref: pages.thanks.url })",
  );
  const drift = await trial.desk.run("drift");
  expect(drift.printed).toContain("edited in the app");
  expect(drift.printed).not.toContain("adoptId");
  const done = await trial.up("--refresh");
  expect(done.report.changes.flatMap(({ fields }) => fields.map(({ path }) => path[0]))).not.toContain("adoptId");
});

test.each([
  ["without a slug", {}],
  ["with an empty one", { slug: "" }],
])("the page of the root that gets a path in the app gets it in the code: %s", async (_, slug) => {
  trial.program.pages["home"] = { ...page("home"), publish: { site: "main", ...slug } };
  await trial.up();
  await takeExport();
  const [{ id: site_id }] = trial.objects("sites") as [{ id: string }];
  await trial.desk.byHand("POST", "/pages/publish", { page_id: trial.idOf("home"), site_id, slug: "start" });
  await takeExport();
  expect(trial.program.pages["home"]).toMatchObject({ publish: { slug: "start" } });
});

test("an export ends with 2 where what somebody deleted is all its news, and up --refresh makes that anew", async () => {
  trial.program.products = { mug: { price: 1 }, cup: { price: 2 } };
  await trial.up();
  await takeExport();
  await trial.up();
  const cup = trial.idOf("cup");
  await trial.desk.byHand("DELETE", `/products/${cup}`);
  const { code, printed } = await trial.desk.export();
  expect(printed).toContain("No longer in the account: products.cup.");
  expect(code, printed).toBe(2);
  trial.program = programIn(trial.desk.folder, trial.desk.read("landform.yaml"));
  expect(trial.program.products["cup"]).not.toHaveProperty("adoptId");
  await trial.up("--refresh");
  expect(trial.objects("products")).toHaveLength(2);
  expect(trial.idOf("cup")).not.toBe(cup);
  await takeExport();
});
