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

/** Looks twice: with the default position, and then with another one. */
function testBoth<Name extends keyof NotShown>(
  name: Name,
  position: NotShown[Name],
  byDefault: unknown,
  then: unknown,
  look: (emulator: Emulator) => Promise<unknown>,
): void {
  testSwitch(name, async (emulator) => {
    expect(await look(emulator)).toEqual(byDefault);
    emulator.notShown[name] = position;
    expect(await look(emulator)).toEqual(then);
  });
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

type Offer = Awaited<ReturnType<typeof offerPage>>;

const publish = (emulator: Emulator, { pageId, siteId }: Offer, more: Json = {}): Promise<Json> =>
  ok(emulator, "POST", "/pages/publish", { page_id: pageId, site_id: siteId, ...more });

const edit = (emulator: Emulator, { pageId }: Pick<Offer, "pageId">, updates: Json): Promise<Json> =>
  ok(emulator, "PATCH", "/pages/content", { page_id: pageId, updates });

const mapOf = async (emulator: Emulator, { pageId }: Offer): Promise<string> =>
  JSON.stringify(await ok(emulator, "GET", `/search/page-content-map?page_id=${pageId}`));

/** Returns the value of the title in the content map, in whichever shape that is. */
async function titleOf(emulator: Emulator, { pageId }: Offer): Promise<unknown> {
  const map = await ok<{ fields: string }>(emulator, "GET", `/search/page-content-map?page_id=${pageId}`);
  const fields = JSON.parse(map.fields) as { key: string; value: unknown }[] | Json;
  return Array.isArray(fields) ? fields.find(({ key }) => key === "hero.title")?.value : [fields["hero.title"]];
}

const treeOf = async (emulator: Emulator, { pageId }: Offer): Promise<string> =>
  JSON.stringify(await ok(emulator, "GET", `/pages/builder?page_id=${pageId}`));

const visit = async (url: unknown): Promise<string> => {
  const { host, port, pathname } = new URL(String(url));
  const label = host.split(".")[0] ?? "";
  return (await fetch(`http://127.0.0.1:${port}/_sites/${label}${pathname}`)).text();
};

const inOrder = ["site_not_found", "page_not_found"];
testBoth("notFoundCodes", "generic", inOrder, ["not_found", "page_not_found"], async (emulator) => {
  const answers = await Promise.all(["/sites/none", "/pages/none"].map((path) => call(emulator, "GET", path)));
  return answers.map(({ body }) => body.error);
});

testBoth("maxBodyBytes", 20, [201, 201], [201, 413], async (emulator) => {
  const bodies = ['{"name":"123456789"}', '{"name":"1234567890"}'];
  return (await Promise.all(bodies.map((body) => call(emulator, "POST", "/pages", body)))).map(({ status }) => status);
});

testBoth("contentMapShows", "live", [true, true], [false, true], async (emulator) => {
  const offer = await offerPage(emulator);
  await publish(emulator, offer);
  await edit(emulator, offer, { "hero.note": "In the draft" });
  const shows = async (): Promise<boolean> => (await mapOf(emulator, offer)).includes("In the draft");
  const before = await shows();
  await publish(emulator, offer);
  return [before, await shows()];
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
  await expect(publish(emulator, await offerPage(emulator))).rejects.toThrow("/pages/publish: 422");
});

async function publishTwice(notShown: Partial<NotShown>): Promise<unknown[]> {
  const emulator = await start({ notShown });
  const { pageId, siteId } = await offerPage(emulator, "First");
  await publish(emulator, { pageId, siteId }, { slug: "offer" });
  const page_id = await create(emulator, "/pages/from-template", { template_id: "tpl-hero", name: "Second" });
  const place = { page_id, site_id: siteId, slug: "Offer" };
  const { status, body } = await call(emulator, "POST", "/pages/publish", place);
  const served = await (await fetch(`${emulator.url}/_sites/spring-example/offer`)).text();
  return [status, body.error ?? body.slug, /<title>(\w+)/.exec(served)?.[1]];
}

testSwitch("duplicateSlug", async () => {
  expect(await publishTwice({})).toEqual([409, "slug_taken", "First"]);
  expect(await publishTwice({ duplicateSlug: "newest-wins" })).toEqual([200, "offer", "Second"]);
  expect(await publishTwice({ duplicateSlug: "suffix" })).toEqual([200, "offer-2", "First"]);
});

testSwitch("duplicateSlugStatus", async () => {
  expect(await publishTwice({ duplicateSlugStatus: 422 })).toEqual([422, "slug_taken", "First"]);
});

testBoth("ids", "counted-by-kind", [anyText, anyText, anyText], ["1", "1", "2"], async (emulator) => [
  await create(emulator, "/pages", { name: "One" }),
  await create(emulator, "/products", { name: "Mug", price: 1 }),
  await create(emulator, "/pages", { name: "Two" }),
]);

testBoth("lowercaseSlugs", false, "spring", "Spring", async (emulator) => {
  const offer = await offerPage(emulator);
  const { slug } = await publish(emulator, offer, { slug: "Spring" });
  await ok(emulator, "DELETE", `/pages/${offer.pageId}`);
  return slug;
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

for (const name of ["searchPagesPath", "searchTemplatesPath", "countsPath"] as const)
  testBoth(name, "/else/where", [200, 404, true, false], [404, 200, false, true], async (emulator) => {
    const both = [notShownDefaults[name], "/else/where"];
    const { paths } = await ok<{ paths: Json }>(emulator, "GET", "/openapi.json");
    const answers = await Promise.all(both.map((path) => call(emulator, "GET", path)));
    return [...answers.map(({ status }) => status), ...both.map((path) => path in paths)];
  });

testBoth("contentShape", "map-scalars", anyText, [anyText], async (emulator) =>
  titleOf(emulator, await offerPage(emulator)),
);

testBoth("contentTypes", "as-sent", "12.5", 12.5, async (emulator) => {
  const offer = await offerPage(emulator);
  await edit(emulator, offer, { "hero.title": 12.5 });
  return titleOf(emulator, offer);
});

testSwitch("revisionWarning", async (emulator) => {
  emulator.notShown.revisionWarning = "The disk is full.";
  const published = await publish(emulator, await offerPage(emulator));
  expect(published).toMatchObject({ success: true, revision_saved: false, revision_warning: "The disk is full." });
});

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

testBoth("clientRendered", true, true, false, async (emulator) => {
  const offer = await offerPage(emulator);
  await edit(emulator, offer, { "hero.title": "Brand new" });
  return (await visit((await publish(emulator, offer)).url)).includes("Brand new");
});

testBoth("listOrder", "newest-first", ["a", "b"], ["c", "b"], async (emulator) => {
  for (const name of ["a", "b", "c"]) await create(emulator, "/pages", { name });
  return (await ok<Json[]>(emulator, "GET", "/pages?limit=2")).map(({ name }) => name);
});

testBoth("limitAboveMaximum", "clamp", [400, undefined, 400], [200, 100, 400], async (emulator) => {
  for (let n = 0; n < 101; n++) await create(emulator, "/pages", { name: `p${n}` });
  const { status, body } = await call<{ length?: number }>(emulator, "GET", "/pages?limit=101");
  return [status, body.length, (await call(emulator, "GET", "/pages?limit=many")).status];
});

testBoth("searchPagesDefaultLimit", 100, [50, 7], [100, 7], async (emulator) => {
  for (let n = 0; n < 60; n++) await create(emulator, "/pages", { name: `p${n}` });
  const found = (query: string) => ok<Json[]>(emulator, "GET", `/search/pages${query}`);
  return [(await found("")).length, (await found("?limit=7")).length];
});

testBoth("normaliseNames", false, "Offer", "  Offer ", async (emulator) => {
  return (await ok(emulator, "POST", "/pages", { name: "  Offer " })).name;
});

testBoth("numbersAsStrings", true, [12.5, 0, 0], ["12.50", "0.00", 0], async (emulator) => {
  const mug = await ok(emulator, "POST", "/products", { name: "Mug", price: 12.5 });
  return [mug.price, mug.compare_price, mug.bundle_item_count];
});

testBoth("extraFields", true, [undefined, undefined, undefined], [7, [], "en"], async (emulator) => {
  const id = await create(emulator, "/pages", { name: "Offer" });
  const [listed] = await ok<Json[]>(emulator, "GET", "/pages");
  return [listed?.revision, listed?.labels, (await ok(emulator, "GET", `/pages/${id}`)).locale];
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

testBoth("nullDates", true, [anyText, anyText, anyText], [null, null, null], async (emulator) => {
  const made = await ok(emulator, "POST", "/pages", { name: "a" });
  const [listed] = await ok<Json[]>(emulator, "GET", "/pages");
  return [made.created_at, made.updated_at, listed?.created_at];
});

testBoth("projectMinimumsOnUpdate", true, 200, 400, async (emulator) => {
  const id = await create(emulator, "/projects", project);
  return (await call(emulator, "PATCH", `/projects/${id}`, { context: "short" })).status;
});

const { context } = project;
testBoth("projectContextOnRead", true, [context, undefined], [context, context], async (emulator) => {
  const created = await ok(emulator, "POST", "/projects", project);
  return [created.context, (await ok(emulator, "GET", `/projects/${String(created.id)}`)).context];
});

testBoth("quizIdDiffers", false, [true, false, true], [true, true, true], async (emulator) => {
  const page = await ok(emulator, "POST", "/quizzes", { name: "Which?" });
  const [listed] = await ok<Json[]>(emulator, "GET", `/quizzes?page_id=${String(page.id)}`);
  const read = await ok(emulator, "GET", `/quizzes/${String(page.id)}`);
  return [page.quiz_id === page.id, read.id === page.id, JSON.stringify(read) === JSON.stringify(listed)];
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

testBoth("updatedAtMovesOnContent", false, [true, true, true], [false, false, true], async (emulator) => {
  const offer = await offerPage(emulator);
  const page_id = offer.pageId;
  const moves = async (call: Promise<Json>): Promise<boolean> => {
    const [before] = await ok<Json[]>(emulator, "GET", `/search/pages?page_id=${page_id}`);
    await call;
    return (await ok(emulator, "GET", `/pages/${page_id}`)).updated_at !== before?.updated_at;
  };
  return [
    await moves(edit(emulator, offer, { "hero.title": "One" })),
    await moves(ok(emulator, "PATCH", "/pages/delay", { page_id, time: 3 })),
    await moves(ok(emulator, "PATCH", "/pages/metadata", { page_id, name: "Other" })),
  ];
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

testBoth("contentTexts", "escaped", [true, false], [false, true], async (emulator) => {
  const offer = await offerPage(emulator);
  await edit(emulator, offer, { "hero.note": "a & b" });
  const map = await mapOf(emulator, offer);
  return ["a & b", "a &amp; b"].map((text) => map.includes(text));
});

testBoth("builderTexts", "html", ['"One & two"'], ['"<p>One &amp; two</p>"'], async (emulator) => {
  const offer = await offerPage(emulator);
  await edit(emulator, offer, { "hero.title": "One & two" });
  return /"[^"]*One &[^"]*"/.exec(await treeOf(emulator, offer))?.slice();
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

testBoth("publishingRenamesNodes", true, [true, true], [false, true], async (emulator) => {
  const offer = await offerPage(emulator);
  const first = await treeOf(emulator, offer);
  await publish(emulator, offer);
  const named = await treeOf(emulator, offer);
  return [named === first, named.replaceAll(/"node_\w+"/g, "") === first.replaceAll(/"node_\w+"/g, "")];
});

const issues = textWith("description");
testBoth("readinessHints", true, [true, 0, anyText], [true, 1, issues], async (emulator) => {
  const { pageId: page_id } = await offerPage(emulator);
  await ok(emulator, "POST", "/pages/replace-variables", { page_id, variables: { brand: "Acme" } });
  const checked = await ok(emulator, "POST", "/pages/validate-before-publish", { page_id });
  return [checked.ready_to_publish, checked.issue_count, checked.issues];
});

testBoth("maxFunnelSteps", 1, [anyText, undefined], [anyText, "invalid_request"], async (emulator) => {
  const step = { url: "https://pay.example", pageType: "sales" };
  const two = await call(emulator, "POST", "/funnels", { name: "f", pages: [step, step] });
  return [await create(emulator, "/funnels", { name: "f", pages: [step] }), two.body.error];
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

/** Makes a page whose event goes to a receiver of this kind, and returns what became of its deliveries. */
async function deliveries(notShown: Partial<NotShown>, kind: { status?: number; silent?: boolean }) {
  const hook = Object.assign(await receiver(), kind);
  const emulator = await start({ allowLoopbackHooks: true, notShown });
  await create(emulator, "/hooks", { target_url: hook.url, event_type: "page.created" });
  await create(emulator, "/pages", { name: "a" });
  await emulator.idle();
  return { hook, made: emulator.deliveries };
}

testSwitch("deliveryAttempts", async () => {
  const { hook, made } = await deliveries({ deliveryAttempts: 3 }, { status: 500 });
  expect(made.map(({ attempt, status }) => [attempt, status])).toEqual([1, 2, 3].map((n) => [n, 500]));
  expect(new Set(hook.received.map(({ body }) => body.id)).size).toBe(1);
});

testSwitch("deliveryTimeoutMs", async () => {
  const { made } = await deliveries({ deliveryTimeoutMs: 50 }, { silent: true });
  expect(made).toMatchObject([{ status: undefined, error: textWith("timeout") }]);
});

test("every switch has a test", () => expect([...tested].sort()).toEqual(Object.keys(notShownDefaults).sort()));
