/** A value that a person and the code have changed is held back or written over by word: of an object without a draft, and a page's name and path. */
import { expect, test } from "vitest";
import { onBothEngines, sampledTable, thorough } from "../suite/parts.ts";
import { Mugs } from "./mugs.ts";
import { NearDesk } from "./near-desk.ts";
import { hero, sited } from "./manifests.ts";

const desk = NearDesk.each();

const mug = (ctaText: string, more = "") =>
  desk.declare(`landform: 1\nname: test\nproducts: { mug: { price: 3, ctaText: ${ctaText}${more} } }\n`);

const WORDS = { cta_text: "WORDS of a person" };
const BOTH = [{ kind: "field", at: ["ctaText"], now: "WORDS of a person", over: { then: "one", code: "two" } }];

const planned = async (...args: string[]) => (await desk.json("preview", ...args)).impact?.alsoLive ?? [];
const edit = (fields: object): Promise<unknown> =>
  desk.app("PATCH", "/products", { product_id: desk.rows("products")[0]?.id, ...fields });
const shows = (product: object): void => expect(desk.rows("products")).toMatchObject([product]);

async function held(...args: string[]): Promise<string> {
  const said = await desk.says(1, "up", "--yes", ...args);
  shows({ ctaText: "WORDS of a person" });
  return said;
}

/** The code changes what a person has changed. */
async function bothChange(more = ""): Promise<void> {
  await mug("one").applies();
  mug("two", more);
  expect(await planned()).toEqual([]);
  await edit(WORDS);
}

onBothEngines((...on) => {
  thorough("the plan shows the last run's, the account's and the code's value; it is held until a word", async () => {
    desk.on(...on);
    await bothChange(", sku: 'M-1'");
    for (let time = 0; time < 2; time++) {
      expect(await planned()).toMatchObject([{ policy: "hold", edits: BOTH, noDraft: true }]);
      const plan = await desk.plan();
      expect(plan).toMatch(/ctaText +"WORDS of a person" → "two" {2}\(held back\)/);
      expect(plan).toMatch(
        /Landform leaves values of Product mug alone\. Somebody has edited values in the app that the code changes:\n.*ctaText: "one" at the last run, "WORDS of a person" in the app, "two" in the code/,
      );
      const told = await held();
      expect(told).toMatch(/Product mug keeps values[^]*Put them into the code/);
      // The first run writes the other value. The second one leaves the whole product, and updates nothing.
      expect(told).toContain(
        `Done, but 1 resource keeps values that somebody set in the app: 1 ${time === 0 ? "updated" : "held back"}`,
      );
      expect(told.includes("! held back Product mug")).toBe(time === 1);
      // The other value is written.
      shows({ sku: "M-1" });
    }
    expect(await planned("--foreign-edits", "include")).toMatchObject([{ policy: "include" }]);
    expect(await desk.applies("--foreign-edits", "include")).toContain("the run writes over these values of product");
    shows({ ctaText: "two" });
    await desk.undo();
    shows({ ctaText: "WORDS of a person", sku: "M-1" });
  });
});

thorough("a secret is told without its values", async () => {
  const secret = (text: string) =>
    desk.program(`import * as pulumi from "@pulumi/pulumi";
new landform.Product("mug", { price: 3, ctaText: pulumi.secret("${text}") });`);
  await secret("hush-one").applies();
  secret("hush-two");
  await edit(WORDS);
  for (const said of [await desk.plan(), await desk.says(1, "up", "--yes")]) {
    expect(said).toContain("ctaText: a secret that is no longer as the last run left it");
    expect(said).not.toMatch(/hush|WORDS/);
  }
  await desk.applies("--foreign-edits", "include");
  shows({ ctaText: "hush-two" });
});

test("a reviewed plan holds or includes what its reviewer has seen, and a later edit is a conflict", async () => {
  await bothChange();
  const saved = (...args: string[]): Promise<string> => desk.plan("--save", "plan.json", ...args);
  await saved();
  await held("--plan", "plan.json");
  await saved("--foreign-edits", "include");
  await edit({ cta_text: "WORDS of another person" });
  expect(await desk.says(3, "up", "--plan", "plan.json")).toContain("WORDS of another person");
  await saved("--foreign-edits", "include");
  await desk.says(0, "up", "--plan", "plan.json");
  shows({ ctaText: "two" });
  await desk.plansNothing();
});

test.each([["up --refresh"], ["refresh"]])(
  "a value that nobody declared and that somebody has set is held when the code declares it (%s)",
  async (command) => {
    await mug("one").applies();
    await edit({ sku: "ZZ" });
    mug("one", ", sku: A");
    if (command === "refresh") await desk.says(0, "refresh", "--yes");
    const refreshes = command === "refresh" ? [] : ["--refresh"];
    for (let time = 0; time < 2; time++) {
      const said = await desk.says(1, "up", "--yes", ...refreshes);
      expect(said).toContain('sku: nothing at the last run, "ZZ" in the app, "A" in the code');
      shows({ sku: "ZZ" });
    }
    await desk.applies("--foreign-edits", "include");
    shows({ sku: "A" });
  },
);

test("an account that does not answer is named, and nothing is written", async () => {
  await bothChange();
  desk.emulator.faults.add({ method: "GET", path: "/products/{productId}", phase: "status", status: 403, times: null });
  const question = "Landform could not ask if somebody has changed it";
  expect(await desk.says(1, "preview")).toContain(question);
  expect(await desk.says(3, "up", "--yes")).toContain(question);
  expect(await desk.says(1, "up", "--yes", "--force")).toMatch(/is not written, because Landform could not look/);
  shows({ ctaText: "WORDS of a person" });
});

