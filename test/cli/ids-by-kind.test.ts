// @module-tag thorough
/** A service whose ids are unique only within a kind: page 1, site 1, product 1 and hook 1 are four objects. */
import { expect, test } from "vitest";
import { NearDesk } from "./near-desk.ts";

function manifest(more: boolean): string {
  const page = (key: string, name: string): string =>
    `  ${key}: { name: ${name}, template: tpl-thankyou, variables: { brand: Acme, support_email: a@example.com }, publish: { site: m, slug: ${key} } }\n`;
  return [
    "landform: 1\nname: ids\nsites: { m: { name: m.example } }\npages:\n",
    page("offer", "Offer"),
    more ? page("thanks", "Thanks") : "",
    "quizzes:\n  q: { name: Quiz, template: tpl-quiz-product, variables: { brand: Acme, product_count: '3' }, publish: { site: m, slug: quiz } }\n",
    more ? "products: { mug: { name: Mug, price: 2 } }\n" : "",
    "funnels: { f: { steps: [ { page: offer, pageType: sales }, { quiz: q, pageType: quiz } ] } }\n",
    `hooks: { l: { eventType: form_lead.created, targetUrl: "https://example.com/a" } }\n`,
  ].join("");
}

test("what goes is deleted, and an undo brings it back", async () => {
  const desk = await NearDesk.own();
  desk.emulator.notShown.ids = "counted-by-kind";
  const there = (): unknown => ({
    pages: new Set(desk.rows("pages").map(({ slug }) => slug)),
    products: desk.rows("products").length,
    hooks: desk.rows("hooks").filter(({ active }) => active === true).length,
    funnels: desk.rows("funnels").filter(({ name }) => name === "f").length,
  });
  const ALL = { pages: new Set(["offer", "quiz", "thanks"]), products: 1, hooks: 1, funnels: 1 };
  const applied = async (more: boolean): Promise<string> => {
    const said = await desk.declare(manifest(more)).applies();
    await desk.says(0, "drift", "--full", "--detailed-exitcode");
    return said;
  };
  await applied(true);
  expect(there()).toEqual(ALL);
  for (const kind of ["pages", "sites", "products", "hooks", "funnels"]) expect(desk.rows(kind)[0]?.id).toBe("1");
  expect(await applied(false)).not.toMatch(/is not deleted/);
  expect(there()).toEqual({ ...ALL, pages: new Set(["offer", "quiz"]), products: 0 });
  await desk.undo();
  expect(there()).toEqual(ALL);
  await applied(true);
  await desk.says(0, "destroy", "--yes");
  expect(there()).toEqual({ pages: new Set(), products: 0, hooks: 0, funnels: 0 });
});
