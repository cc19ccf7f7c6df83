/**
 * A killed run, or one whose call was never answered, and then the earlier code or another one. The state may be wrong about the object: a plan that
 * only compares code and state would leave it wrong for ever and call it right. Of a replacement, the object of the killed run goes.
 */
import { beforeEach, expect, test } from "vitest";
import { Killed } from "../faults/whole/killed.ts";
import { forEachTest } from "../suite/opened.ts";
import { leftToSoak, onBothAtRelease, onBothEngines, realEngine, thorough } from "../suite/parts.ts";
import { BRIEF } from "./manifests.ts";

const PROJECT = `{ description: "${BRIEF}", context: "${BRIEF}" }`;
const manifest = (...parts: string[]): string =>
  ["landform: 1", "name: taken", "sites: { main: { name: taken.example } }", ...parts, ""].join("\n");
const whole = (price: number, title: string): string =>
  manifest(
    `projects: { shop: ${PROJECT} }`,
    `products: { mug: { name: Mug, project: shop, price: ${price} } }`,
    "pages:",
    `  offer: { template: tpl-hero, variables: { brand: A }, content: { hero.title: "${title}" }, publish: { site: main, slug: offer } }`,
    "funnels: { way: { project: shop, steps: [ { page: offer, pageType: presell } ] } }",
  );
const BEFORE = whole(3, "One");
const THOROUGH = { tags: ["thorough"] };

onBothEngines((kind) => {
  const killed = forEachTest(() => Killed.open(BEFORE, { kind, path: realEngine }));
  beforeEach(() => killed.up());

  /** Returns the view of visitors and colleagues. */
  function account(): unknown {
    const pages = killed.rows("pages");
    return {
      projects: killed.rows("projects").map(({ name }) => name),
      products: killed.rows("products").map(({ name, price }) => [name, price]),
      funnels: killed.rows("funnels").map(({ name, steps }) => [name, (steps as unknown[]).length]),
      pages: pages.map(({ pageName, status, slug }) => [pageName, status, slug]),
      titles: pages.map((page) => JSON.stringify(page).match(/(One|Two)(?=")/g)),
    };
  }

  async function expectAsBefore(before: unknown): Promise<void> {
    await killed.applies();
    expect(account()).toEqual(before);
    await killed.run("drift", "--detailed-exitcode");
  }

  async function killAsPriceChanges(): Promise<void> {
    await killed.declare(whole(28.75, "One")).killAt("PATCH", /^\/products$/);
    killed.declare(BEFORE);
  }

  thorough("an update of a product", async () => {
    const before = account();
    await killAsPriceChanges();
    const said = await killed.run("preview");
    expect(said).toMatch(/28\.75/);
    expect(said).not.toContain("as it should be");
    await expectAsBefore(before);
  });

  test.each([
    ["a funnel", "PATCH", /^\/funnels/],
    ["a page", "DELETE", /^\/pages\//],
    ["a product", "DELETE", /^\/products/],
  ])("the destruction of %s", THOROUGH, async (_, method, where) => {
    const before = account();
    await killed.kill(["destroy"], (call) => call.method === method && where.test(call.path));
    await expectAsBefore(before);
  });

  thorough("a whole destruction", async () => {
    const before = account();
    await killed.run("destroy", "--yes");
    await expectAsBefore(before);
  });

  const rest = test.skipIf(leftToSoak(kind));

  rest("where nobody answers the look, nothing is called done, and the next run looks again", THOROUGH, async () => {
    const before = account();
    await killAsPriceChanges();
    const { faults } = killed.machine.emulator;
    for (const path of ["/products", `/products/${String(killed.rows("products")[0]?.["id"])}`])
      faults.add({ method: "GET", path, phase: "status", status: 500, times: 1_000 });
    expect((await killed.machine.run(["up", "--yes"])).code).not.toBe(0);
    faults.clear();
    await expectAsBefore(before);
  });
});

const VALUES = `variables: { brand: A, support_email: a@b.example, date: today, product: Mug, price: "1" }`;
const page = (template: string): string =>
  manifest(`pages: { offer: { template: ${template}, ${VALUES}, publish: { site: main, slug: offer } } }`);
const quiz = (template: string): string => manifest(`quizzes: { ask: { template: ${template} } }`);
const inProject = (name: string): string =>
  manifest(
    `projects: { one: ${PROJECT}, two: ${PROJECT} }`,
    `funnels: { way: { project: ${name}, steps: [ { url: https://x.example, pageType: presell } ] } }`,
  );

onBothAtRelease((engine) => {
  const desk = forEachTest(() => Killed.open(manifest(), { kind: engine, path: realEngine }));

  function standing(kind: string): unknown[] {
    const rows = desk.rows(kind).filter(({ name }) => !String(name).endsWith("[retired by landform]"));
    return rows.map(({ id }) => id);
  }

  type Call = readonly [method: string, path: RegExp, number: number];

  /** Kills the run. Returns the id of the object that it had made. */
  async function killed(before: string, after: string, kind: string, [method, path, number]: Call): Promise<string> {
    await desk.declare(before).up("--force");
    const held = standing(kind);
    await desk.declare(after).kill(["up"], (one) => one.method === method && path.test(one.path), { number });
    const [made] = standing(kind).filter((id) => !held.includes(id));
    expect(made).toBeDefined();
    return String(made);
  }

  async function expectNothingPlanned(): Promise<void> {
    expect(await desk.plansNothing()).not.toContain("removed as well");
    expect(await desk.up()).not.toMatch(/Removed|killed run/);
  }

  const rest = test.skipIf(leftToSoak(engine));

  rest.each([
    ["page", "pages", page("tpl-hero"), page("tpl-sales"), ["POST", /^\/pages\/publish$/, 1]],
    ["page", "pages", page("tpl-hero"), page("tpl-sales"), ["POST", /^\/pages\/from-template$/, 0]],
    ["quiz", "pages", quiz("tpl-quiz-plan"), quiz("tpl-quiz-product"), ["POST", /^\/quiz/, 0]],
    ["funnel", "funnels", inProject("one"), inProject("two"), ["PATCH", /^\/funnels/, 1]],
    ["funnel", "funnels", inProject("one"), inProject("two"), ["POST", /^\/funnels$/, 0]],
  ] as const)(
    "a replacement, and then the code of before: a %s",
    { tags: ["thorough"] },
    async (kind, list, before, after, call) => {
      const made = await killed(before, after, list, call);
      expect(await desk.declare(before).says(2, "preview", "--detailed-exitcode")).toMatch(
        new RegExp(`${kind} ${made} .*made, is in no state: it is removed as well`),
      );
      expect(await desk.up("--force")).toMatch(new RegExp(`Removed ${kind} ${made}`));
      expect(standing(list)).not.toContain(made);
      expect(standing(list)).toHaveLength(1);
      await expectNothingPlanned();
    },
  );

  test("a replacement, and then a third code", { tags: ["thorough"] }, async () => {
    const made = await killed(page("tpl-hero"), page("tpl-sales"), "pages", ["POST", /^\/pages\/publish$/, 1]);
    desk.declare(page("tpl-presell"));
    expect(await desk.run("preview")).toMatch(new RegExp(`page ${made} .* is in no state: it is removed as well`));
    const said = await desk.up("--force");
    expect(said).toMatch(new RegExp(`Removed page ${made}`));
    expect(said).not.toContain("stays in the account. Delete it");
    expect(desk.rows("pages").map(({ slug, templateId }) => [slug, templateId])).toEqual([["offer", "tpl-presell"]]);
    await expectNothingPlanned();
  });
});
