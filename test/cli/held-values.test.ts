/** A value that a person and the code have changed is held back or written over by word, where the object has no draft. */
import { afterEach, beforeEach, expect, test } from "vitest";
import { inTheApp } from "../suite/app.ts";
import { onBothEngines, thorough } from "../suite/parts.ts";
import { Mugs } from "./mugs.ts";
import { NearDesk } from "./near-desk.ts";
import { forEachTest } from "../suite/opened.ts";
import { outputOf } from "./harness.ts";

const desk = forEachTest(() => NearDesk.open());

const mug = (ctaText: string, more = ""): void =>
  desk.write("landform.yaml", `landform: 1\nname: test\nproducts: { mug: { price: 3, ctaText: ${ctaText}${more} } }\n`);

interface Impact {
  readonly alsoLive?: readonly {
    readonly policy: string;
    readonly edits: readonly unknown[];
    readonly noDraft?: true;
  }[];
}

/** The engine of the commands, and the PATH on which it is found. */
let on: { readonly args: readonly string[]; readonly env: Record<string, string> } = { args: [], env: {} };
const command = (...args: string[]) => desk.run([...args, ...on.args], { env: on.env });

async function planned(...args: string[]): Promise<NonNullable<Impact["alsoLive"]>> {
  const { code, stdout, stderr } = await command("preview", "--json", ...args);
  expect(code, stdout + stderr).toBe(0);
  return (JSON.parse(stdout) as { readonly impact: Impact }).impact.alsoLive ?? [];
}

async function up(...args: string[]): Promise<string> {
  const { code, stdout, stderr } = await command("up", "--yes", ...args);
  expect(code, stdout + stderr).toBe(0);
  return stdout;
}

async function plansNothing(): Promise<void> {
  await outputOf(0, command("preview", "--detailed-exitcode"));
}

const apply = async (...args: string[]): Promise<void> => {
  await up(...args);
  await plansNothing();
};

async function edit(fields: object): Promise<void> {
  const [product] = desk.emulator.records().products ?? [];
  await inTheApp(desk, "PATCH", "/products", { product_id: product?.["id"], ...fields });
}

const WORDS = { cta_text: "WORDS of a person" };
const BOTH = [{ kind: "field", at: ["ctaText"], now: "WORDS of a person", over: { then: "one", code: "two" } }];

async function held(...args: string[]): Promise<string> {
  const { code, stdout, stderr } = await command("up", "--yes", ...args);
  expect(code, stdout + stderr).toBe(1);
  expect(desk.emulator.records().products).toMatchObject([{ ctaText: "WORDS of a person" }]);
  return stdout;
}

