// @module-tag thorough
/** A browser on PATH sees a page that only its visitor's browser makes. */
import { dirname } from "node:path";
import { expect, test } from "vitest";
import { openWorld, ResourceTest, startHost, applied } from "../provider/harness.ts";
import { describeInBrowser } from "./support.ts";
import { inTest } from "../suite/opened.ts";

describeInBrowser("made in the browser", () => {
  const PATH = `${dirname(process.env["CHROMIUM_PATH"] ?? "/usr/bin/chromium")}:/usr/bin:/bin`;

  test("seen there, and a cached one is not", async () => {
    const world = await inTest(
      openWorld({ notShown: { clientRendered: true } }, { PATH, LANDFORM_VERIFY_WAIT_MS: "15000" }, startHost),
    );
    const site = await applied(world, "site", "browser.example", {});
    const page = new ResourceTest(world, "page", "offer");
    const declared = (title: string) => ({
      templateId: "tpl-hero",
      variables: { brand: "Acme" },
      content: { "hero.title": title },
      publish: { siteId: site.id, slug: "offer", verify: true },
    });
    await page.apply(declared("First title"));
    await expect.poll(() => world.printed.join("\n")).toMatch(/note: publish: .*: seen in a browser after/);
    world.printed.length = 0;
    await page.apply(declared("Second title"));
    await expect.poll(() => world.printed.join("\n")).toMatch(/note: publish: .*: seen in a browser after/);
    world.printed.length = 0;
    world.emulator.notShown.publicLagMs = 600_000;
    await page.apply(declared("Third title"));
    await expect
      .poll(() => world.printed.join("\n"))
      .toMatch(/warning: publish: .*still serves the old text of hero\.title/);
  });
});
