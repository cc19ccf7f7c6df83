/** A program that deletes a public page before its replacement is made. */
import { expect, test } from "vitest";
import { onBothEngines } from "../suite/parts.ts";
import { NearDesk } from "./near-desk.ts";

const program = (template: string, options = ""): string =>
  `const { id: siteId } = new landform.Site("main", { name: "first.example" });
new landform.Page("a", { templateId: "${template}", variables: { brand: "A", product: "P" }, publish: { siteId, slug: "x" } }${options});`;

onBothEngines((engine, path) => {
  const desk = NearDesk.each(engine, path);

  test("the plan says for how long visitors get nothing, and says nothing of it where the new page is made first", async () => {
    await desk.program(program("tpl-hero")).applies();
    const usual = await desk.program(program("tpl-presell")).says(0, "preview");
    expect(usual).toContain("± Page a");
    expect(usual).not.toContain("deleteBeforeReplace");
    expect(await desk.program(program("tpl-presell", ", { deleteBeforeReplace: true }")).says(0, "preview")).toMatch(
      /warning: Page a is deleted before the new one is made.*visitors get nothing at http\S+\/x\./,
    );
    expect(await desk.applies()).toContain("Page a is deleted before");
  });
});
