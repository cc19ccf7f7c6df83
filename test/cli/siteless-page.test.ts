/** A page that visitors see and that is on no site can't be deleted. The plan says so before anything is sent. */
import { expect, test } from "vitest";
import { inTest } from "../suite/opened.ts";
import { NearDesk } from "./near-desk.ts";

const REFUSED = /Page retired: it can't be deleted, because it is published and has no site/;
const MUG = "products: { mug: { price: 1 } }";

const declared = (...lines: string[]): string => ["landform: 1", "name: siteless", ...lines, ""].join("\n");

test("its replacement is foreseen alike", async () => {
  const desk = await inTest(NearDesk.open(undefined, { seed: "demo" }));
  const declare = (inputs: string) => desk.declare(declared(`pages: { retired: { name: Retired, ${inputs} } }`));
  const adopted = `adoptId: ${desk.page("Retired")}, template: tpl-hero`;
  const made = "template: tpl-presell, variables: { brand: Acme, product: Mug }";
  await declare(adopted).applies();
  expect(await declare(made).sendsNothing(4, "preview")).toMatch(REFUSED);
  expect(await desk.sendsNothing(4, "up", "--yes")).toMatch(REFUSED);
  await declare(`${adopted}, options: { retainOnDelete: true }`).applies();
  await declare(made).applies();
  expect(desk.rows("pages").filter(({ pageName }) => pageName === "Retired")).toHaveLength(2);
});

test.each([["up"], ["destroy"]])(
  "its removal is foreseen, and the option retainOnDelete lets it pass (%s)",
  async (command) => {
    const desk = await inTest(NearDesk.open(undefined, { seed: "demo" }));
    const declare = (...lines: string[]) => desk.declare(declared(...lines));
    const page = (options: string): string =>
      `pages: { retired: { adoptId: ${desk.page("Retired")}, name: Retired${options} } }`;
    await declare(page("")).applies();
    if (command === "destroy") {
      const [plan = ""] = (await desk.says(1, "destroy", "--yes")).split("✗");
      expect(plan).toMatch(REFUSED);
    } else {
      expect(await declare(MUG).sendsNothing(4, "preview")).toMatch(REFUSED);
      expect(await desk.sendsNothing(4, "up", "--yes")).toMatch(REFUSED);
    }
    await declare(page(", options: { retainOnDelete: true }")).applies();
    await declare(MUG).applies();
    expect(desk.page("Retired")).toMatch(/^page_/);
  },
);
