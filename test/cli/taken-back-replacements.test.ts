/**
 * A killed replacement, and then another command than the same run: the resource keeps its object or gets a third one, and the object of the killed
 * run goes. The plan says so.
 */
import { expect, test } from "vitest";
import { Killed } from "../faults/whole/killed.ts";
import { forEachTest } from "../suite/opened.ts";
import { leftToSoak, onBothAtRelease, realEngine } from "../suite/parts.ts";

const PROJECT = `{ description: "${"A shop for mugs. ".repeat(4)}", context: "${"People drink from them. ".repeat(10)}" }`;
const manifest = (...parts: string[]): string =>
  ["landform: 1", "name: taken", "sites: { main: { name: taken.example } }", ...parts, ""].join("\n");
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

  const standing = (kind: string): unknown[] =>
    desk
      .rows(kind)
      .filter(({ name }) => !String(name).endsWith("[retired by landform]"))
      .map(({ id }) => id);

  /** Kills the run. Returns the id of the object that it had made. */
  async function killed(
    before: string,
    after: string,
    kind: string,
    call: readonly [string, RegExp, number],
  ): Promise<string> {
    await desk.declare(before).up("--force");
    const held = standing(kind);
    desk.declare(after);
    const [method, path, number] = call;
    await desk.kill(["up"], (one) => one.method === method && path.test(one.path), { number });
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
  ] as const)("with the code of before: a %s", { tags: ["thorough"] }, async (kind, list, before, after, call) => {
    const made = await killed(before, after, list, call);
    expect(await desk.declare(before).says(2, "preview", "--detailed-exitcode")).toMatch(
      new RegExp(`${kind} ${made} .*made, is in no state: it is removed as well`),
    );
    expect(await desk.up("--force")).toMatch(new RegExp(`Removed ${kind} ${made}`));
    expect(standing(list)).not.toContain(made);
    expect(standing(list)).toHaveLength(1);
    await expectNothingPlanned();
  });

  test("with a third code", { tags: ["thorough"] }, async () => {
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
