/** A page that visitors see and that is on no site can't be deleted. The plan says so before anything is sent. */
import { expect, test } from "vitest";
import { inTest } from "../suite/opened.ts";
import { NearDesk } from "./near-desk.ts";

const REFUSED = /Page retired: it can't be deleted, because it is published and has no site/;
const MUG = "products: { mug: { price: 1 } }";

const declared = (...lines: string[]): string => ["landform: 1", "name: siteless", ...lines, ""].join("\n");

test("its replacement is foreseen alike", async () => {
  const desk = await inTest(NearDesk.open(undefined, { seed: "demo" }));
  const declare = (inputs: string): void => desk.declare(declared(`pages: { retired: { name: Retired, ${inputs} } }`));
  const adopted = `adoptId: ${desk.page("Retired")}, template: tpl-hero`;
  const made = "template: tpl-presell, variables: { brand: Acme, product: Mug }";
  declare(adopted);
  await desk.applies();
  declare(made);
  expect(await desk.sendsNothing(4, "preview")).toMatch(REFUSED);
  expect(await desk.sendsNothing(4, "up", "--yes")).toMatch(REFUSED);
  declare(`${adopted}, options: { retainOnDelete: true }`);
  await desk.applies();
  declare(made);
  await desk.applies();
  expect(desk.rows("pages").filter(({ pageName }) => pageName === "Retired")).toHaveLength(2);
});

test.each([["up"], ["destroy"]])(
  "its removal is foreseen, and the option retainOnDelete lets it pass (%s)",
  async (command) => {
    const desk = await inTest(NearDesk.open(undefined, { seed: "demo" }));
    const declare = (...lines: string[]): void => desk.declare(declared(...lines));
    const page = (options: string): string =>
      `pages: { retired: { adoptId: ${desk.page("Retired")}, name: Retired${options} } }`;
    declare(page(""));
    await desk.applies();
    if (command === "destroy") {
      const [plan = ""] = (await desk.says(1, "destroy", "--yes")).split("✗");
      expect(plan).toMatch(REFUSED);
    } else {
      declare(MUG);
      expect(await desk.sendsNothing(4, "preview")).toMatch(REFUSED);
      expect(await desk.sendsNothing(4, "up", "--yes")).toMatch(REFUSED);
    }
    declare(page(", options: { retainOnDelete: true }"));
    await desk.applies();
    declare(MUG);
    await desk.applies();
    expect(desk.page("Retired")).toMatch(/^page_/);
  },
);
