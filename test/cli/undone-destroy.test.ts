/** An undo of a destroy: the stack has its objects and its outputs again, and the code stays as it is. */
import { expect, test } from "vitest";
import { onBothEngines } from "../suite/parts.ts";
import { hero, sited } from "./manifests.ts";
import { NearDesk } from "./near-desk.ts";

const desk = NearDesk.each();

test("the outputs of the stack come back, with the id of the new page", async () => {
  desk.declare(sited([hero("a")], "outputs: { offer: pages.a.url, offerId: pages.a.id, root: sites.main.url }\n"));
  await desk.applies();
  const [page, outputs] = [desk.page("a"), await desk.says(0, "output")];
  expect(outputs).toMatch(/root +http:\/\/sited-example\.localhost:\d+\/\n/);
  await desk.says(0, "destroy", "--yes");
  await desk.says(0, "undo", "--yes");
  expect(desk.page("a")).not.toBe(page);
  const renewed = outputs.replace(page, desk.page("a"));
  expect(await desk.says(0, "output")).toBe(renewed);
  // The program takes them from its resources again.
  await desk.applies("--refresh");
  expect(await desk.says(0, "output")).toBe(renewed);
});

onBothEngines((...on) => {
  test("a program is told to declare an object again only if its last run did not declare it", async () => {
    desk.on(...on);
    const [mug, cup] = ["mug", "cup"].map((name) => `new landform.Product("${name}", { price: 3 });`);
    const undoes = (...args: string[]) => desk.says(0, "undo", "--yes", ...args);
    await desk.program(`${mug}\n${cup}`).applies();
    await desk.says(0, "destroy", "--yes");
    expect(await undoes("--write")).toMatch(/again\.\nNothing was written\.\n$/);
    await desk.plansNothing();
    // This undo destroys, and the next one makes.
    expect(await undoes()).toContain("Product cup: take it out");
    expect(await undoes()).not.toContain("The code");
    await desk.program(mug ?? "").applies();
    expect(await undoes()).toContain("Product cup: declare it again");
    await undoes();
    expect(await undoes()).toContain("Product cup: declare it again");
  });
});

test.each(["a program", "a manifest"])("an undo of an undo asks %s for nothing: it says that already", async (kind) => {
  for (const price of [3, 4]) {
    if (kind === "a program") desk.program(`new landform.Product("mug", { price: ${price} });`);
    else desk.declare(`landform: 1\nname: shop\nproducts: { mug: { price: ${price} } }\n`);
    await desk.applies();
  }
  expect(await desk.says(0, "undo", "--yes")).toMatch(/Write these values into it[^]*:\d+ +Product mug price: 3/);
  expect(await desk.says(0, "undo", "--yes")).not.toContain("The code says something else");
  await desk.plansNothing();
});
