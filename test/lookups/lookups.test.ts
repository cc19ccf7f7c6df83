/** Lookups against the emulator: exactly one thing or a clear error, whole lists of any length, and no write. */
import * as pulumi from "@pulumi/pulumi";
import { beforeAll, expect, test } from "vitest";
import { startEmulator } from "../../emulator/index.ts";
import { LandformApi, UnauthorizedError } from "../../provider/api/index.ts";
import * as lookups from "../../provider/lookups/index.ts";
import * as program from "../../provider/pulumi/lookups.ts";
import { forAllTests, inTest } from "../suite/opened.ts";

const emulator = forAllTests(() => startEmulator({ seed: "demo" }));
const api = forAllTests(() => new LandformApi({ baseUrl: emulator.baseUrl, apiKey: emulator.apiKey }));
beforeAll(() => Object.assign(process.env, { LANDFORM_BASE_URL: emulator.baseUrl, LANDFORM_API_KEY: emulator.apiKey }));

const ONE = {
  project: { get: lookups.getProject, name: "Demo" },
  site: { get: lookups.getSite, name: "demo.example" },
  page: { get: lookups.getPage, name: "Offer" },
  quiz: { get: lookups.getQuiz, name: "Quiz" },
  funnel: { get: lookups.getFunnel, name: "Demo" },
  product: { get: lookups.getProduct, name: "Mug" },
  template: { get: lookups.getTemplate, name: "Product launch" },
  video: { get: lookups.getVideo, name: "Mug tour" },
} as const;

test("a lookup by nothing says what is missing", async () => {
  const nothing = {} as { id: string };
  await expect(lookups.getSite(api, nothing)).rejects.toThrow(
    "A site is looked up by its id or by its name, and neither",
  );
});

test.each(Object.entries(ONE))("one %s by its name, and the same one by its id", async (what, { get, name }) => {
  const found = await get(api, { name: ` ${name} ` });
  expect(await get(api, { id: found.id })).toEqual(found);
  const id = await lookups.lookupId(what, api, { name });
  expect(id).toBe(what === "quiz" ? (found as { pageId?: string }).pageId : found.id);
});

test.each(Object.entries(ONE))("a %s that is not there", async (what, { get, name }) => {
  await expect(get(api, { id: "none" })).rejects.toThrow(new RegExp(`^There is no ${what} "none"`));
  const misspelt = get(api, { name: `${name}x` });
  await expect(misspelt).rejects.toThrow(
    `There is no ${what} named "${name}x" in this account, did you mean "${name}"?`,
  );
  await expect(misspelt).rejects.toBeInstanceOf(lookups.LookupError);
});

test("two of a name are named with their ids", async () => {
  const twins = [await api.pages.create({ name: "Twin" }), await api.pages.create({ name: "Twin" })];
  const ids = twins.map(({ id }) => id);
  const error = (await lookups
    .getPage(api, { name: "Twin" })
    .catch((reason: unknown) => reason)) as lookups.LookupError;
  expect(error.ids.toSorted()).toEqual(ids.toSorted());
  for (const id of ids) expect(error.message).toContain(id);
});

test("records have every field of the service in camelCase", async () => {
  const page = await lookups.getPage(api, { name: "Offer" });
  expect(page).toMatchObject({ pageName: "Offer", status: "published", isQuiz: false, siteName: "demo.example" });
  expect(Object.keys(page).filter((key) => key.includes("_"))).toEqual([]);
});

