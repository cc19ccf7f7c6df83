/** A plan says as a fact only what is certain, and tells what visitors meet. */
import { expect, test } from "vitest";
import { Mugs } from "./mugs.ts";

test("a page whose slug is known only after the apply may move, and no address of it goes for certain", async () => {
  const mugs = await Mugs.here();
  mugs.code("slug: about", `slug: { ref: products.cup.id }`);
  mugs.code("products:", "products:\n  cup: { project: mugs, name: Cup, price: 3 }");
  const plan = await mugs.says(0, "preview");
  expect(plan).toMatch(/~ http\S+\/about \(about: may move\)/);
  expect(plan).toContain("If it is a new one, the old address answers 404 then.");
  expect(plan).not.toContain("The old addresses answer 404");
  await mugs.says(0, "up", "--yes");
  await mugs.plansNothing();
});
