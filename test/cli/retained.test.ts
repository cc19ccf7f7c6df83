/** A page that is replaced and stays in the account: edits in its draft are not deleted, and go public if it makes way at its address. */
import { expect, test } from "vitest";
import { Mugs } from "./mugs.ts";
import { thorough } from "../suite/parts.ts";

async function retained(): Promise<Mugs> {
  const mugs = await Mugs.here((text) =>
    text
      .replace("    template: tpl-hero\n", "$&    options: { retainOnDelete: true }\n")
      .replace("brand: Example Mugs", "$&, support_email: help@mugs.example"),
  );
  await mugs.edits("offer", { "hero.text": "Half a sentence" });
  mugs.code("template: tpl-hero", "template: tpl-thankyou");
  mugs.code(", hero.note: Only today", "");
  return mugs;
}

thorough("a hold says that the edits would stay behind, and not that they would be deleted", async () => {
  const mugs = await retained();
  const plan = await mugs.says(0, "preview");
  expect(plan).toContain("which would stay behind in the old page");
  expect(plan).not.toContain("deleted");
  expect(await mugs.says(1, "up", "--yes")).toContain("would stay behind in the old page");
});

test("a plan names the edits that go public with the old page beside its address", async () => {
  const mugs = await retained();
  const plan = await mugs.says(0, "preview", "--foreign-edits", "include");
  expect(plan).toMatch(
    /it moves to another address beside the old one[^]*Page offer\. They are published with it:\n +! hero\.text "Half a sentence"/,
  );
  await mugs.applies("--foreign-edits", "include");
});
