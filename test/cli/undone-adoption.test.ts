/** A whole account is taken over, and the run that did it is undone. */
import { expect, test } from "vitest";
import { NearDesk } from "./near-desk.ts";

const desk = NearDesk.each();
const MANY = Array.from({ length: 12 }, (_, index) => `p${index}`);

const declare = (name: string, more: (product: string) => string = () => ""): unknown =>
  desk.declare(
    `landform: 1\nname: ${name}\nproducts:\n${MANY.map((one) => `  ${one}: { price: 12${more(one)} }\n`).join("")}`,
  );

test("the limit of deletions says that all of it stays in the account, as the plan does", async () => {
  declare("first");
  await desk.applies();
  const ids = new Map(desk.rows("products").map(({ id, name }) => [name, id]));
  declare("second", (one) => `, adoptId: ${String(ids.get(one))}`);
  await desk.applies();
  const said = await desk.says(3, "undo", "--yes");
  expect(said).toContain("12 to leave in the account");
  expect(said).toContain("this plan leaves behind 12 of 12 resources");
  expect(await desk.says(0, "undo", "--yes", "--force")).toContain("12 left in the account");
  expect(desk.rows("products")).toHaveLength(12);
});
