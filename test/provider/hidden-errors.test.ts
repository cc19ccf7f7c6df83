/** A message of a failed step says no value that the program holds secret: under plain `pulumi up` nothing else hides it. */
import { expect, test } from "vitest";
import { applied, HERO, ResourceTest, worldOfAll } from "./harness.ts";
import { publishInApp } from "../suite/app.ts";

const world = worldOfAll();

const page = (slug: string, more = {}) => ({ ...HERO, publish: { siteId: "site_1", slug }, ...more });
const secret = { __hidden: [["publish", "slug"]] };

test("a refusal of the inputs hides the secret that it would quote", async () => {
  await new ResourceTest(world, "page", "first").check(page("hush-hush"));
  const refused = await new ResourceTest(world, "page", "second").check(page("hush-hush", secret)).catch(String);
  expect(refused).toContain('the slug "[secret]" on site site_1 is declared by "first" too');
});

test("an error of a call hides it as well", async () => {
  const site = await applied(world, "site", "hidden.example", {});
  const theirs = await applied(world, "page", "theirs", {});
  await publishInApp(world, theirs.id, { siteId: site.id, slug: "very-hush" });
  const made = page("very-hush", { ...secret, publish: { siteId: site.id, slug: "very-hush" } });
  const failed = await new ResourceTest(world, "page", "third").apply(made).catch(String);
  expect(failed).toContain("has the path /[secret] of site");
});
