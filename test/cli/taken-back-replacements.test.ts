/**
 * A killed replacement, and then another command than the same run: the resource keeps its object or gets a third one, and the object of the killed
 * run goes. The plan says so.
 */
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import type { Asked } from "../faults/between.ts";
import { strike } from "../faults/whole/kill.ts";
import { Machine } from "../faults/whole/machine.ts";
import { leftToSoak, onBothAtRelease, realEngine, thorough } from "../suite/parts.ts";

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

type Row = Readonly<Record<string, unknown>>;

onBothAtRelease((engine) => {
  let machine: Machine;
  beforeEach(async () => {
    const on = { kind: engine, form: "landform.yaml", ...(engine === "pulumi" && { path: realEngine }) } as const;
    machine = await Machine.open(on, { "landform.yaml": manifest() });
  });
  afterEach(() => machine.close());

  const rows = (kind: string): Row[] => machine.emulator.records()[kind] ?? [];
  const standing = (kind: string): unknown[] =>
    rows(kind)
      .filter(({ name }) => !String(name).endsWith("[retired by landform]"))
      .map(({ id }) => id);

  async function run(...args: string[]): Promise<string> {
    const { code, said } = await machine.run(args);
    expect(code, said).toBe(0);
    return said;
  }

  /** Kills the run. Returns the id of the object that it had made. */
  async function killed(
    before: string,
    after: string,
    kind: string,
    call: readonly [string, RegExp, number],
  ): Promise<string> {
    machine.write("landform.yaml", before);
    await run("up", "--yes", "--force");
    const held = standing(kind);
    machine.write("landform.yaml", after);
    const [method, path, number] = call;
    await strike(
      machine,
      ["up", "--yes", "--force", "--parallel", "1"],
      { number, boundary: "after commit" },
      (one) => one.method === method && path.test(one.path),
    );
    await machine.free();
    const [made] = standing(kind).filter((id) => !held.includes(id));
    expect(made).toBeDefined();
    return String(made);
  }

  async function expectNothingPlanned(): Promise<void> {
    expect(await run("preview", "--detailed-exitcode")).not.toContain("removed as well");
    expect(await run("up", "--yes")).not.toMatch(/Removed|killed run/);
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
    machine.write("landform.yaml", before);
    const { code, said } = await machine.run(["preview", "--detailed-exitcode"]);
    expect(code, said).toBe(2);
    expect(said).toMatch(new RegExp(`${kind} ${made} .*made, is in no state: it is removed as well`));
    expect(await run("up", "--yes", "--force")).toMatch(new RegExp(`Removed ${kind} ${made}`));
    expect(standing(list)).not.toContain(made);
    expect(standing(list)).toHaveLength(1);
    await expectNothingPlanned();
  });

  test("with a third code", async () => {
    const made = await killed(page("tpl-hero"), page("tpl-sales"), "pages", ["POST", /^\/pages\/publish$/, 1]);
    machine.write("landform.yaml", page("tpl-presell"));
    expect(await run("preview")).toMatch(new RegExp(`page ${made} .* is in no state: it is removed as well`));
    const said = await run("up", "--yes", "--force");
    expect(said).toMatch(new RegExp(`Removed page ${made}`));
    expect(said).not.toContain("stays in the account. Delete it");
    expect(rows("pages").map(({ slug, templateId }) => [slug, templateId])).toEqual([["offer", "tpl-presell"]]);
    await expectNothingPlanned();
  });

  thorough("with the same code, which carries on with it", async () => {
    const made = await killed(page("tpl-hero"), page("tpl-sales"), "pages", ["POST", /^\/pages\/publish$/, 1]);
    expect(await run("preview")).not.toContain("removed as well");
    await run("up", "--yes", "--force");
    expect(standing("pages")).toEqual([made]);
    await expectNothingPlanned();
  });

  describe("a run that is killed before it removes it leaves it in sight:", () => {
    const CALLS = {
      publication: ["POST", /^\/pages\/publish$/, 1],
      creation: ["POST", /^\/pages\/from-template$/, 0],
    } as const;

    /** Returns the id of the object that the first killed run had made, and that the second did not remove. */
    async function killedAtRemoval(call: keyof typeof CALLS, code: string, ...args: string[]): Promise<string> {
      const made = await killed(page("tpl-hero"), page("tpl-sales"), "pages", CALLS[call]);
      machine.write("landform.yaml", code);
      const removal = (one: Asked): boolean => one.method === "DELETE" && one.path === `/pages/${made}`;
      const struck = await strike(machine, args, { number: 0, boundary: "before it is sent" }, removal);
      await machine.free();
      expect(struck.call, struck.said).toBeDefined();
      expect(standing("pages")).toContain(made);
      return made;
    }

    test.each([
      ["publication", page("tpl-hero")],
      ["creation", page("tpl-hero")],
      ["publication", page("tpl-presell")],
    ] as const)("an up after a %s", { tags: ["thorough"] }, async (call, code) => {
      const made = await killedAtRemoval(call, code, "up", "--yes", "--force");
      const { code: planned, said } = await machine.run(["preview", "--detailed-exitcode"]);
      expect(planned, said).toBe(2);
      expect(said).toMatch(new RegExp(`page ${made} .*made, is in no state: it is removed as well`));
      expect(await run("up", "--yes", "--force")).toMatch(new RegExp(`Removed page ${made}`));
      expect(standing("pages")).toHaveLength(1);
      await expectNothingPlanned();
    });

    test.each(["publication", "creation"] as const)("a destroy after a %s", { tags: ["thorough"] }, async (call) => {
      const made = await killedAtRemoval(call, page("tpl-hero"), "up", "--yes", "--force");
      expect(await run("destroy", "--yes", "--force")).toMatch(new RegExp(`Removed page ${made}`));
      expect(standing("pages")).toEqual([]);
      await run("destroy", "--yes");
    });
  });

  rest.each(["tpl-quiz-product", "tpl-quiz-plan"])(
    "a replaced quiz that a killed run left in the state is this stack's own: with %s",
    { tags: ["thorough"] },
    async (template) => {
      const asked = (from: string): string =>
        manifest(
          `quizzes: { ask: { template: ${from}, ${VALUES.replace("}", ", product_count: three }")}, publish: { site: main, slug: ask } } }`,
          "funnels: { way: { steps: [ { quiz: ask, pageType: quiz } ] } }",
        );
      machine.write("landform.yaml", asked("tpl-quiz-plan"));
      await run("up", "--yes");
      machine.write("landform.yaml", asked("tpl-quiz-product"));
      const args = ["up", "--yes", "--force", "--parallel", "1"];
      const struck = await strike(
        machine,
        args,
        { number: 0, boundary: "before it is sent" },
        ({ method }) => method === "DELETE",
      );
      await machine.free();
      expect(struck.call, struck.said).toBeDefined();
      machine.write("landform.yaml", asked(template));
      const plan = await run("preview");
      expect(plan).toContain("Links to what moves or goes");
      expect(plan).not.toContain("not this stack's");
      await run("up", "--yes", "--force");
      expect(standing("pages")).toHaveLength(1);
      await expectNothingPlanned();
    },
  );

  rest("what the code takes over by its id stays", { tags: ["thorough"] }, async () => {
    const made = await killed(page("tpl-hero"), page("tpl-sales"), "pages", ["POST", /^\/pages\/publish$/, 1]);
    const adopting = `pages: { offer: { template: tpl-hero, ${VALUES}, publish: { site: main, slug: offer } }, other: { adoptId: ${made}, name: offer } }`;
    machine.write("landform.yaml", manifest(adopting));
    expect(await run("preview")).not.toContain("removed as well");
    await run("up", "--yes", "--force", "--foreign-edits", "include");
    expect(standing("pages")).toContain(made);
    await expectNothingPlanned();
  });
});