test("lists are whole, filtered and limited", async () => {
  const { id } = await api.projects.create({
    name: "Many",
    description: "A project with more pages than the service gives at once.",
    context: "Example Mugs sells handmade mugs to people who take their coffee seriously. ".repeat(3),
  });
  for (let index = 0; index < 130; index++) await api.pages.create({ name: `Page ${index}`, project_id: id });
  expect(await lookups.listPages(api, { projectId: id })).toHaveLength(130);
  expect(await lookups.listPages(api, { projectId: id, limit: 105 })).toHaveLength(105);
  expect(await lookups.listPages(api, { projectId: id, published: true })).toEqual([]);
  expect((await lookups.listPages(api, { isQuiz: true })).map(({ pageName }) => pageName)).toEqual(["Quiz"]);
  const last = await lookups.getPage(api, { name: "Page 129" });
  expect(last.projectId).toBe(id);
  expect((await lookups.listSites(api, { query: "demo" })).map(({ name }) => name)).toEqual(["demo.example"]);
  expect(await lookups.listVideos(api, { limit: 2 })).toHaveLength(2);
  expect(await lookups.listTemplates(api, { limit: 1 })).toHaveLength(1);
  expect(await lookups.listFunnels(api)).toHaveLength(1);
  expect(await lookups.listProducts(api, { type: "bundle" })).toEqual([]);
  expect(await lookups.listProjects(api)).toHaveLength(2);
  expect(await lookups.listQuizzes(api)).toHaveLength(1);
  expect((await lookups.listLeads(api, { type: "quiz" })).map(({ type }) => type)).toEqual(["quiz"]);
  expect(await lookups.listLeads(api, { limit: 0 })).toEqual([]);
});

test("content map, builder, account, counts and samples", async () => {
  const { id: pageId } = await lookups.getPage(api, { name: "Offer" });
  expect((await lookups.getContentMap(api, { pageId })).content["hero.title"]).toMatch(/./);
  const tree = await lookups.getBuilderTree(api, { pageId });
  expect(tree.builder.tree).not.toBeNull();
  const bare = await lookups.getBuilderTree(api, { pageId, includeTree: false });
  expect([bare.builder.tree, bare.builder.sectionCount]).toEqual([null, tree.builder.sectionCount]);
  const sections = tree.builder.tree?.["sections"] as { id: string }[];
  const nodeId = sections[0]?.id ?? "";
  expect((await lookups.getBuilderNode(api, { pageId, nodeId })).nodeId).toBe(nodeId);
  expect(await lookups.getAccount(api)).toMatchObject({ id: emulator.accountId, workspaceId: emulator.accountId });
  expect(Object.keys(await lookups.getCounts(api)).length).toBeGreaterThan(0);
  expect(await lookups.getHookSample(api, { eventType: "page.published" })).toHaveProperty("event_type");
});

test("programs have them at once and as outputs, with their own account", async () => {
  const { id } = await program.getPage({ name: "Offer" });
  expect((await known(program.getPageOutput({ id: pulumi.output(Promise.resolve(id)) }))).pageName).toBe("Offer");
  expect(await known(program.listPagesOutput({ isQuiz: true }))).toHaveLength(1);
  expect((await known(program.getAccountOutput())).id).toBe(emulator.accountId);
});

test("programs reach another account, and its errors are theirs", async () => {
  const other = await inTest(startEmulator({ seed: "empty" }));
  process.env["OTHER_KEY"] = other.apiKey;
  const account = { baseUrl: other.baseUrl, apiKeyEnv: "OTHER_KEY" };
  expect((await program.getAccount({ account })).id).toBe(other.accountId);
  await expect(program.getPage({ name: "Offer" }, { account })).rejects.toThrow('no page named "Offer"');
  process.env["WRONG_KEY"] = "wrong";
  const wrong = program.listPages({}, { account: { baseUrl: other.baseUrl, apiKeyEnv: "WRONG_KEY" } });
  await expect(wrong).rejects.toBeInstanceOf(UnauthorizedError);
  await expect(program.getPage({ id: "x" }, { account: { ...account, apiKeyEnv: "UNSET" } })).rejects.toThrow(
    "is not set",
  );
});

function known<T>(output: pulumi.Output<T>): Promise<T> {
  return new Promise((resolve) => output.apply((value) => resolve(value)));
}
