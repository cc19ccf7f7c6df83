/** The service checks a page for a publication, and its answer lags behind our writes. */
import { expect, test } from "vitest";
import { inTest } from "../suite/opened.ts";
import { hero, sited } from "./manifests.ts";
import { NearDesk } from "./near-desk.ts";

test("a page goes public although its placeholders seem to be open for a while", async () => {
  const desk = await inTest(NearDesk.open(undefined, { notShown: { contentLagMs: 300 } }));
  for (const brand of ["Acme", "Bolt"]) {
    desk.declare(sited([hero("a", { brand })]));
    await desk.applies();
    expect(await desk.visited("sited-example/a")).toContain(brand);
  }
});
