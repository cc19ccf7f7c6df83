/** A plan says as a fact only what is certain, and tells what visitors meet. */
import { expect, test } from "vitest";
import { inTest } from "../suite/opened.ts";
import { hero, sited } from "./manifests.ts";
import { Mugs } from "./mugs.ts";
import { NearDesk } from "./near-desk.ts";
import { thorough } from "../suite/parts.ts";

thorough("a page whose slug is known after the apply may move, and no address goes for certain", async () => {
  const mugs = await Mugs.here();
  mugs.code("slug: about", `slug: { ref: products.cup.id }`);
  const plan = await mugs.code("products:", "products:\n  cup: { project: mugs, name: Cup, price: 3 }").plan();
  expect(plan).toMatch(/~ http\S+\/about \(about, may move\)/);
  expect(plan).toContain('If the address changes, visitors of the old one get "not found" (404).');
  expect(plan).not.toContain("Visitors of the old addresses");
  await mugs.applies();
});

test("a conflict about a text that is secret in the code shows a mark, and no value of the engine's own", async () => {
  const mugs = await Mugs.here((text) =>
    text.replace("hero.note: Only today", "hero.note: { env: NOTE, secret: true, default: Only today }"),
  );
  await mugs.edits("offer", { "hero.note": "Hers" });
  const plan = await mugs.saysWith({ NOTE: "Zebrafish at noon" }, 0, "preview");
  expect(plan).toContain(`hero.note "[secret]" in the app ("[secret]" at the last run, "[secret]" in the code)`);
  expect(plan).not.toMatch(/Hers|Zebrafish/);
});

thorough("two texts that differ only in a secret are told apart in an undo's plan, too", async () => {
  const mugs = await Mugs.here((text) =>
    text.replaceAll("brand: Example Mugs", "brand: { env: BRAND, secret: true, default: Example Mugs }"),
  );
  await mugs.saysWith({ BRAND: "Quagga & Sons" }, 0, "up", "--yes");
  mugs.also.env = { BRAND: "Zebrafish & Daughters" };
  await mugs.up();
  const plan = await mugs.says(0, "undo", "--preview", "--html", "undo.html", "--markdown", "undo.md");
  expect(plan).toMatch(/content\["hero\.eyebrow"\] +\[secret\] → another \[secret\]/);
  for (const told of [plan, mugs.read("undo.md"), mugs.read("undo.html")]) expect(told).not.toContain("·from·");
  expect(mugs.read("undo.md")).toContain("another [secret]");
});

test("a page that somebody deleted: the account has changed, and every advice can help", async () => {
  const mugs = await Mugs.here();
  await mugs.code("hero.title: About us", "hero.title: All about us").plan("--save", "plan.json");
  await mugs.app("DELETE", `/pages/${mugs.page("about")}`);
  const reviewed = await mugs.says(3, "up", "--plan", "plan.json");
  expect(reviewed).toContain("To make it anew, run preview --refresh and review the new plan.");
  expect(reviewed).not.toContain("drift --write");
  for (const command of [["preview"], ["up", "--yes"]])
    expect(await mugs.says(3, ...command)).toContain("To make it anew, run preview and up with --refresh.");
  await mugs.applies("--refresh");
});

test("a page that goes names the funnel of others that leads to it", async () => {
  const mugs = await Mugs.here();
  const steps = [{ pageId: mugs.page("about"), pageType: "presell" }];
  await mugs.app("POST", "/funnels", { name: "Theirs", project_id: mugs.rows("projects")[0]?.id, pages: steps });
  const plan = await mugs.declare(mugs.read("landform.yaml").replace(/ {2}about:\n(?: {4}.*\n)+/, "")).plan();
  expect(plan).toMatch(/warning: funnel \w+ \("Theirs"\), which this stack doesn't have, leads to about: /);
  expect(await mugs.applies()).toContain('("Theirs")');
});

thorough("a plan of a program tells unasked what a plan of a manifest does", async () => {
  const desk = await NearDesk.own();
  const declare = (price: number) => desk.program(`new landform.Product("mug", { price: ${price} });`);
  await declare(10).up();
  expect(await declare(12).plan()).not.toContain("price-change");
  expect(await declare(100).plan()).toContain("products.mug.price goes up from 10 to 100, by 900 % [price-change]");
  expect(await desk.says(3, "up", "--yes")).toContain("--force");
  await desk.applies("--force");
});

test("a content key that leaves the code with the template is not sent to the new page", async () => {
  const mugs = await Mugs.here();
  mugs.code(", hero.note: Only today", "");
  mugs.code("    template: tpl-hero\n", "    template: tpl-thankyou\n");
  mugs.code("brand: Example Mugs }", "brand: Example Mugs, support_email: help@mugs.example }");
  mugs.emulator.requests.length = 0;
  await mugs.up();
  const sent = mugs.emulator.requests.filter(({ method, path }) => method === "PATCH" && path === "/pages/content");
  expect(sent.map(({ body }) => body)).toEqual([
    expect.objectContaining({ updates: { "hero.title": "A mug worth getting up for" } }),
  ]);
  await mugs.plansNothing();
});

test("where a service shows no dates, a page that a run publishes again is told as published, and one that it leaves alone is not", async () => {
  const desk = await inTest(NearDesk.open(undefined, { notShown: { nullDates: true } }));
  await desk.declare(sited([hero("a", { title: "One" }), hero("b", { title: "One" })])).applies();
  expect(await desk.code("One", "Two").applies()).toMatch(/\nPublished\n +http\S+\/a\n\n/);
});
