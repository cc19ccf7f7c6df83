import { expect, test } from "vitest";
import { type Emulator, type NotShown, notShownDefaults } from "../../emulator/index.ts";
import { anyText, call, create, type Json, offerPage, ok, project, receiver, start, textWith } from "./helpers.ts";

/** Every switch has its test here or in the file of its subject. */
const elsewhere: (keyof NotShown)[] = ["listLagMs"];
const tested = new Set<string>(elsewhere);

function testSwitch(name: keyof NotShown, run: (emulator: Emulator) => Promise<void>): void {
  tested.add(name);
  test(name, async () => run(await start()));
}

const statuses: [keyof NotShown, number, method: string, path: string, body: object | undefined, error?: string][] = [
  ["createdStatus", 200, "POST", "/pages", { name: "a" }],
  ["invalidRequestStatus", 422, "POST", "/pages", {}, "invalid_request"],
  ["notFoundStatus", 410, "GET", "/pages/none", undefined, "page_not_found"],
  ["paidPlanStatus", 403, "POST", "/projects", project, "paid_plan_required"],
  ["rejectedHookStatus", 422, "POST", "/hooks", { target_url: "https://10.0.0.1/", event_type: "page.created" }],
  ["tooLargeStatus", 400, "POST", "/pages", { name: "x".repeat(40) }, "body_too_large"],
];
for (const [name, status, method, path, body, error] of statuses)
  testSwitch(name, async () => {
    const notShown = { [name]: status, maxBodyBytes: name === "tooLargeStatus" ? 20 : 10_000 };
    const emulator = await start({ plan: "free", notShown });
    const answered = await call(emulator, method, path, body);
    expect(answered.status).toBe(status);
    if (error !== undefined) expect(answered.body.error).toBe(error);
  });

testSwitch("notFoundCodes", async (emulator) => {
  const code = async (path: string): Promise<unknown> => (await call(emulator, "GET", path)).body.error;
  expect(await code("/sites/none")).toBe("site_not_found");
  emulator.notShown.notFoundCodes = "generic";
  expect([await code("/sites/none"), await code("/pages/none")]).toEqual(["not_found", "page_not_found"]);
});

testSwitch("maxBodyBytes", async (emulator) => {
  emulator.notShown.maxBodyBytes = 20;
  expect((await call(emulator, "POST", "/pages", '{"name":"123456789"}')).status).toBe(201);
  expect((await call(emulator, "POST", "/pages", '{"name":"1234567890"}')).status).toBe(413);
});

testSwitch("contentMapShows", async (emulator) => {
  const offer = await offerPage(emulator);
  await publish(emulator, offer);
  await edit(emulator, offer, { "hero.note": "In the draft" });
  expect(await mapOf(emulator, offer)).toContain("In the draft");
  emulator.notShown.contentMapShows = "live";
  expect(await mapOf(emulator, offer)).not.toContain("In the draft");
  await publish(emulator, offer);
  expect(await mapOf(emulator, offer)).toContain("In the draft");
});

testSwitch("contentLagMs", async (emulator) => {
  emulator.notShown.contentLagMs = 150;
  const offer = await offerPage(emulator);
  await edit(emulator, offer, { "hero.note": "Just written" });
  expect((await mapOf(emulator, offer)) + (await treeOf(emulator, offer))).not.toContain("Just written");
  await expect.poll(() => mapOf(emulator, offer)).toContain("Just written");
  expect(await treeOf(emulator, offer)).toContain("Just written");
});

testSwitch("publishMovesUpdatedAtMs", async (emulator) => {
  emulator.notShown.publishMovesUpdatedAtMs = 40;
  const offer = await offerPage(emulator);
  await publish(emulator, offer);
  const page = await ok(emulator, "GET", `/pages/${offer.pageId}`);
  const lag = Date.parse(String(page["updated_at"])) - Date.parse(String(page["published_at"]));
  expect(lag).toBeGreaterThanOrEqual(40);
});

testSwitch("publishRefusesUnready", async (emulator) => {
  const { pageId: page_id, siteId: site_id } = await offerPage(emulator);
  emulator.notShown.publishRefusesUnready = true;
  const refused = await call(emulator, "POST", "/pages/publish", { page_id, site_id });
  expect([refused.status, refused.body.error]).toEqual([409, "page_not_ready"]);
  expect(await ok(emulator, "GET", `/pages/${page_id}`)).toMatchObject({ status: "draft", site_id: null });
  await ok(emulator, "POST", "/pages/replace-variables", { page_id, variables: { brand: "Acme" } });
  expect((await call(emulator, "POST", "/pages/publish", { page_id, site_id })).status).toBe(200);
});

