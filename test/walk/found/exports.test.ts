// @module-tag thorough
/** Findings of random walks about the object of an entry in exported code, each as its few steps in one process. */
import { expect, test } from "vitest";
import { programIn } from "../program.ts";
import { openTrial, page } from "../trial.ts";

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
