/** The service keeps the texts of a page in a spelling of its own, and the first publication fails. */
import { expect, test } from "vitest";
import { inTest } from "../suite/opened.ts";
import { hero, sited } from "./manifests.ts";
import { NearDesk } from "./near-desk.ts";

test("the run's own texts are no edits of somebody", async () => {
  const desk = await inTest(NearDesk.open(undefined, { notShown: { contentTexts: "escaped" } }));
  desk.declare(sited([hero("a", { brand: '"A & B"', title: "Tea & {{brand}}'s" })]));
  desk.emulator.faults.add({ method: "POST", path: "/pages/publish", phase: "status", status: 403, times: Infinity });
  expect(await desk.says(1, "up", "--yes")).toContain("it exists, but is not complete");
  desk.emulator.faults.clear();
  await desk.applies();
  expect(await desk.visited("sited-example/a")).toContain("Tea &amp;");
  await desk.edits("a", { "hero.note": "Theirs" });
  desk.declare(sited([hero("a", { brand: '"A & B"', title: "Coffee & {{brand}}" })]));
  expect(await desk.says(1, "up", "--yes")).toMatch(/edits in the app:\n +! hero\.note "Theirs"\n +Your/);
});
