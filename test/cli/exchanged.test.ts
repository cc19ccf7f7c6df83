/** Two entries exchange the objects that they were given by their ids. The plan doesn't announce deletions that don't happen. */
import { expect, test } from "vitest";
import { hero, sited } from "./manifests.ts";
import { NearDesk } from "./near-desk.ts";

const desk = NearDesk.each();

test("each is named as the one that takes over the other's object", async () => {
  await desk.declare(sited([hero("a"), hero("b")])).up();
  const [a, b] = [desk.page("a"), desk.page("b")];
  const declare = (first: string, second: string) =>
    desk.declare(sited([hero("a", { more: `, adoptId: ${first}` }), hero("b", { more: `, adoptId: ${second}` })]));
  await declare(a, b).applies();
  const plan = await declare(b, a).says(0, "preview");
  expect(plan).toContain(
    `takes over the existing ${b} in its place and gives it all values of the code; b takes over the old one`,
  );
  expect(plan).toContain("; a takes over the old one");
  expect(plan).not.toMatch(/is deleted|lose the texts/);
  await desk.applies("--force");
  expect([desk.page("a"), desk.page("b")].sort()).toEqual([a, b].sort());
});