test("an adoption shows the values that it writes over, and says so of an object that is as declared", async () => {
  const { id } = await desk.app("POST", "/products", { name: "mug", price: 3, ...WORDS });
  const adopting = (more: string, sites = "{}") =>
    desk.declare(`landform: 1\nname: test\nsites: ${sites}\nproducts: { mug: { adoptId: ${id}, price: 3${more} } }\n`);
  expect(await adopting(", ctaText: two").plan()).toMatch(
    /= Product mug {2}prod_\w+\n.*the run sends only the fields that differ there\n +ctaText +"WORDS of a person" → "two"\n\n/,
  );
  // The site's id is known once it is made, so nobody can say yet that nothing differs.
  adopting(", ctaUrl: { ref: sites.new.id }", "{ new: { name: new.example } }");
  expect(await desk.plan()).toMatch(
    /= Product mug {2}prod_\w+\n.*the run sends only the fields that differ there\n +ctaUrl +\[known after apply\]\n\n/,
  );
  expect(await adopting("").plan()).toMatch(/= Product mug {2}prod_\w+\n +takes over the existing object as it is\n\n/);
  await desk.applies();
  shows({ ctaText: "WORDS of a person" });
});

thorough("a plan that looks again after two runs that held shows the values that it writes over", async () => {
  const mugs = await Mugs.here();
  await mugs.edits("offer", { "hero.title": "A colleague's mug" });
  await mugs.publishes("offer");
  await mugs.prices(11);
  mugs.code("A mug worth getting up for", "The mug of spring");
  await mugs.code("price: 12.5", "price: 14").says(1, "up", "--yes");
  await mugs.says(1, "up", "--yes", "--refresh");
  expect(await mugs.plan("--refresh")).not.toMatch(/ended before this was done|publishes the page/);
  const plan = await mugs.plan("--refresh", "--foreign-edits", "include");
  expect(plan).toMatch(/price +11 → 14/);
  expect(plan).toMatch(/hero\.title"\] +"A colleague's mug" → "The mug of spring"/);
  expect(plan).not.toMatch(/ended before this was done/);
  await mugs.applies("--refresh", "--foreign-edits", "include");
});

/** The name and the path of a page: held with all three values, and written over by word. */
const manifest = (name: string, slug: string, title: string) =>
  desk.declare(sited([hero("p", { title, slug, more: `, name: ${name}` })]));

const page = () => desk.rows("pages")[0] as { id: string; pageName: string; slug: string } | undefined;
const rename = () => desk.app("PATCH", "/pages/metadata", { page_id: page()?.id, name: "Theirs" });

const CASES = [
  {
    what: "name",
    row: (from: string) => `name +"${from}" → "Two"`,
    edit: rename,
    code: () => manifest("Two", "one", "B"),
    three: 'name "Theirs" in the app ("One" at the last run, "Two" in the code',
    ends: { pageName: "Two", slug: "one" },
  },
  {
    what: "path",
    row: (from: string) => `publish\\.slug +"${from.toLowerCase()}" → "two"`,
    edit: () => desk.publishes("One", "theirs"),
    code: () => manifest("One", "two", "B"),
    three: 'slug "theirs" in the app ("one" at the last run, "two" in the code',
    ends: { pageName: "One", slug: "two" },
  },
];

sampledTable(
  CASES,
  1,
  ({ what }) => `the ${what}`,
  async ({ row, edit, code, three, ends }) => {
    await manifest("One", "one", "A").up();
    await edit();
    const theirs = { pageName: page()?.pageName, slug: page()?.slug };
    code();
    for (let time = 0; time < 2; time++) {
      const plan = await desk.plan();
      expect(plan).toContain(three);
      expect(plan).toMatch(new RegExp(row("One")));
      const held = await desk.says(1, "up", "--yes");
      expect(held).toContain(three);
      expect(held).toContain("is not published, because somebody has edited values in the app that the code changes");
      expect(page()).toMatchObject(theirs);
    }
    // A run that reads the account first meets the same edit.
    expect(await desk.says(1, "up", "--yes", "--refresh")).toContain(three);
    await desk.says(0, "refresh");
    const learned = await desk.says(1, "up", "--yes");
    expect(learned).toContain(three);
    expect(learned).toMatch(new RegExp(row("Theirs")));
    expect(page()).toMatchObject(theirs);
    const included = await desk.up("--foreign-edits", "include");
    expect(included).toMatch(/As asked, the run writes over these values of page \S+ \(".*"\): /);
    expect(included).toContain(`: ${three}`);
    expect(page()).toMatchObject(ends);
    await desk.plansNothing();
    await desk.undo();
    expect(page()).toMatchObject(theirs);
  },
);

test.each([[[]], [["--refresh"]]])(
  "a name is held, also after a refresh has found the person's, with %j",
  async (args) => {
    await manifest("One", "one", "A").applies();
    await rename();
    manifest("Two", "one", "B");
    for (let run = 1; run <= 2; run++) {
      const said = await desk.says(1, "up", "--yes", ...args);
      expect(said).toContain('name "Theirs" in the app ("One" at the last run, "Two" in the code)');
      expect(said).toContain("1 page is not published: 1 held back");
    }
    expect(page()?.pageName).toBe("Theirs");
    await desk.applies("--foreign-edits", "include", ...args);
    expect(page()?.pageName).toBe("Two");
  },
);