testSwitch("unreadyStatus", async () => {
  const emulator = await start({ notShown: { publishRefusesUnready: true, unreadyStatus: 422 } });
  const { pageId: page_id, siteId: site_id } = await offerPage(emulator);
  expect((await call(emulator, "POST", "/pages/publish", { page_id, site_id })).status).toBe(422);
});

const publish = (emulator: Emulator, { pageId, siteId }: Offer): Promise<Json> =>
  ok(emulator, "POST", "/pages/publish", { page_id: pageId, site_id: siteId });

const edit = (emulator: Emulator, { pageId }: Pick<Offer, "pageId">, updates: Json): Promise<Json> =>
  ok(emulator, "PATCH", "/pages/content", { page_id: pageId, updates });

const mapOf = async (emulator: Emulator, { pageId }: Offer): Promise<string> =>
  JSON.stringify(await ok(emulator, "GET", `/search/page-content-map?page_id=${pageId}`));

type Offer = Awaited<ReturnType<typeof offerPage>>;

/** Publishes a second page at the slug of a first one. */
async function publishTwice(notShown: Partial<NotShown>) {
  const emulator = await start({ notShown });
  const { pageId, siteId: site_id } = await offerPage(emulator, "First");
  await ok(emulator, "POST", "/pages/publish", { page_id: pageId, site_id, slug: "offer" });
  const page_id = await create(emulator, "/pages/from-template", { template_id: "tpl-hero", name: "Second" });
  const answer = await call(emulator, "POST", "/pages/publish", { page_id, site_id, slug: "Offer" });
  const served = await (await fetch(`${emulator.url}/_sites/spring-example/offer`)).text();
  return { ...answer, title: /<title>(\w+)/.exec(served)?.[1] };
}

testSwitch("duplicateSlug", async () => {
  const refused = await publishTwice({});
  expect([refused.status, refused.body.error, refused.title]).toEqual([409, "slug_taken", "First"]);
  const taken = await publishTwice({ duplicateSlug: "newest-wins" });
  expect([taken.status, taken.title]).toEqual([200, "Second"]);
  const suffixed = await publishTwice({ duplicateSlug: "suffix" });
  expect([suffixed.status, suffixed.body.slug, suffixed.title]).toEqual([200, "offer-2", "First"]);
});

testSwitch("ids", async (emulator) => {
  emulator.notShown.ids = "counted-by-kind";
  const ids = [
    await create(emulator, "/pages", { name: "One" }),
    await create(emulator, "/products", { name: "Mug", price: 1 }),
    await create(emulator, "/pages", { name: "Two" }),
  ];
  expect(ids).toEqual(["1", "1", "2"]);
});

testSwitch("duplicateSlugStatus", async () => {
  expect((await publishTwice({ duplicateSlugStatus: 422 })).status).toBe(422);
});

testSwitch("lowercaseSlugs", async (emulator) => {
  const { pageId: page_id, siteId: site_id } = await offerPage(emulator);
  const slug = async (): Promise<unknown> =>
    (await ok(emulator, "POST", "/pages/publish", { page_id, site_id, slug: "Spring" })).slug;
  expect(await slug()).toBe("spring");
  emulator.notShown.lowercaseSlugs = false;
  expect(await slug()).toBe("Spring");
});

testSwitch("productPath", async (emulator) => {
  const id = await create(emulator, "/products", { name: "Mug" });
  emulator.notShown.productPath = "/catalogue/item/{id}";
  expect((await call(emulator, "GET", `/products/${id}`)).body.error).toBe("not_found");
  expect(await ok(emulator, "GET", `/catalogue/item/${id}`)).toMatchObject({ id });
  const { paths } = await ok<{ paths: Record<string, { parameters: Json[] }> }>(emulator, "GET", "/openapi.json");
  expect(Object.keys(paths)).not.toContain("/products/{productId}");
  expect(paths["/catalogue/item/{id}"]).toMatchObject({
    parameters: [{ name: "id", in: "path" }],
    get: { operationId: "getProduct" },
    delete: { operationId: "deleteProduct" },
  });
  expect(await ok(emulator, "DELETE", `/catalogue/item/${id}`)).toEqual({ success: true, id, deleted: true });
});

