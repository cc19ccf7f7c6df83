// @module-tag thorough
/** Words about a refresh, a held funnel, an adoption, a page that stays and a read that failed: each says what the account shows. */
import { rmSync } from "node:fs";
import { expect, test } from "vitest";
import { Mugs } from "./mugs.ts";
import { thorough } from "../suite/parts.ts";

thorough("a plan that puts a text back names the other texts in that draft, which it would publish", async () => {
  const mugs = await Mugs.here();
  await mugs.edits("offer", { "hero.title": "Hers", "hero.text": "Also hers" });
  expect(await mugs.plan("--refresh")).toMatch(/held back\)[^]*! hero\.text "Also hers"/);
  expect(await mugs.plan("--refresh", "--foreign-edits", "include")).toMatch(
    /They are published with it:\n +! hero\.text "Also hers"/,
  );
  expect(await mugs.says(1, "up", "--yes", "--refresh")).toContain("1 held back");
  await mugs.applies("--refresh", "--foreign-edits", "include");
});

thorough("the last run of a held funnel is the run that wrote it, not the run that held it back", async () => {
  const mugs = await Mugs.here((text) =>
    text.replace("pageType: presell }", "pageType: presell }, { page: about, pageType: thankyou }"),
  );
  const [offer, about] = [mugs.page("offer"), mugs.page("about")];
  const pages = [
    { pageId: offer, pageType: "presell" },
    { pageId: about, pageType: "sales" },
  ];
  await mugs.app("PATCH", "/funnels", { funnel_id: mugs.rows("funnels")[0]?.["id"], pages });
  await mugs.code("about, pageType: thankyou", "about, pageType: upsell").says(1, "up", "--yes");
  const drift = await mugs.says(0, "drift");
  expect(drift).toMatch(/last run +"thankyou"\n +in the app +"sales"\n +code +"upsell"/);
  expect(drift).toContain("up --refresh --foreign-edits include writes");
  await mugs.applies("--refresh", "--foreign-edits", "include");
});

thorough("an undone adoption leaves all of it in the account, and speaks of no deletion", async () => {
  const mugs = await Mugs.here();
  await mugs.edits("offer", { "hero.note": "Colleague note" });
  rmSync(mugs.path(".pulumi"), { recursive: true });
  await mugs.says(0, "adopt", "--yes");
  await mugs.says(1, "up", "--yes");
  const plan = await mugs.says(0, "undo", "--preview");
  expect(plan).toContain("had been taken over");
  expect(plan).not.toMatch(/are deleted, too|Public pages|^ +- http|Funnels\n/m);
});

