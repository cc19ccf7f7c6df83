/** A plan tells what becomes of objects that go: that the service will refuse it, that visitors get nothing for a while, or that `protect` comes and goes. */
import { expect, test } from "vitest";
import { inTest } from "../suite/opened.ts";
import { onBothEngines } from "../suite/parts.ts";
import { BRIEF, hero, sited } from "./manifests.ts";
import { NearDesk } from "./near-desk.ts";

const desk = NearDesk.each();

const KEPT = "options: { retainOnDelete: true }";
const declared = (...lines: string[]): string => ["landform: 1", "name: deleted", ...lines, ""].join("\n");

test("a destroy tells before it begins that an object of an earlier run, which the stack no longer has, keeps a project", async () => {
  const shop = `projects: { shop: { description: "${BRIEF}", context: "${BRIEF}" } }`;
  const page = "pages: { free: { template: tpl-hero } }";
  await desk.declare(declared(shop, page, `products: { mug: { project: shop, price: 12, ${KEPT} } }`)).applies();
  await desk.declare(declared(shop, page)).applies("--force");
  const [plan, run] = (await desk.says(1, "destroy", "--yes", "--force")).split("✗");
  expect(plan).toMatch(/warning: Project shop: it can't be deleted, because it still has these: product "mug"/);
  expect(run).toContain("project_in_use");
  expect(desk.rows("pages")).toEqual([]);
  await desk.app("DELETE", `/products/${desk.rows("products")[0]?.id ?? ""}`);
  expect(await desk.says(0, "destroy", "--yes", "--force")).not.toContain("it can't be deleted");
  expect(desk.rows("projects")).toEqual([]);
});

/** A page that visitors see and that is on no site: the service deletes none of them. */
async function withSitelessPage() {
  const desk = await inTest(NearDesk.open(undefined, { seed: "demo" }));
  const declare = (inputs: string) => desk.declare(declared(`pages: { retired: { name: Retired, ${inputs} } }`));
  return { desk, declare, adopted: `adoptId: ${desk.page("Retired")}` };
}
const REFUSED = /Page retired: it can't be deleted, because it is published and has no site/;

test("the replacement of a public page without a site is refused, and the option retainOnDelete lets it pass", async () => {
  const { desk, declare, adopted } = await withSitelessPage();
  const made = "template: tpl-presell, variables: { brand: Acme, product: Mug }";
  await declare(`${adopted}, template: tpl-hero`).applies();
  expect(await declare(made).sendsNothing(4, "preview")).toMatch(REFUSED);
  expect(await desk.sendsNothing(4, "up", "--yes")).toMatch(REFUSED);
  await declare(`${adopted}, template: tpl-hero, ${KEPT}`).applies();
  await declare(made).applies();
  expect(desk.rows("pages").filter(({ pageName }) => pageName === "Retired")).toHaveLength(2);
});

test.each([["up"], ["destroy"]])("so is its removal (%s)", async (command) => {
  const { desk, declare, adopted } = await withSitelessPage();
  const mug = declared("products: { mug: { price: 1 } }");
  await declare(adopted).applies();
  if (command === "destroy") expect((await desk.says(1, "destroy", "--yes")).split("✗")[0]).toMatch(REFUSED);
  else {
    expect(await desk.declare(mug).sendsNothing(4, "preview")).toMatch(REFUSED);
    expect(await desk.sendsNothing(4, "up", "--yes")).toMatch(REFUSED);
  }
  await declare(`${adopted}, ${KEPT}`).applies();
  await desk.declare(mug).applies();
  expect(desk.page("Retired")).toMatch(/^page_/);
});

onBothEngines((...on) => {
  test("a program that deletes a public page before its replacement is made: for how long visitors get nothing", async () => {
    const program = (template: string, options = "") =>
      desk.on(...on).program(`const { id: siteId } = new landform.Site("main", { name: "first.example" });
new landform.Page("a", { templateId: "${template}", variables: { brand: "A", product: "P" }, publish: { siteId, slug: "x" } }${options});`);
    await program("tpl-hero").applies();
    const usual = await program("tpl-presell").plan();
    expect(usual).toContain("± Page a");
    expect(usual).not.toContain("deleteBeforeReplace");
    expect(await program("tpl-presell", ", { deleteBeforeReplace: true }").plan()).toMatch(
      /warning: Page a is deleted before the new one is made.*visitors get nothing at http\S+\/x\./,
    );
    expect(await desk.applies()).toContain("Page a is deleted before");
  });
});

onBothEngines((...on) => {
  test("protect comes and goes, and is told once: nothing else of the plan shows it, and a later one may then delete", async () => {
    const declare = (options: string) =>
      desk.on(...on).declare(sited([hero("offer", { more: `, options: { ${options} }` }), hero("other")]));
    const told = async (): Promise<string[]> => {
      const said = await desk.plansNothing("--markdown", "plan.md");
      const found = said.split("\n").filter((line) => line.includes("(protect)"));
      for (const one of found) expect(desk.read("plan.md")).toContain(one.replace("note: ", ""));
      return found;
    };
    await declare("protect: true").applies();
    expect(await told()).toEqual([]);
    for (const [options, words] of [
      ["protect: false", "no longer protects it"],
      ["protect: true", "protects it from now on"],
    ] as const) {
      declare(options);
      expect(await told()).toEqual([expect.stringMatching(`^note: Page offer: the code ${words}`)]);
      await desk.up();
      expect(await told()).toEqual([]);
    }
  });
});
