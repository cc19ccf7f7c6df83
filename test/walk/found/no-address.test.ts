/** A page without a publication has no address. Whatever refers to that gets none, and the next plan is empty. */
import { expect, test } from "vitest";
import { onBothEngines } from "../../suite/parts.ts";
import { WalkDesk } from "../desk.ts";
import { inTest } from "../../suite/opened.ts";

onBothEngines((engine) => {
  test("a reference to the address of a draft settles", async () => {
    const desk = await inTest(WalkDesk.open(engine));
    desk.declare({
      landform: 1,
      name: "draft",
      pages: { draft: {} },
      products: { mug: { price: 10, ctaUrl: { ref: "pages.draft.url" } } },
    });
    const up = await desk.run("up", "--yes", "-s", "dev");
    expect(up.code, up.printed).toBe(0);
    const again = await desk.run("preview", "--detailed-exitcode", "-s", "dev");
    expect(again.code, again.printed).toBe(0);
  });
});
