// @module-tag thorough
/** A held page, and the page that has its address: that one stays until the other can be public there. */
import { setTimeout } from "node:timers/promises";
import { expect, test } from "vitest";
import { LandformApi } from "../../provider/api/index.ts";
import { NearDesk } from "./near-desk.ts";
import { inTest } from "../suite/opened.ts";
import { outputOf } from "./harness.ts";

const PUBLISH = "publish: { site: main, slug: offer }";
const page = (title: string, slug: string): string =>
  `{ template: tpl-hero, variables: { brand: Acme }, content: { hero.title: ${title} }, publish: { site: main, slug: ${slug} } }`;
const manifest = (pages: Record<string, string>): string => `landform: 1
name: successors
sites: { main: { name: successors.example } }
pages:
${Object.entries(pages)
  .map(([name, declared]) => `  ${name}: ${declared}\n`)
  .join("")}`;

const OLD = { old: page("Old offer", "offer") };

/** `other`: the id of a page that is not the stack's. */
const ways: readonly { name: string; own: boolean; next: (other: string) => Record<string, string> }[] = [
  { name: "one of the stack moves there", own: true, next: () => ({ next: page("New offer", "offer") }) },
  {
    name: "one is taken over and moves there",
    own: false,
    next: (id) => ({ next: `{ adoptId: ${id}, content: { hero.title: New offer }, ${PUBLISH} }` }),
  },
  {
    name: "one is taken over in its place",
    own: false,
    next: (id) => ({ old: `{ adoptId: ${id}, content: { hero.title: New offer }, ${PUBLISH} }` }),
  },
];

test.each(ways)("$name", async ({ own, next }) => {
  const desk = await inTest(NearDesk.open());
  const api = await inTest(new LandformApi(desk.emulator));
  const visitors = async (): Promise<string> => {
    const response = await fetch(`${new URL(desk.emulator.baseUrl).origin}/_sites/successors-example/offer`);
    return response.status === 200 ? response.text() : `nothing (${response.status})`;
  };
  const named = async (name: string) => (await api.pages.list({ limit: 100 })).find((one) => one.page_name === name);
  desk.write("landform.yaml", manifest({ ...OLD, ...(own && { next: page("Next", "next") }) }));
  expect((await desk.run(["up", "--yes"])).code).toBe(0);
  const old = await named("old");
  const siteId = old?.site_id ?? "";
  const other = own
    ? ((await named("next"))?.id ?? "")
    : (await api.pages.createFromTemplate({ template_id: "tpl-thankyou", name: "other", site_id: siteId })).id;
  const texts = { brand: "Acme", support_email: "help@mugs.example" };
  if (!own) {
    await api.pages.replaceVariables({ page_id: other, variables: texts });
    await api.pages.publish({ page_id: other, site_id: siteId, slug: "next" });
    // If a page was never the stack's, only dates tell of its edits.
    await setTimeout(1_200);
  }
  await api.pages.updateContent({ page_id: other, updates: { "hero.text": "Half a thought" } });

  desk.write("landform.yaml", manifest(next(other)));
  const preview = await desk.run(["preview"]);
  expect(preview.code).toBe(0);
  expect(preview.stdout).toMatch(/unpublished edits in its draft/);
  expect(preview.stdout).toMatch(/Page old stays at \S+\/offer until its replacement \(Page \w+\) can be published/);
  expect(preview.stdout).not.toContain("Addresses that go to another page");
  for (let round = 0; round < 2; round++) {
    expect(await outputOf(1, desk.run(["up", "--yes"]))).toMatch(/is not deleted yet\. It keeps the path \/offer/);
    expect(await visitors()).toContain("Old offer");
  }
  expect((await desk.run(["up", "--yes", "--foreign-edits", "include"])).code).toBe(0);
  expect(await visitors()).toMatch(/New offer/);
  expect((await api.pages.list({ limit: 100 })).map(({ id }) => id)).toEqual([other]);
  expect((await desk.run(["preview", "--detailed-exitcode"])).code).toBe(0);
});