onBothEngines((engine, path) => {
  beforeEach(() => {
    on = { args: ["--engine", engine], env: { PATH: path("/usr/bin:/bin") } };
  });
  afterEach(() => {
    on = { args: [], env: {} };
  });

  thorough(
    "the plan shows the value of the last run, of the account and of the code; it is held until a word",
    async () => {
      mug("one");
      await apply();
      mug("two", ", sku: 'M-1'");
      expect(await planned()).toEqual([]);
      await edit(WORDS);
      for (let time = 0; time < 2; time++) {
        expect(await planned()).toMatchObject([{ policy: "hold", edits: BOTH, noDraft: true }]);
        const { stdout } = await command("preview");
        expect(stdout).toMatch(/ctaText +"WORDS of a person" → "two" {2}\(held back\)/);
        expect(stdout).toMatch(
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
        expect(desk.emulator.records().products).toMatchObject([{ sku: "M-1" }]);
      }
      expect(await planned("--foreign-edits", "include")).toMatchObject([{ policy: "include" }]);
      expect(await up("--foreign-edits", "include")).toContain("the run writes over these values of product");
      expect(desk.emulator.records().products).toMatchObject([{ ctaText: "two" }]);
      await plansNothing();
      expect((await command("undo", "--yes")).code).toBe(0);
      expect(desk.emulator.records().products).toMatchObject([{ ctaText: "WORDS of a person", sku: "M-1" }]);
    },
  );
});

thorough("a secret is told without its values", async () => {
  const secret = (text: string): void =>
    desk.program(`import * as pulumi from "@pulumi/pulumi";
new landform.Product("mug", { price: 3, ctaText: pulumi.secret("${text}") });`);
  secret("hush-one");
  await apply();
  secret("hush-two");
  await edit(WORDS);
  for (const args of [["preview"], ["up", "--yes"]]) {
    const { stdout, stderr } = await desk.run(args);
    expect(stdout).toContain("ctaText: a secret that is no longer as the last run left it");
    expect(stdout + stderr).not.toMatch(/hush|WORDS/);
  }
  await apply("--foreign-edits", "include");
  expect(desk.emulator.records().products).toMatchObject([{ ctaText: "hush-two" }]);
});

test("a reviewed plan holds or includes what its reviewer has seen, and a later edit is a conflict", async () => {
  mug("one");
  await apply();
  mug("two");
  await edit(WORDS);
  const saved = async (...args: string[]): Promise<void> => {
    expect((await desk.run(["preview", "--save", "plan.json", ...args])).code).toBe(0);
  };
  await saved();
  await held("--plan", "plan.json");
  await saved("--foreign-edits", "include");
  await edit({ cta_text: "WORDS of another person" });
  expect(await outputOf(3, desk.run(["up", "--plan", "plan.json"]))).toContain("WORDS of another person");
  await saved("--foreign-edits", "include");
  expect((await desk.run(["up", "--plan", "plan.json"])).code).toBe(0);
  expect(desk.emulator.records().products).toMatchObject([{ ctaText: "two" }]);
  await plansNothing();
});

test("an account that does not answer is named, and nothing is written", async () => {
  mug("one");
  await apply();
  mug("two");
  await edit(WORDS);
  desk.emulator.faults.add({ method: "GET", path: "/products/{productId}", phase: "status", status: 403, times: null });
  const question = "Landform could not ask if somebody has changed it";
  expect(await outputOf(1, desk.run(["preview"]))).toContain(question);
  expect(await outputOf(3, desk.run(["up", "--yes"]))).toContain(question);
  expect(await outputOf(1, desk.run(["up", "--yes", "--force"]))).toMatch(
    /is not written, because Landform could not look/,
  );
  expect(desk.emulator.records().products).toMatchObject([{ ctaText: "WORDS of a person" }]);
});

test("an adoption shows the values that it writes over, and says so of an object that is as declared", async () => {
  const { id } = await inTheApp(desk, "POST", "/products", { name: "mug", price: 3, ...WORDS });
  const adopting = (more: string, sites = "{}"): void =>
    desk.write(
      "landform.yaml",
      `landform: 1\nname: test\nsites: ${sites}\nproducts: { mug: { adoptId: ${id}, price: 3${more} } }\n`,
    );
  adopting(", ctaText: two");
  expect((await desk.run(["preview"])).stdout).toMatch(
    /= Product mug {2}prod_\w+\n.*the run sends only the fields that differ there\n +ctaText +"WORDS of a person" → "two"\n\n/,
  );
  // The site's id is known once it is made, so nobody can say yet that nothing differs.
  adopting(", ctaUrl: { ref: sites.new.id }", "{ new: { name: new.example } }");
  expect((await desk.run(["preview"])).stdout).toMatch(
    /= Product mug {2}prod_\w+\n.*the run sends only the fields that differ there\n +ctaUrl +\[known after apply\]\n\n/,
  );
  adopting("");
  expect((await desk.run(["preview"])).stdout).toMatch(
    /= Product mug {2}prod_\w+\n +takes over the existing object as it is\n\n/,
  );
  await apply();
  expect(desk.emulator.records().products).toMatchObject([{ ctaText: "WORDS of a person" }]);
});

test("a plan that looks again after two runs that held shows the values that it writes over", async () => {
  const mugs = await Mugs.here();
  await mugs.edits("offer", { "hero.title": "A colleague's mug" });
  await mugs.publishes("offer");
  await inTheApp(mugs, "PATCH", "/products", { product_id: mugs.rows("products")[0]?.["id"], price: 11 });
  mugs.code("A mug worth getting up for", "The mug of spring");
  mugs.code("price: 12.5", "price: 14");
  await mugs.says(1, "up", "--yes");
  await mugs.says(1, "up", "--yes", "--refresh");
  const held = await mugs.says(0, "preview", "--refresh");
  expect(held).not.toMatch(/ended before this was done|publishes the page/);
  const plan = await mugs.says(0, "preview", "--refresh", "--foreign-edits", "include");
  expect(plan).toMatch(/price +11 → 14/);
  expect(plan).toMatch(/hero\.title"\] +"A colleague's mug" → "The mug of spring"/);
  expect(plan).not.toMatch(/ended before this was done/);
  await mugs.says(0, "up", "--yes", "--refresh", "--foreign-edits", "include");
  await mugs.plansNothing();
}, 90_000);