for (const name of ["searchPagesPath", "searchTemplatesPath", "countsPath"] as const) {
  testSwitch(name, async () => {
    const emulator = await start({ notShown: { [name]: "/else/where" } });
    expect((await call(emulator, "GET", "/else/where")).status).toBe(200);
    expect((await call(emulator, "GET", notShownDefaults[name])).status).toBe(404);
    const { paths } = await ok<{ paths: Json }>(emulator, "GET", "/openapi.json");
    expect([paths["/else/where"] !== undefined, notShownDefaults[name] in paths]).toEqual([true, false]);
  });
}

testSwitch("contentShape", async (emulator) => {
  const { pageId } = await offerPage(emulator);
  const fields = async (): Promise<unknown> => {
    const map = await ok<{ fields: string }>(emulator, "GET", `/search/page-content-map?page_id=${pageId}`);
    return JSON.parse(map.fields);
  };
  expect(await fields()).toContainEqual(expect.objectContaining({ key: "hero.title", value: anyText }));
  emulator.notShown.contentShape = "map-scalars";
  expect(await fields()).toMatchObject({ "hero.title": anyText });
});

testSwitch("revisionWarning", async (emulator) => {
  emulator.notShown.revisionWarning = "The disk is full.";
  const published = await publish(emulator, await offerPage(emulator));
  expect(published).toMatchObject({ success: true, revision_saved: false, revision_warning: "The disk is full." });
});

const visit = async (url: unknown): Promise<string> => {
  const { host, port, pathname } = new URL(String(url));
  const label = host.split(".")[0] ?? "";
  return (await fetch(`http://127.0.0.1:${port}/_sites/${label}${pathname}`)).text();
};

testSwitch("publicLagMs", async (emulator) => {
  const offer = await offerPage(emulator);
  const { url } = await publish(emulator, offer);
  await edit(emulator, offer, { "hero.title": "Brand new" });
  emulator.notShown.publicLagMs = 60_000;
  await publish(emulator, offer);
  expect(await visit(url)).not.toContain("Brand new");
  emulator.notShown.publicLagMs = 0;
  expect(await visit(url)).toContain("Brand new");
});

testSwitch("clientRendered", async (emulator) => {
  emulator.notShown.clientRendered = true;
  const offer = await offerPage(emulator);
  await edit(emulator, offer, { "hero.title": "Brand new" });
  const { url } = await publish(emulator, offer);
  expect(await visit(url)).not.toContain("Brand new");
  emulator.notShown.clientRendered = false;
  expect(await visit(url)).toContain("Brand new");
});

testSwitch("listOrder", async (emulator) => {
  for (const name of ["a", "b", "c"]) await create(emulator, "/pages", { name });
  const names = async (): Promise<unknown[]> =>
    (await ok<Json[]>(emulator, "GET", "/pages?limit=2")).map(({ name }) => name);
  expect(await names()).toEqual(["a", "b"]);
  emulator.notShown.listOrder = "newest-first";
  expect(await names()).toEqual(["c", "b"]);
});

testSwitch("limitAboveMaximum", async (emulator) => {
  for (let n = 0; n < 101; n++) await create(emulator, "/pages", { name: `p${n}` });
  expect((await call(emulator, "GET", "/pages?limit=101")).status).toBe(400);
  emulator.notShown.limitAboveMaximum = "clamp";
  expect(await ok(emulator, "GET", "/pages?limit=101")).toHaveLength(100);
  expect((await call(emulator, "GET", "/pages?limit=many")).status).toBe(400);
});

testSwitch("searchPagesDefaultLimit", async (emulator) => {
  for (let n = 0; n < 60; n++) await create(emulator, "/pages", { name: `p${n}` });
  expect(await ok(emulator, "GET", "/search/pages")).toHaveLength(50);
  emulator.notShown.searchPagesDefaultLimit = 100;
  expect(await ok(emulator, "GET", "/search/pages")).toHaveLength(60);
  expect(await ok(emulator, "GET", "/search/pages?limit=7")).toHaveLength(7);
});

testSwitch("normaliseNames", async (emulator) => {
  expect(await ok(emulator, "POST", "/pages", { name: "  Offer " })).toMatchObject({ name: "Offer" });
  emulator.notShown.normaliseNames = false;
  expect(await ok(emulator, "POST", "/pages", { name: "  Offer " })).toMatchObject({ name: "  Offer " });
});

