/** A message of a failed step says no value that the program holds secret: under plain `pulumi up` nothing else hides it. */
import { expect, test } from "vitest";
import { openWorld, ResourceTest } from "./harness.ts";
import { forAllTests } from "../suite/opened.ts";
import { publishInApp } from "../suite/app.ts";

const world = forAllTests(() => openWorld());

const page = (slug: string, more = {}) => ({
  templateId: "tpl-hero",
  variables: { brand: "Acme" },
  publish: { siteId: "site_1", slug },
  ...more,
});
const secret = { __hidden: [["publish", "slug"]] };

test("a refusal of the inputs hides the secret that it would quote", async () => {
  await new ResourceTest(world, "page", "first").check(page("hush-hush"));
  const refused = await new ResourceTest(world, "page", "second").check(page("hush-hush", secret)).catch(String);
  expect(refused).toContain('the slug "[secret]" on site site_1 is declared by "first" too');
});

test("an error of a call hides it as well", async () => {
  const site = new ResourceTest(world, "site", "hidden.example");
  await site.apply({});
  const theirs = new ResourceTest(world, "page", "theirs");
  await theirs.apply({});
  await publishInApp(world, theirs.id, { siteId: site.id, slug: "very-hush" });
  const made = page("very-hush", { ...secret, publish: { siteId: site.id, slug: "very-hush" } });
  const failed = await new ResourceTest(world, "page", "third").apply(made).catch(String);
  expect(failed).toContain("has the path /[secret] of site");
});
