/** An undo of a destroy: the stack has its objects and its outputs again. */
import { expect, test } from "vitest";
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