testSwitch("numbersAsStrings", async (emulator) => {
  emulator.notShown.numbersAsStrings = true;
  const product = await ok(emulator, "POST", "/products", { name: "Mug", price: 12.5 });
  expect(product).toMatchObject({ price: "12.50", compare_price: "0.00", bundle_item_count: 0 });
});

testSwitch("extraFields", async (emulator) => {
  emulator.notShown.extraFields = true;
  const id = await create(emulator, "/pages", { name: "Offer" });
  const [listed] = await ok<Json[]>(emulator, "GET", "/pages");
  expect(listed).toMatchObject({ id, revision: 7, labels: [] });
  expect(await ok(emulator, "GET", `/pages/${id}`)).toMatchObject({ id, locale: "en" });
});

testSwitch("unknownFields", async (emulator) => {
  const { status, body } = await call(emulator, "POST", "/products", { name: "Mug", colour: "red" });
  expect([status, body.message]).toEqual([400, textWith("unknown fields: colour.")]);
  expect((await call(emulator, "POST", "/products", { name: "Mug", sku: "M", type: "simple" })).status).toBe(201);
  const query = await call(emulator, "GET", "/products?colour=red&limit=5");
  expect([query.status, query.body.message]).toEqual([400, textWith("The query has unknown fields: colour.")]);
  emulator.notShown.unknownFields = "ignore";
  expect((await call(emulator, "POST", "/products", { name: "Mug", colour: "red" })).status).toBe(201);
  expect((await call(emulator, "GET", "/products?colour=red")).status).toBe(200);
});

testSwitch("copiesOfName", async () => {
  const emulator = await start({ notShown: { copiesOfName: ["page.title", "slug", "handle"] } });
  for (const path of ["/pages", "/quizzes"]) {
    const page_id = await create(emulator, path, { name: "Spring Offer" });
    await ok(emulator, "PATCH", "/pages/metadata", { page_id, name: "Renamed" });
    const contentMap = await ok(emulator, "GET", `/search/page-content-map?page_id=${page_id}`);
    expect(JSON.stringify(contentMap)).toContain("Spring Offer");
    const page = await ok(emulator, "GET", `/pages/${page_id}`);
    expect(page).toMatchObject({ page_name: "Renamed", slug: "spring-offer" });
    const edited = await edit(emulator, { pageId: page_id }, { "page.title": "Changed" });
    expect(edited).toMatchObject({ applied_count: 1 });
  }
  const product_id = await create(emulator, "/products", { name: "Blue Mug" });
  const product = await ok(emulator, "PATCH", "/products", { product_id, name: "Red Mug" });
  expect(product).toMatchObject({ name: "Red Mug", handle: "blue-mug" });
});

testSwitch("nullDates", async (emulator) => {
  emulator.notShown.nullDates = true;
  const page = await ok(emulator, "POST", "/pages", { name: "a" });
  expect(page).toMatchObject({ created_at: null, updated_at: null, published_at: null });
  expect(await ok(emulator, "GET", "/pages")).toMatchObject([{ created_at: null }]);
  emulator.notShown.nullDates = false;
  expect(await ok(emulator, "GET", "/pages")).toMatchObject([{ created_at: anyText }]);
});

testSwitch("projectMinimumsOnUpdate", async (emulator) => {
  const id = await create(emulator, "/projects", project);
  const update = async (): Promise<number> =>
    (await call(emulator, "PATCH", `/projects/${id}`, { context: "short" })).status;
  expect(await update()).toBe(200);
  emulator.notShown.projectMinimumsOnUpdate = true;
  expect(await update()).toBe(400);
});

testSwitch("projectContextOnRead", async (emulator) => {
  const created = await ok(emulator, "POST", "/projects", project);
  expect(created.context).toBe(project.context);
  const read = `/projects/${String(created.id)}`;
  expect(await ok(emulator, "GET", read)).not.toHaveProperty("context");
  emulator.notShown.projectContextOnRead = true;
  expect(await ok(emulator, "GET", read)).toEqual(created);
});

