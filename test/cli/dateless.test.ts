/** A service that never says when something was made, changed or published. */
import { expect, test } from "vitest";
import { inTest } from "../suite/opened.ts";
import { hero, sited } from "./manifests.ts";
import { NearDesk } from "./near-desk.ts";

test("a page that a run publishes again is told as published, and one that it leaves alone is not", async () => {
  const desk = await inTest(NearDesk.open(undefined, { notShown: { nullDates: true } }));
  await desk.declare(sited([hero("a", { title: "One" }), hero("b", { title: "One" })])).applies();
  desk.declare(sited([hero("a", { title: "Two" }), hero("b", { title: "One" })]));
  expect(await desk.applies()).toMatch(/\nPublished\n +http\S+\/a\n\n/);
});
