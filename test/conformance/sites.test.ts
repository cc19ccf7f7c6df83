import { expect, test } from "vitest";
import { list, record, refused } from "./expectations.ts";
import { listed, makeProject, makeSite, missingId, unique } from "./fixtures.ts";
import { openTarget, ownServer } from "./target.ts";

const target = await openTarget();
const site = await makeSite(target);

test("POST /sites answers the domain which the service gave", () => {
  expect(site.site_id).toBe(site.id);
  expect(site.atomic_domain).toBeTypeOf("string");
  expect(site.url).toBeTypeOf("string");
});

test.runIf(ownServer)("POST /sites: every field is optional", async () => {
  record("SiteCreated", await target.call("createSite", { body: {} }));
  const described = { name: unique("Named"), description: "The host of the conformance suite" };
  expect(record("SiteCreated", await target.call("createSite", { body: described })).name).toBe(described.name);
});

test("GET /sites/{siteId} reads it", async () => {
  const read = record("Site", await target.call("getSite", { at: site.id }));
  expect(read.id).toBe(site.id);
  expect(read.atomic_domain).toBe(site.atomic_domain);
  refused(await target.call("getSite", { at: missingId }));
});

test("GET /sites lists it, and finds it by text", async () => {
  await listed(target, "listSites", "Site", site.id, { limit: 100 });
  await listed(target, "listSites", "Site", site.id, { query: String(site.name).toUpperCase() });
  expect(list("Site", await target.call("listSites", { query: { query: unique("nowhere") } }))).toEqual([]);
});

test("GET /search/sites finds it by text and by exact id", async () => {
  await listed(target, "searchSites", "Site", site.id, { query: String(site.name).toUpperCase() });
  const exact = await listed(target, "searchSites", "Site", site.id, { site_id: site.id });
  expect(exact).toHaveLength(1);
  expect(list("Site", await target.call("searchSites", { query: { site_id: missingId } }))).toEqual([]);
});

test.runIf(ownServer)("lists and searches keep to a project", async () => {
  const project = await makeProject(target);
  const attached = await makeSite(target, { project_id: project.id });
  expect(attached.project_id).toBe(project.id);
  for (const operation of ["listSites", "searchSites"]) {
    const found = await listed(target, operation, "Site", attached.id, { project_id: project.id });
    expect(found.map((item) => item.id)).toEqual([attached.id]);
    expect(found[0]?.project_id).toBe(project.id);
  }
});

test("there is no way to change or delete a site", async () => {
  refused(await target.send("DELETE", `/sites/${site.id}`));
  refused(await target.send("PATCH", `/sites/${site.id}`, { body: { name: "x" } }));
  expect(record("Site", await target.call("getSite", { at: site.id })).id).toBe(site.id);
});
