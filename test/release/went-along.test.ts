/** A release that goes on after a failed run: pages that an earlier run wrote go public with it, and every report names them. */
import { expect, test } from "vitest";
import { hero, sited } from "../cli/manifests.ts";
import { NearDesk } from "../cli/near-desk.ts";
import { onBothEngines } from "../suite/parts.ts";

const desk = NearDesk.each();

onBothEngines((...on) => {
  test("a page that waits for another one is named by the plan and by the run that publishes it", async () => {
    const code = sited([hero("a", { title: "One" }), hero("b")], "releases: { r: { pages: [a, b] } }\n");
    const incomplete = code.replace(/(b: .*) variables: \{ brand: Acme \},/, "$1");
    await desk
      .on(...on)
      .declare(incomplete)
      .says(1, "up", "--yes");
    const { impact } = await desk.declare(code).json("preview");
    expect(impact?.urls.map(({ effect, page }) => `${effect} ${page}`)).toEqual(["create b", "create a"]);
    const { published = [] } = await desk.json("up", "--yes");
    expect(published.map((url) => new URL(url).pathname).sort()).toEqual(["/a", "/b"]);
    expect(desk.rows("pages")).toMatchObject([{ status: "published" }, { status: "published" }]);
    await desk.plansNothing();
  });
});
