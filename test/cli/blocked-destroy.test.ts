/** A destroy tells before it begins that an object of an earlier run, which the stack no longer has, keeps a project. */
import { expect, test } from "vitest";
import { BRIEF } from "./manifests.ts";
import { NearDesk } from "./near-desk.ts";

const desk = NearDesk.each();

const KEPT = "options: { retainOnDelete: true }";
const shop = (...more: string[]): string =>
  [
    "landform: 1",
    "name: blocked",
    `projects: { shop: { description: "${BRIEF}", context: "${BRIEF}" } }`,
    "pages: { free: { template: tpl-hero } }",
    ...more,
    "",
  ].join("\n");

test("a project that only an earlier run's objects keep", async () => {
  await desk.declare(shop(`products: { mug: { project: shop, price: 12, ${KEPT} } }`)).applies();
  await desk.declare(shop()).applies("--force");
  const said = await desk.says(1, "destroy", "--yes", "--force");
  const [plan = "", run = ""] = said.split("✗");
  expect(plan).toMatch(/warning: Project shop: it can't be deleted, because it still has these: product "mug"/);
  expect(run).toContain("project_in_use");
  expect(desk.rows("pages")).toEqual([]);
  await desk.app("DELETE", `/products/${desk.rows("products")[0]?.id ?? ""}`);
  expect(await desk.says(0, "destroy", "--yes", "--force")).not.toContain("it can't be deleted");
  expect(desk.rows("projects")).toEqual([]);
});