testSwitch("quizIdDiffers", async (emulator) => {
  const quiz = async (): Promise<Json> => {
    const page = await ok(emulator, "POST", "/quizzes", { name: "Which?" });
    expect(page.quiz_id).toBe(page.id);
    const [listed] = await ok<Json[]>(emulator, "GET", `/quizzes?page_id=${String(page.id)}`);
    expect(await ok(emulator, "GET", `/quizzes/${String(page.id)}`)).toEqual(listed);
    return listed ?? {};
  };
  const own = await quiz();
  expect(own.id).not.toBe(own.page_id);
  emulator.notShown.quizIdDiffers = false;
  const same = await quiz();
  expect(same.id).toBe(same.page_id);
});

testSwitch("quizNameFollowsPage", async (emulator) => {
  const page_id = await create(emulator, "/quizzes", { name: "One" });
  const rename = async (name: string): Promise<Json> => {
    await ok(emulator, "PATCH", "/pages/metadata", { page_id, name });
    return ok(emulator, "GET", `/quizzes/${page_id}`);
  };
  expect(await rename("Two")).toMatchObject({ quiz_name: "Two", page_name: "Two", name: "Two (Two)" });
  emulator.notShown.quizNameFollowsPage = false;
  expect(await rename("Three")).toMatchObject({ quiz_name: "Two", page_name: "Three", name: "Two (Three)" });
});

testSwitch("updatedAtMovesOnContent", async (emulator) => {
  const offer = await offerPage(emulator);
  const page_id = offer.pageId;
  const stamp = async (): Promise<unknown> => (await ok(emulator, "GET", `/pages/${page_id}`)).updated_at;
  const born = await stamp();
  await edit(emulator, offer, { "hero.title": "One" });
  const edited = await stamp();
  expect(edited).not.toBe(born);
  emulator.notShown.updatedAtMovesOnContent = false;
  await edit(emulator, offer, { "hero.title": "Two" });
  await ok(emulator, "PATCH", "/pages/delay", { page_id, time: 3 });
  expect(await stamp()).toBe(edited);
  await ok(emulator, "PATCH", "/pages/metadata", { page_id, name: "Other" });
  expect(await stamp()).not.toBe(edited);
});

testSwitch("funnelPages", async (emulator) => {
  const ids = [await create(emulator, "/pages", { name: "a" }), await create(emulator, "/pages", { name: "b" })];
  const pages = ids.map((pageId) => ({ pageId, pageType: "presell" }));
  const funnel = async (steps: unknown): Promise<Json> => ok(emulator, "POST", "/funnels", { name: "f", pages: steps });
  const stored = await funnel(pages);
  expect([stored.pages, stored.steps, stored.page_ids]).toEqual([pages, pages, undefined]);
  emulator.notShown.funnelPages = "ids";
  const asIds = await funnel(pages);
  expect([asIds.pages, asIds.steps, asIds.page_ids]).toEqual([ids, undefined, ids.join(",")]);
  const mixed = [...pages, { url: "https://pay.example", pageType: "sales" }];
  expect((await funnel(mixed)).pages).toEqual(mixed);
  emulator.notShown.funnelPages = "records";
  const [first, , last] = (await funnel(mixed)).steps as Json[];
  expect(first).toEqual({ id: "1", page_id: ids[0], url: null, page_type: "presell", order: 0 });
  expect(last).toEqual({ id: "3", page_id: null, url: "https://pay.example", page_type: "sales", order: 2 });
});

testSwitch("contentTypes", async (emulator) => {
  const offer = await offerPage(emulator);
  const shown = async () => {
    await edit(emulator, offer, { "hero.title": 12.5 });
    const { fields } = JSON.parse(await mapOf(emulator, offer)) as { fields: string };
    return (JSON.parse(fields) as { key: string; value: unknown }[]).find(({ key }) => key === "hero.title")?.value;
  };
  expect(await shown()).toBe("12.5");
  emulator.notShown.contentTypes = "as-sent";
  expect(await shown()).toBe(12.5);
});

testSwitch("builderTexts", async (emulator) => {
  const offer = await offerPage(emulator);
  await edit(emulator, offer, { "hero.title": "One & two" });
  expect(await treeOf(emulator, offer)).toContain('"One & two"');
  emulator.notShown.builderTexts = "html";
  expect(await treeOf(emulator, offer)).toContain('"<p>One &amp; two</p>"');
});

