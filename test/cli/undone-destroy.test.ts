/** An undo of a destroy: the stack has its objects and its outputs again. */
import { expect, test } from "vitest";
import { hero, sited } from "./manifests.ts";
import { NearDesk } from "./near-desk.ts";

const desk = NearDesk.each();

test("the outputs of the stack come back, with the id of the new page", async () => {
  desk.declare(sited([hero("a")], "outputs: { offer: pages.a.url, offerId: pages.a.id }\n"));
  await desk.applies();
  const before = desk.page("a");
  await desk.says(0, "destroy", "--yes");
  await desk.says(0, "undo", "--yes");
  expect(desk.page("a")).not.toBe(before);
  const outputs = await desk.says(0, "output");
  expect(outputs).toMatch(/offer +http:\/\/sited-example\.localhost:\d+\/a\n/);
  expect(outputs).toMatch(new RegExp(`offerId +${desk.page("a")}\n`));
  await desk.plansNothing();
});
