/**
 * Nothing is written over unseen, and nothing goes public without a plan: values that a person and the code have both changed, and pages that a run
 * left half made.
 */
import { beforeEach, describe, expect, test } from "vitest";
import type { PropertyMap } from "../../engine/index.ts";
import type { Kind } from "../../provider/kinds/registry.ts";
import { applied, byHand, HERO, LONG, madeForAll, makeByHand, nextRun } from "./harness.ts";
import { ResourceTest, runWith, worldOfAll } from "./harness.ts";
import { refreshPlansNothing, unique } from "./table.ts";
import { draftInApp, editInApp, publishInApp } from "../suite/app.ts";

const world = worldOfAll();
const site = madeForAll(world, "site", "written-over.example");
const told = (): string => world.printed.join("\n");

const WORDS = "WORDS of a person";
const edit = (id: string, key: string): Promise<unknown> => editInApp(world, id, { [key]: WORDS });

const declared = (title: string, more: PropertyMap = {}): PropertyMap => ({
  ...HERO,
  content: { "hero.title": title },
  ...more,
});

describe.each(["draft", "live"] as const)("the content map shows %s", (shows) => {
  beforeEach(() => {
    world.emulator.notShown.contentMapShows = shows;
  });

  test.each(["draft", "published", "published by the person"] as const)(
    "a value that a person and the code have changed, of a page that is %s: held, with all three, and written by word",
    async (state) => {
      const slug = unique("both");
      const place = { siteId: site.id, slug };
      const publish: PropertyMap = state === "draft" ? {} : { publish: place };
      const page = await applied(world, "page", slug, declared("one", publish));
      await edit(page.id, "hero.title");
      if (state === "published by the person") await publishInApp(world, page.id, place);
      for (let time = 0; time < 2; time++) {
        expect(await page.up(declared("two", publish))).toBe("updated");
        expect(told()).toMatch(
          /held back[^]*hero\.title "WORDS of a person" in the app \("one" at the last run, "two" in the code/,
        );
        expect(await draftInApp(world, page.id)).toMatchObject({ "hero.title": WORDS });
        expect(page.live.includes(WORDS)).toBe(state === "published by the person");
      }
      await page.apply(declared("two", { ...publish, onForeignEdits: "include" }));
      expect(await draftInApp(world, page.id)).toMatchObject({ "hero.title": "two" });
      expect(told()).toMatch(/the run writes over these values of page[^]*WORDS of a person/);
    },
  );
});

describe("a kind without a draft", () => {
  interface Case {
    readonly kind: Kind;
    readonly what: string;
    readonly base?: PropertyMap;
    readonly one: PropertyMap;
    readonly two: PropertyMap;
    /** The person's edit, with the id as ID. */
    readonly edit: readonly [path: string, body: PropertyMap];
    readonly says: RegExp;
    /** Nobody has edited this input, and the code changes it, too. */
    readonly beside?: readonly [PropertyMap, PropertyMap];
  }

  const url = (text: string): PropertyMap => ({ url: `https://example.com/${text}`, pageType: "sales" });
  const cases: Case[] = [
    {
      ...{ kind: "product", what: "a text, beside another one", one: { ctaText: "one" }, two: { ctaText: "two" } },
      edit: ["/products", { product_id: "ID", cta_text: WORDS }],
      beside: [{ sku: "A" }, { sku: "B" }],
      says: /ctaText: "one" at the last run, "WORDS of a person" in the app, "two" in the code/,
    },
    {
      ...{ kind: "product", what: "a number", one: { price: 12.5 }, two: { price: 13 } },
      edit: ["/products", { product_id: "ID", price: 14 }],
      says: /price: 12\.5 at the last run, 14 in the app, 13 in the code/,
    },
    {
      ...{ kind: "product", what: "a text that the person took out", one: { sku: "one" }, two: { sku: "two" } },
      edit: ["/products", { product_id: "ID", sku: "" }],
      says: /sku: "one" at the last run, nothing in the app, "two" in the code/,
    },
    {
      ...{ kind: "product", what: "a text that the code takes out", one: { sku: "one" }, two: {} },
      edit: ["/products", { product_id: "ID", sku: WORDS }],
      says: /sku: "one" at the last run, "WORDS of a person" in the app, nothing in the code/,
    },
    {
      ...{ kind: "product", what: "a text that the code adds", one: {}, two: { sku: "two" } },
      edit: ["/products", { product_id: "ID", sku: WORDS }],
      beside: [{ image: "A" }, { image: "B" }],
      says: /sku: nothing at the last run, "WORDS of a person" in the app, "two" in the code/,
    },
    {
      ...{ kind: "product", what: "items that only a count shows", base: { type: "bundle" } },
      one: { bundleItems: [{ name: "a" }, { name: "b" }] },
      two: { bundleItems: [{ name: "a" }] },
      edit: ["/products", { product_id: "ID", bundle_items_json: [{ name: "a" }, { name: "b" }, { name: "c" }] }],
      says: /bundleItems: \{"bundleItemCount":2\} at the last run, \{"bundleItemCount":3\} in the app/,
    },
    {
      ...{ kind: "project", what: "a text", base: { context: LONG } },
      ...{ one: { description: `${LONG}one` }, two: { description: `${LONG}two` } },
      edit: ["/projects/ID", { description: `${WORDS} ${LONG}` }],
      says: /description: "A brief[^]* at the last run, "WORDS of a person [^]* in the app, "A brief[^]* in the code/,
    },
    {
      ...{ kind: "funnel", what: "a list", one: { steps: [url("one")] }, two: { steps: [url("one"), url("two")] } },
      edit: ["/funnels", { funnel_id: "ID", pages: [url("person")] }],
      says: /: steps\[0\]\.url: "[^"]*example\.com.one" at the last run, "[^"]*person" in the app, "[^"]*example\.com.one" in the code\. /,
    },
    {
      ...{ kind: "videoPlayer", what: "a text", one: { title: "one" }, two: { title: "two" } },
      edit: ["/videos", { video_id: "ID", title: WORDS }],
      says: /title: "one" at the last run, "WORDS of a person" in the app, "two" in the code/,
    },
  ];

  const recordOf = async (kind: Kind, id: string): Promise<object> => {
    const { updated_at: _, ...record } = await byHand<PropertyMap>(world, "GET", `/${PATHS[kind] ?? ""}/${id}`);
    return record;
  };
  const PATHS: Partial<Record<Kind, string>> = {
    ...{ product: "products", project: "projects", funnel: "funnels", videoPlayer: "videos" },
  };

  test.each(cases)("$kind: $what: held as often as it is applied, and written over by word", async (row) => {
    const { kind, base = {}, one, two, says, beside: [a, b] = [{}, {}] } = row;
    const videos = await byHand<{ id: string }[]>(world, "GET", "/videos");
    const all = { ...base, ...(kind === "videoPlayer" && { videoId: videos[0]?.id ?? "" }) };
    const resource = await applied(world, kind, unique("both"), { ...all, ...one, ...a });
    const withId = JSON.parse(JSON.stringify(row.edit).replaceAll("ID", resource.id)) as [string, object];
    await byHand(world, "PATCH", ...withId);
    const person = await recordOf(kind, resource.id);
    const wanted = { ...all, ...two, ...b };
    for (let time = 0; time < 2; time++) {
      expect(await resource.up(wanted)).toBe("updated");
      expect(told()).toMatch(says);
      expect(await recordOf(kind, resource.id)).toEqual({ ...person, ...b });
    }
    // The code takes the old value back: the person's is drift like any other.
    expect(await resource.up({ ...all, ...one, ...b })).toBe("same");
    expect(await resource.up(wanted)).toBe("updated");
    expect(
      await runWith(world, { LANDFORM_FOREIGN_EDITS: "include" }, (client) => resource.handTo(client).apply(wanted)),
    ).toMatch(/As asked, the run writes over these values of/);
    expect(await recordOf(kind, resource.id)).not.toMatchObject(person);
    resource.handTo(world.host.client);
    await refreshPlansNothing(resource, wanted);
  });
});

