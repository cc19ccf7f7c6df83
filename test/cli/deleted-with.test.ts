// @module-tag thorough
/** A resource that an engine takes for gone with another (`deletedWith`) stays in the account, and plan and report say so. */
import { expect, test } from "vitest";
import { onBothAtRelease } from "../suite/parts.ts";
import { NearDesk } from "./near-desk.ts";

const SITE = `const site = new landform.Site("left.example");`;
const BOTH = `${SITE}
const mug = new landform.Product("mug", { price: 2 });
const publish = { siteId: site.id, slug: "offer" };
new landform.Page("offer", { templateId: "tpl-hero", variables: { brand: "B" }, publish }, { deletedWith: mug });`;

onBothAtRelease((engine, path) => {
  const desk = NearDesk.each(engine, path);

  test("an up of a program without them, and a destroy", async () => {
    desk.program(BOTH);
    await desk.up();
    desk.program(SITE);
    const preview = await desk.run(["preview"]);
    expect(preview.stdout).toMatch(/! Page offer .*\n\s+stays in the account, and Landform no longer manages it/);
    expect(preview.stdout).not.toContain("Public pages");
    expect(preview.stdout).toContain("1 to delete, 1 to leave in the account");
    const up = await desk.run(["up", "--yes"]);
    expect(up.stdout).toContain("! left Page offer in the account");
    expect(up.stdout).toContain("Done: 1 deleted, 1 left in the account");
    expect(desk.emulator.records().pages).toHaveLength(1);
    await desk.plansNothing();

    desk.program(BOTH.replaceAll("offer", "deal"));
    await desk.up();
    const destroy = await desk.run(["destroy", "--yes"]);
    expect(destroy.stdout).toContain("! left Page deal in the account");
    expect(destroy.stdout).toContain("Done: 1 deleted, 2 left in the account");
    expect(desk.emulator.records().pages).toHaveLength(2);
  }, 300_000);
});