thorough("a drift whose look fails says nothing of the code", async () => {
  const mugs = await Mugs.here();
  await mugs.edits("offer", { "hero.note": "Colleague note" });
  mugs.emulator.faults.add({ method: "GET", path: "/products/{productId}", phase: "status", status: 403, times: 99 });
  const drift = await mugs.says(1, "drift", "--full");
  expect(drift).toMatch(/edited in the app \(in a draft|edited in the app\n/);
  expect(drift).not.toMatch(/^ +code +"/m);
});

thorough("an undo counts an update by the values that it brings back, whatever else follows", async () => {
  const mugs = await Mugs.here();
  await mugs.edits("offer", { "hero.note": "Colleague note" });
  await mugs.publishes("offer");
  await mugs.prices(13);
  await mugs.up("--refresh");
  const undone = await mugs.undo();
  expect(undone).toMatch(/\n2 to update, 4 unchanged/);
  expect(undone).toContain("Done: 2 updated, 4 unchanged");
  expect(undone).not.toContain("may follow");
});

thorough("the command for a long output names the stack", async () => {
  const many = 'products:\n  all: { each: [a, b, c, d, e, f], project: mugs, name: "${each.key}", price: 5 }';
  const mugs = await Mugs.here((text) => `${text.replace("products:", many)}  all: products.all.id\n`);
  expect(await mugs.up()).toContain("6 values (npx landform output all -s dev)");
});

thorough("an undo asks for a secret in the code without showing a value", async () => {
  const hook = 'hooks: { leads: { targetUrl: "https://example.com/one", eventType: form_lead.created } }\n';
  const mugs = await Mugs.here((manifest) => manifest.replace("outputs:", `${hook}outputs:`));
  await mugs.code("com/one", "com/two").up();
  expect(await mugs.undo()).toMatch(/Hook leads targetUrl: the secret that it had$/m);
});

thorough("after a refresh that has seen an edit, the plan shows the code's text, and still no secret", async () => {
  const mugs = await Mugs.here();
  await mugs.says(0, "config", "set", "--secret", "note", "S3cret-note");
  await mugs.code("hero.note: Only today", "hero.note: { config: note }").up();
  await mugs.edits("offer", { "hero.title": "Theirs", "hero.note": "Their note" });
  await mugs.says(0, "refresh", "--yes");
  const plan = await mugs.plan();
  expect(plan).toContain('"Theirs" → "A mug worth getting up for"');
  expect(plan).not.toContain("S3cret");
  expect(await mugs.says(0, "drift")).not.toContain("S3cret");
});

thorough("after a refresh, a plan and a drift still know what the last run left and who moved it", async () => {
  const mugs = await Mugs.here();
  await mugs.edits("offer", { "hero.title": "Theirs" });
  await mugs.prices(13);
  await mugs.says(0, "refresh", "--yes");
  expect(await mugs.plan()).toMatch(
    /writes over values that somebody has changed in the app: [^]*content\["hero\.title"\][^]*price/,
  );
  const drift = await mugs.says(0, "drift", "--full");
  expect(drift).toMatch(/last run +"A mug worth getting up for"\n +draft +"Theirs"/);
  expect(drift).toMatch(/last run +12\.5\n +in the app +13/);
  expect(drift).not.toContain("changed in the code");
  await mugs.applies();
  expect(await mugs.says(0, "drift")).toContain("no drift");
});

test("an edit that the code takes over is recorded as the code's: the next change of it meets nobody's edit", async () => {
  const mugs = await Mugs.here();
  await mugs.prices(13);
  expect(await mugs.code("price: 12.5", "price: 13").says(0, "drift")).toContain("no drift");
  const taken = await mugs.applies("--refresh");
  expect(taken).toContain("records price as the code has it");
  expect(taken).toContain("1 updated, 5 unchanged");
  expect(await mugs.code("price: 13", "price: 14").plan()).not.toContain("edited in the app");
  expect(await mugs.applies()).toContain("1 updated");
});

thorough("a published text that the code takes over is the code's from then on; a draft's is published", async () => {
  const mugs = await Mugs.here();
  await mugs.edits("about", { "hero.title": "Hers" });
  await mugs.publishes("about");
  await mugs.edits("offer", { "hero.title": "Theirs" });
  const plan = await mugs.code("A mug worth getting up for", "Theirs").code("About us", "Hers").plan("--refresh");
  expect(plan).toMatch(/Page about [^]*records content as the code has it/);
  expect(plan).toMatch(/Page offer [^]*publishes content\["hero\.title"\], which the draft has already/);
  expect(plan).toMatch(/Public pages\n +~ \S+\/offer \(offer\)\n\n/);
  await mugs.applies("--refresh");
  expect(await mugs.visited("offer")).toContain("Theirs");
  mugs.code("hero.title: Theirs", "hero.title: Third");
  expect(await mugs.code("hero.title: Hers", "hero.title: Fourth").applies()).toContain("2 updated");
});

test("an edit of a value that the program leaves to others is no edit that the code takes over", async () => {
  const mugs = await Mugs.here((text) =>
    text
      .replace("price: 12.5,", "price: 12.5, options: { ignoreChanges: [price] },")
      .replace("    template: tpl-hero\n", "$&    options: { ignoreChanges: ['content[\"hero.title\"]'] }\n"),
  );
  await mugs.prices(13);
  await mugs.edits("offer", { "hero.title": "Theirs" });
  await mugs.publishes("offer");
  expect(await mugs.plansNothing("--refresh")).toContain("no changes");
  await mugs.says(0, "refresh", "--yes");
  await mugs.plansNothing();
});

const STEPS = `[{ page: offer, pageType: presell }, { url: "https://shop.example/checkout", pageType: checkout }, { page: about, pageType: thankyou }]`;

test("the plan shows the part of the list that differs with its three values, and no change for visitors", async () => {
  const mugs = await Mugs.here((manifest) => manifest.replace(/steps: .*/, `steps: ${STEPS}`));
  const [funnel] = mugs.rows("funnels");
  const steps = funnel?.["steps"] as readonly object[];
  const edited = [...steps.slice(0, 2), { ...steps[2], pageType: "vip-thankyou" }];
  await mugs.app("PATCH", "/funnels", { funnel_id: funnel?.["id"], pages: edited });
  mugs.code("pageType: thankyou", "pageType: goodbye");
  const plan = await mugs.plan("--markdown", "plan.md", "--html", "plan.html");
  const three = 'steps[2].pageType: "thankyou" at the last run, "vip-thankyou" in the app, "goodbye" in the code';
  expect(plan).toContain(`! ${three}\n`);
  expect(plan).toMatch(/steps\[2\]\.pageType +"vip-thankyou" → "goodbye" {2}\(held back\)/);
  expect(plan).not.toContain("Funnels");
  for (const file of ["plan.md", "plan.html"]) expect(mugs.read(file)).toContain("vip-thankyou");
  expect(await mugs.says(1, "up", "--yes")).toContain(three);
  expect(await mugs.code("About us", "About the team").plan()).toMatch(/Funnels\n {2}spring: about changes/);
  expect(await mugs.applies("--foreign-edits", "include")).toContain(three);
  await mugs.undo();
  expect(mugs.rows("funnels")).toMatchObject([{ steps: edited }]);
});

async function retained(): Promise<Mugs> {
  const mugs = await Mugs.here((text) =>
    text
      .replace("    template: tpl-hero\n", "$&    options: { retainOnDelete: true }\n")
      .replace("brand: Example Mugs", "$&, support_email: help@mugs.example"),
  );
  await mugs.edits("offer", { "hero.text": "Half a sentence" });
  mugs.code("template: tpl-hero", "template: tpl-thankyou");
  mugs.code(", hero.note: Only today", "");
  return mugs;
}

thorough("a hold says that the edits would stay behind, and not that they would be deleted", async () => {
  const mugs = await retained();
  const plan = await mugs.plan();
  expect(plan).toContain("which would stay behind in the old page");
  expect(plan).not.toContain("deleted");
  expect(await mugs.says(1, "up", "--yes")).toContain("would stay behind in the old page");
});

test("a plan names the edits that go public with the old page beside its address", async () => {
  const mugs = await retained();
  expect(await mugs.plan("--foreign-edits", "include")).toMatch(
    /it moves to another address beside the old one[^]*Page offer\. They are published with it:\n +! hero\.text "Half a sentence"/,
  );
  await mugs.applies("--foreign-edits", "include");
});

test("the plan of an adoption without a state shows the texts that differ, and no others", async () => {
  const mugs = await Mugs.here((manifest) => manifest.replace("About us", '"About {{brand}}"'));
  await mugs.edits("offer", { "hero.note": "Colleague note" });
  rmSync(mugs.path(".pulumi"), { recursive: true });
  await mugs.says(0, "adopt", "--yes");
  const plan = await mugs.code("{{brand}}", "the {{brand}}").plan();
  expect(plan).toMatch(/hero\.note"\] +"Colleague note" → "Only today"/);
  expect(plan).toMatch(/hero\.title"\] +"About Example Mugs" → "About the Example Mugs"/);
  expect(plan).not.toMatch(/\(none\)|worth getting up/);
  await mugs.applies("--foreign-edits", "include");
});

test("a page that a person has published, and the code does not, is not told as published", async () => {
  const blank = "  blank: { template: tpl-hero, variables: { brand: B }, content: { hero.title: Thanks } }\nfunnels:";
  const mugs = await Mugs.here((manifest) => manifest.replace("funnels:", blank));
  await mugs.publishes("blank");
  const done = await mugs.code("Thanks", "Many thanks").applies();
  expect(done).toContain("updated Page blank");
  expect(done).not.toContain("Published\n");
});

test("adopt leaves objects to the other stack that has them", async () => {
  const mugs = await Mugs.here((manifest) => manifest.replaceAll(/slug: (\w+)/g, 'slug: "${stack}/$1"'));
  const said = await mugs.says(0, "adopt", "--stack", "stage", "--yes");
  expect(said).toContain("Objects of other stacks (dev) are left to them");
  expect(said).not.toMatch(/= (Page|Product|Funnel|Project)/);
  expect(mugs.read("landform.yaml")).not.toMatch(/adoptId: (page|prod|funnel|proj)_/);
  await mugs.plansNothing();
});

test("a run names the texts that it publishes for an earlier run, as its plan did", async () => {
  const mugs = await Mugs.here();
  await mugs.edits("offer", { "hero.note": "Half a sentence" });
  expect(await mugs.code("A mug worth getting up for", "Good morning").says(1, "up", "--yes")).toContain("1 held back");
  await mugs.edits("offer", { "hero.note": "Only today" });
  const text = /content\["hero\.title"\] +"A mug worth getting up for" → "Good morning"/;
  expect(await mugs.plan("--json", "plan.json")).toMatch(text);
  expect(await mugs.up("--json", "up.json", "--markdown", "up.md", "--html", "up.html")).toMatch(text);
  const planned = mugs.report("plan.json")["changes"] as readonly object[];
  expect(mugs.report("up.json")["changes"] as readonly object[]).toMatchObject(planned);
  for (const file of ["up.md", "up.html"]) expect(mugs.read(file)).toContain("Good morning");
  await mugs.plansNothing();
});
