import { describe, expect, test } from "vitest";
import { record, refused, text } from "./expectations.ts";
import {
  listed,
  made,
  makeFunnel,
  makePage,
  makeProject,
  makeQuiz,
  makeSite,
  makeTemplatedPage,
  missingId,
  publish,
  someTemplate,
  unique,
} from "./fixtures.ts";
import { openTarget, ownServer } from "./target.ts";

const target = await openTarget();
const read = (id: string) => target.record("getPage", { at: id });

describe("creation", () => {
  test("POST /pages", async () => {
    const project = await makeProject(target);
    const page = await makePage(target, { project_id: project.id });
    expect(page).toMatchObject({ status: "draft", is_quiz: false, project_id: project.id, site_id: null });
    expect(page.page_name).toBe(page.name);
    expect(text(page.edit_url)).not.toBe("");
  });

  test("POST /pages/from-template refuses an unknown template", async () =>
    refused(await target.call("createPageFromTemplate", { body: { template_id: missingId, name: "x" } })));

  test("POST /pages/duplicate", async () => {
    const source = await makePage(target);
    const body = { page_id: source.id, new_name: unique("Copy") };
    const copy = await made(target, "duplicatePage", body, "deletePage");
    expect(copy).toMatchObject({ name: body.new_name, page_name: body.new_name, source_page_id: source.id });
    expect(copy.id).not.toBe(source.id);
    expect(await read(copy.id)).toMatchObject({ page_name: body.new_name, status: "draft" });
  });
});

describe("PATCH /pages/metadata", () => {
  test("changes the name", async () => {
    const page = await makePage(target);
    const body = { page_id: page.id, name: unique("Renamed") };
    const result = await target.record("updatePageMetadata", { body });
    expect(result).toMatchObject({ id: page.id, page_id: page.id, updated: true });
    expect((await read(page.id)).page_name).toBe(body.name);
  });

  test.each([
    ["project_id", async () => (await makeProject(target)).id],
    ["product_label", () => Promise.resolve("Mug")],
  ])("changes the %s and answers it", async (field, value) => {
    const page = await makePage(target);
    const body = { page_id: page.id, [field]: await value() };
    expect((await target.record("updatePageMetadata", { body }))[field]).toBe(body[field]);
  });

  test("takes tags as an array and as text, alike", async () => {
    const page = await makePage(target);
    const update = async (tags: unknown) => {
      const answer = await target.call("updatePageMetadata", { body: { page_id: page.id, tags } });
      return record("PageMetadataResult", answer).tags;
    };
    expect(await update(["spring", "mug"])).toEqual(await update("spring,mug"));
  });

  test("takes produkt for product_label", async () => {
    const page = await makePage(target);
    const answer = await target.call("updatePageMetadata", { body: { page_id: page.id, produkt: "Tasse" } });
    expect(record("PageMetadataResult", answer).product_label).toBe("Tasse");
  });

  test("refuses a page id alone", async () => {
    const page = await makePage(target);
    refused(await target.call("updatePageMetadata", { body: { page_id: page.id } }), { code: "invalid_request" });
  });
});

test("the display name of a page on a site includes the site name in parentheses", async () => {
  const page = await makePage(target);
  const site = await makeSite(target);
  await publish(target, page.id, site.id);
  const published = await read(page.id);
  expect(published.page_name).toBe(page.page_name);
  expect(published.name).toContain(text(published.page_name));
  expect(published.name).toContain(`(${text(published.site_name)})`);
});

describe("GET /pages", () => {
  test("keeps to a site", async () => {
    const [page, site] = [await makePage(target), await makeSite(target)];
    await publish(target, page.id, site.id);
    const found = await listed(target, "listPages", page.id, { site_id: site.id });
    expect(found.map((item) => item.id)).toEqual([page.id]);
  });

  test("published: true and false part the pages", async () => {
    const project = await makeProject(target);
    const draft = await makePage(target, { project_id: project.id });
    const live = await makePage(target, { project_id: project.id });
    await publish(target, live.id);
    const inProject = { project_id: project.id };
    await listed(target, "listPages", live.id, { ...inProject, published: true });
    await listed(target, "listPages", live.id, { ...inProject, published: false }, false);
    await listed(target, "listPages", draft.id, { ...inProject, published: false });
    await listed(target, "listPages", draft.id, { ...inProject, published: true }, false);
  });

  test("is_quiz=true: only quizzes", async () => {
    const project = await makeProject(target);
    const quiz = await makeQuiz(target, { project_id: project.id });
    await makePage(target, { project_id: project.id });
    const found = await listed(target, "listPages", quiz.id, { project_id: project.id, is_quiz: true });
    expect(found.map((page) => page.is_quiz)).toEqual([true]);
  });

  test("available_for_funnel=true hides pages of a funnel", async () => {
    const project = await makeProject(target);
    const [used, free] = [
      await makePage(target, { project_id: project.id }),
      await makePage(target, { project_id: project.id }),
    ];
    await makeFunnel(target, { pages: [{ pageId: used.id, pageType: "presell" }] });
    const query = { project_id: project.id, available_for_funnel: true };
    await listed(target, "listPages", free.id, query);
    await listed(target, "listPages", used.id, query, false);
  });

  test("has_element keeps to pages with that element", async () => {
    const template = await someTemplate(target);
    const page = await makeTemplatedPage(target, template.id);
    const blank = await makePage(target);
    const builder = await target.record("getBuilder", { query: { page_id: page.id } });
    const type = /"type":"(\w+)"/.exec(JSON.stringify(builder.builder))?.[1];
    expect(type, "an element type in the builder tree").toBeDefined();
    const query = { has_element: String(type), limit: 100 };
    await listed(target, "listPages", page.id, query);
    await listed(target, "listPages", blank.id, query, false);
    expect(await target.list("listPages", { query: { has_element: "no-such-element" } })).toEqual([]);
  });
});

test("a search finds a page by domain and slug, whatever the case", async () => {
  const page = await makePage(target);
  const { slug } = await publish(target, page.id);
  const { domain } = await read(page.id);
  for (const query of [slug, domain])
    await listed(target, "searchPages", page.id, { query: text(query).toUpperCase(), limit: 100 });
});

describe.each(["listTemplates", "searchTemplates"])("%s", (operation) => {
  const templates = (query: Record<string, string> = {}) => target.list(operation, { query });

  test("the type is page unless another is asked for", async () => {
    const all = await templates();
    expect(all).not.toEqual([]);
    expect(all).toEqual(await templates({ type: "page" }));
    for (const template of all) expect(template).toMatchObject({ type: "page", template_name: template.name });
  });

  test("by text, category and exact id", async () => {
    const [template] = await templates();
    const name = String(template?.name);
    expect((await templates({ query: name.toUpperCase() })).map((one) => one.name)).toContain(name);
    expect(await templates({ template_id: String(template?.id) })).toEqual([template]);
    expect(await templates({ template_id: missingId })).toEqual([]);
    expect(await templates({ category: "no-such-category" })).toEqual([]);
  });

  test.runIf(ownServer)("by category", async () => {
    const all = await templates();
    const category = text(all[0]?.category);
    expect(await templates({ category })).toEqual(all.filter((template) => template.category === category));
  });
});