type Builder = Readonly<{ builder: { readonly tree: { readonly sections: readonly { readonly id: string }[] } } }>;

describe("a page that was made, and not published", () => {
  const content = { "hero.title": "Ours" };
  const edited = (id: string): Promise<unknown> => edit(id, "hero.note");
  const origins = {
    template: { made: () => Promise.resolve({ ...HERO, content }), edited },
    duplicate: {
      made: async () => {
        const id = await makeByHand(world, "/pages/from-template", { template_id: "tpl-hero", name: unique("source") });
        await byHand(world, "POST", "/pages/replace-variables", { page_id: id, variables: { brand: "Acme" } });
        return { duplicateOf: id, content };
      },
      edited,
    },
    blank: {
      made: () => {
        world.emulator.notShown.copiesOfName = ["page.title"];
        return Promise.resolve({ content: { "page.title": "Ours" } });
      },
      edited: async (id: string) => {
        const { sections } = (await byHand<Builder>(world, "GET", `/pages/builder?page_id=${id}`)).builder.tree;
        const node = { page_id: id, node_id: sections[0]?.id, updates: { misc: { text: WORDS } } };
        return byHand(world, "PATCH", "/pages/builder/node", node);
      },
    },
  };
  const boundaries = {
    creation: { method: "PATCH", path: "/pages/content" },
    content: { method: "PATCH", path: "/pages/metadata" },
    rename: { method: "POST", path: "/pages/validate-before-publish" },
    check: { method: "POST", path: "/pages/publish" },
  };

  test.each(
    Object.entries(origins).flatMap(([origin, { made, edited }]) =>
      Object.entries(boundaries).flatMap(([boundary, call]) =>
        [true, false].map((isKnown) => ({ origin, made, edited, boundary, call, isKnown })),
      ),
    ),
  )("from a $origin, ended after its $boundary, in a state: $isKnown", async (row) => {
    const slug = unique("half");
    const page = new ResourceTest(world, "page", slug);
    const inputs = { ...(await row.made()), publish: { siteId: site.id, slug } };
    world.emulator.faults.add({ ...row.call, phase: "status", status: 403 });
    await expect(page.upNext(inputs)).rejects.toThrow();
    world.emulator.faults.clear();
    const { id } = page;
    await row.edited(id);
    if (!row.isKnown) page.state = undefined;
    // A page that nobody can finish is removed with its content.
    const isRemoved = !row.isKnown && "variables" in inputs && ["creation", "content"].includes(row.boundary);
    const said = await nextRun(world, (client) => page.handTo(client).up(inputs));
    expect(page.live).not.toContain(WORDS);
    if (isRemoved) return;
    expect(said).toMatch(/held back and stays a draft[^]*WORDS of a person/);
    expect(page.id).toBe(id);
    const included = await nextRun(world, (client) =>
      page.handTo(client).apply({ ...inputs, onForeignEdits: "include" }),
    );
    expect(included).toMatch(/edits go live[^]*WORDS of a person/);
    expect(page.live).toContain(WORDS);
  });

  test("nobody has edited it: the next run publishes it without a word", async () => {
    for (const call of Object.values(boundaries)) {
      const slug = unique("half-ours");
      const page = new ResourceTest(world, "page", slug);
      const publish = { siteId: site.id, slug };
      world.emulator.faults.add({ ...call, phase: "status", status: 403 });
      await expect(page.upNext(declared("Ours", { publish }))).rejects.toThrow();
      world.emulator.faults.clear();
      page.state = undefined;
      const said = await nextRun(world, (client) => page.handTo(client).apply(declared("Ours now", { publish })));
      expect(said).not.toContain("held back");
      expect(page.live).toContain("Ours now");
    }
  });
});
