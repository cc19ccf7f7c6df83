import { expect, test } from "vitest";
import { refused } from "./expectations.ts";
import { listed, makeSite, unique } from "./fixtures.ts";
import { openTarget, ownServer } from "./target.ts";

const target = await openTarget();
const site = await makeSite(target);

test("POST /sites answers the domain which the service gave", () => {
  expect(site.site_id).toBe(site.id);
  expect(site.atomic_domain).toBeTypeOf("string");
  expect(site.url).toBeTypeOf("string");
});

test.runIf(ownServer)("POST /sites: every field is optional", async () => {
  await target.record("createSite", { body: {} });
  const described = { name: unique("Named"), description: "The host of the conformance suite" };
  expect((await target.record("createSite", { body: described })).name).toBe(described.name);
});

test("GET /sites/{siteId} shows the domain", async () => {
  expect((await target.record("getSite", { at: site.id })).atomic_domain).toBe(site.atomic_domain);
});

test("GET /sites lists it, and finds it by text", async () => {
  await listed(target, "listSites", site.id, { limit: 100 });
  await listed(target, "listSites", site.id, { query: String(site.name).toUpperCase() });
  expect(await target.list("listSites", { query: { query: unique("nowhere") } })).toEqual([]);
});

test("there is no way to change or delete a site", async () => {
  refused(await target.send("DELETE", `/sites/${site.id}`));
  refused(await target.send("PATCH", `/sites/${site.id}`, { body: { name: "x" } }));
  expect((await target.record("getSite", { at: site.id })).id).toBe(site.id);
});
