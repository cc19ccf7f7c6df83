/** Reads of one record, lists and searches, alike for every kind that has them. */
import { describe, expect, test } from "vitest";
import { refused, text } from "./expectations.ts";
import { listed, makeFunnel, makePage, makeProduct, makeProject, makeSite, missingId } from "./fixtures.ts";
import { openTarget, ownServer } from "./target.ts";

const target = await openTarget();
// `inProject`: the operations that can ask for one project.
const kinds = [
  { kind: "Project", make: makeProject, read: "getProject", search: "searchProjects", id: "project_id", inProject: [] },
  {
    ...{ kind: "Site", make: makeSite, read: "getSite", search: "searchSites", id: "site_id" },
    inProject: ["listSites", "searchSites"],
  },
  {
    ...{ kind: "Page", make: makePage, read: "getPage", search: "searchPages", id: "page_id" },
    inProject: ["listPages"],
  },
  {
    ...{ kind: "Funnel", make: makeFunnel, read: "getFunnel", search: "searchFunnels", id: "funnel_id" },
    inProject: ["listFunnels", "searchFunnels"],
  },
  {
    ...{ kind: "Product", make: makeProduct, read: "getProduct", search: "searchProducts", id: "product_id" },
    inProject: ["listProducts", "searchProducts"],
  },
];

describe.each(kinds)("$kind", ({ make, read, inProject, search, id }) => {
  test("is read by its id, and one that does not exist is refused", async () => {
    const made = await make(target);
    expect(await target.record(read, { at: made.id })).toMatchObject({ id: made.id, name: made.name });
    refused(await target.call(read, { at: missingId }));
  });

  test("is found by text, whatever its case, and by exact id, as an array of one", async () => {
    const { id: own, name } = await make(target);
    await listed(target, search, own, { query: text(name).toUpperCase() });
    expect(await listed(target, search, own, { [id]: own })).toHaveLength(1);
    expect(await target.list(search, { query: { [id]: missingId } })).toEqual([]);
  });

  // Nothing deletes sites and funnels, so on a foreign server the project would stay behind.
  test.runIf(ownServer && inProject.length > 0)("is in lists and searches of its project, alone", async () => {
    const project_id = (await makeProject(target)).id;
    const made = await make(target, { project_id });
    expect(made.project_id).toBe(project_id);
    for (const operation of inProject)
      expect(await listed(target, operation, made.id, { project_id })).toMatchObject([{ id: made.id, project_id }]);
  });
});

test.each([
  ["Project", makeProject, "getProject", "listProjects", "deleteProject"],
  ["Product", makeProduct, "getProduct", "listProducts", "deleteProduct"],
] as const)("%s: deleted once, and then it is not there", async (kind, make, read, lists, remove) => {
  const { id } = await make(target);
  expect(await target.record(remove, { at: id })).toMatchObject({ success: true, id, deleted: true });
  refused(await target.call(read, { at: id }));
  await listed(target, lists, id, { limit: 100 }, false);
  refused(await target.call(remove, { at: id }));
});
