/** A template has a content field without a text, and the code fills it. */
import { expect, test } from "vitest";
import { NearDesk } from "./near-desk.ts";

const desk = NearDesk.each();
const LINK = "https://pay.example/";

const declare = (title: string, publish = ", publish: { site: main, slug: a }") =>
  desk.declare(`landform: 1
name: filled
sites: { main: { name: filled.example } }
pages:
  a: { template: tpl-sales, variables: { brand: A, product: P, support_email: S }, content: { offer.title: ${title}, prices.one.cta.url: "${LINK}" }${publish} }
`);

test.each([[true], [false]])(
  "the text of the code in its place is no edit of somebody, and the same text in another empty place is one (first a draft: %j)",
  async (isDraftFirst) => {
    if (isDraftFirst) {
      declare("One", "");
      await desk.applies();
    }
    for (const title of ["One", "Two"]) {
      declare(title);
      expect(await desk.says(0, "preview", "--refresh")).not.toContain("held back");
      await desk.applies();
      expect(await desk.visited("filled-example/a")).toContain(LINK);
    }
    await desk.edits("a", { "prices.two.cta.url": LINK });
    declare("Three");
    expect(await desk.says(1, "up", "--yes")).toContain(`! prices.two.cta.url "${LINK}"`);
    expect(await desk.visited("filled-example/a")).toContain("Two");
  },
);