testSwitch("nodeStamps", async (emulator) => {
  const offer = await offerPage(emulator);
  expect(await treeOf(emulator, offer)).not.toMatch(/"rev"|"renderedAt"/);
  emulator.notShown.nodeStamps = "saves";
  const first = await treeOf(emulator, offer);
  expect(await treeOf(emulator, offer)).toBe(first);
  await edit(emulator, offer, { "hero.title": "Two" });
  const revisions = (tree: string) => new Set(tree.match(/"rev":\d+/g));
  expect(revisions(await treeOf(emulator, offer))).not.toEqual(revisions(first));
  emulator.notShown.nodeStamps = "reads";
  expect(await treeOf(emulator, offer)).not.toBe(await treeOf(emulator, offer));
});

testSwitch("publishingRenamesNodes", async (emulator) => {
  const offer = await offerPage(emulator);
  const first = await treeOf(emulator, offer);
  await publish(emulator, offer);
  expect(await treeOf(emulator, offer)).toBe(first);
  emulator.notShown.publishingRenamesNodes = true;
  await publish(emulator, offer);
  const named = await treeOf(emulator, offer);
  expect(named).not.toBe(first);
  expect(named.replaceAll(/"node_\w+"/g, "")).toBe(first.replaceAll(/"node_\w+"/g, ""));
});

async function treeOf(emulator: Emulator, { pageId }: Offer): Promise<string> {
  return JSON.stringify(await ok(emulator, "GET", `/pages/builder?page_id=${pageId}`));
}

testSwitch("readinessHints", async (emulator) => {
  const { pageId: page_id } = await offerPage(emulator);
  await ok(emulator, "POST", "/pages/replace-variables", { page_id, variables: { brand: "Acme" } });
  const checked = () => ok(emulator, "POST", "/pages/validate-before-publish", { page_id });
  expect(await checked()).toMatchObject({ ready_to_publish: true, issue_count: 0 });
  emulator.notShown.readinessHints = true;
  expect(await checked()).toMatchObject({ ready_to_publish: true, issue_count: 1, issues: textWith("description") });
});

testSwitch("maxFunnelSteps", async (emulator) => {
  emulator.notShown.maxFunnelSteps = 1;
  const step = { url: "https://pay.example", pageType: "sales" };
  expect((await call(emulator, "POST", "/funnels", { name: "f", pages: [step] })).status).toBe(201);
  expect((await call(emulator, "POST", "/funnels", { name: "f", pages: [step, step] })).body.error).toBe(
    "invalid_request",
  );
});

testSwitch("quizAnswersField", async () => {
  const emulator = await start({ seed: "demo", notShown: { quizAnswersField: "quiz_answers" } });
  const [lead] = await ok<Json[]>(emulator, "GET", "/search/leads?type=quiz");
  expect([lead?.answers, typeof lead?.quiz_answers]).toEqual([undefined, "object"]);
});

testSwitch("rateLimitPerSecond", async (emulator) => {
  emulator.notShown.rateLimitPerSecond = 2;
  const answers = await Promise.all(Array.from({ length: 12 }, () => call(emulator, "GET", "/me")));
  const refused = answers.filter(({ status }) => status === 429);
  expect(refused.length).toBeGreaterThan(0);
  expect(refused.length).toBeLessThan(11);
  expect([refused[0]?.body.error, refused[0]?.headers.get("retry-after")]).toEqual(["rate_limited", "1"]);
  expect((await call(emulator, "GET", "/me", undefined, emulator.createKey())).status).toBe(200);
});

testSwitch("deliveryAttempts", async () => {
  const hook = await receiver();
  hook.status = 500;
  const emulator = await start({ allowLoopbackHooks: true, notShown: { deliveryAttempts: 3 } });
  await create(emulator, "/hooks", { target_url: hook.url, event_type: "page.created" });
  await create(emulator, "/pages", { name: "a" });
  await emulator.idle();
  expect(emulator.deliveries.map(({ attempt, status }) => [attempt, status])).toEqual([1, 2, 3].map((n) => [n, 500]));
  expect(new Set(hook.received.map(({ body }) => body.id)).size).toBe(1);
});

testSwitch("deliveryTimeoutMs", async () => {
  const hook = await receiver();
  const emulator = await start({ allowLoopbackHooks: true, notShown: { deliveryTimeoutMs: 50 } });
  hook.silent = true;
  await create(emulator, "/hooks", { target_url: hook.url, event_type: "page.created" });
  await create(emulator, "/pages", { name: "a" });
  await emulator.idle();
  expect(emulator.deliveries).toMatchObject([{ status: undefined, error: textWith("timeout") }]);
});

test("every switch has a test", () => {
  expect([...tested].sort()).toEqual(Object.keys(notShownDefaults).sort());
});
