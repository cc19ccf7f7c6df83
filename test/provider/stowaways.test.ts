/**
 * No stowaways: other people's edits in a draft go live only by the user's word. Edits of every sort, at every moment, with both readings of the
 * content map, compared with the public page.
 */
import { setTimeout as delay } from "node:timers/promises";
import { beforeEach, describe, expect, test } from "vitest";
import type { PropertyMap } from "../../engine/index.ts";
import { byHand, calls, factsFile, madeForAll, nextRun, ResourceTest, applied, titled, worldOfAll } from "./harness.ts";
import { refreshPlansNothing, unique } from "./table.ts";
import { thorough } from "../suite/parts.ts";
import { editInApp, publishInApp, textsInApp } from "../suite/app.ts";

const world = worldOfAll();
const site = madeForAll(world, "site", "stowaways.example");

interface Sort {
  readonly edit: (page: ResourceTest, text: string) => Promise<unknown>;
  /** Undoes the edit. It is prepared before the edit. */
  readonly undoing: (page: ResourceTest) => Promise<() => Promise<unknown>>;
  readonly named: (text: string) => RegExp;
}

const content = (page: ResourceTest, updates: PropertyMap): Promise<unknown> => editInApp(world, page.id, updates);

const ofKey = (key: string): Sort => ({
  edit: (page, text) => content(page, { [key]: text }),
  undoing: async (page) => {
    const texts = await textsInApp(world, page.id);
    return () => content(page, { [key]: texts[key] ?? "" });
  },
  named: (text) => new RegExp(`${key} "${text}"|node \\S+ \\(\\S+\\) "${text}"`),
});

const restyle = ({ id }: ResourceTest, node_id: string, style: PropertyMap): Promise<unknown> =>
  byHand(world, "PATCH", "/pages/builder/node", { page_id: id, node_id, updates: { style } });

const ofStyle = (key: string): Sort => ({
  edit: async (page, text) => restyle(page, await nodeOf(page, key), { content: text }),
  undoing: async (page) => {
    const where = { page_id: page.id, node_id: await nodeOf(page, key) };
    const path = `/pages/builder/node?${new URLSearchParams(where).toString()}`;
    const { node } = await byHand<{ node: unknown }>(world, "GET", path);
    return () => byHand(world, "PATCH", "/pages/builder/node/replace", { ...where, node });
  },
  named: () => /node \S+ \(sections\[\d+\]/,
});

const sorts: Record<string, Sort> = {
  "a key that nobody declares": ofKey("hero.note"),
  "a declared key that this run does not touch": ofKey("hero.text"),
  "a node": ofStyle("hero.note"),
  "the style of a node whose text is declared": ofStyle("hero.text"),
};

async function nodeOf(page: ResourceTest, name: string): Promise<string> {
  const summary = JSON.stringify(await byHand(world, "GET", `/pages/builder?page_id=${page.id}&include_tree=true`));
  const found = new RegExp(`"id":"([^"]+)","type":"[^"]+","misc":\\{"name":"${name}"`).exec(summary)?.[1];
  if (found === undefined) throw new Error(`no node ${name} in ${summary}`);
  return found;
}

const publish = ({ id }: ResourceTest, slug: string): Promise<unknown> =>
  publishInApp(world, id, { siteId: site.id, slug });

const told = (): string => world.printed.join("\n");

const declared = (slug: string, title: string, more: PropertyMap = {}): PropertyMap =>
  titled(title, { publish: { siteId: site.id, slug }, ...more });

const saying = (slug: string, title: string, text: string): PropertyMap =>
  declared(slug, title, { content: { "hero.title": title, "hero.text": text } });

async function published(word: string, more: PropertyMap = {}): Promise<{ page: ResourceTest; slug: string }> {
  const slug = unique(word);
  const page = await applied(world, "page", slug, declared(slug, "First title", more));
  calls(world);
  return { page, slug };
}

const publications = (): number => world.emulator.requests.filter(({ path }) => path === "/pages/publish").length;

/** Applies, and finds these texts where visitors are. */
async function goesOut(page: ResourceTest, inputs: PropertyMap, ...texts: (string | RegExp)[]): Promise<void> {
  expect(await page.apply(inputs)).toBe("updated");
  for (const text of texts) expect(await page.visited()).toMatch(text);
}

/** Runs once, and publishes nothing, and so none of these texts. */
async function isHeld(page: ResourceTest, inputs: PropertyMap, ...texts: string[]): Promise<void> {
  expect(await page.up(inputs)).toBe("updated");
  expect(publications()).toBe(0);
  for (const text of texts) expect(await page.visited()).not.toContain(text);
}

describe.each(["draft", "live"] as const)("the content map shows %s", (shows) => {
  beforeEach(() => {
    world.emulator.notShown.contentMapShows = shows;
  });

  describe.each(Object.entries(sorts))("%s", (_, { edit, undoing, named }) => {
    test("is held back: ours stays a draft, and the next run goes on when it is gone", async () => {
      const { page, slug } = await published("held");
      await edit(page, "Half a thought");
      await isHeld(page, declared(slug, "Second title"), "Half a thought");
      expect(await page.visited()).toContain("First title");
      expect(told()).toMatch(/page \S+ \(".*"\) is held back/);
      expect(told()).toMatch(named("Half a thought"));
      expect(page.outputs).toMatchObject({ hasUnpublishedChanges: true });

      // The edit is still there: the page is still held, and nothing is written.
      calls(world);
      expect(await page.up(declared(slug, "Second title"))).toBe("updated");
      expect(calls(world).filter((call) => !call.startsWith("GET"))).toEqual([]);
      expect(await page.visited()).not.toContain("Half a thought");

      // A person publishes it in the builder: no edit waits any more, and the declared value is live.
      await publish(page, slug);
      await goesOut(page, declared(slug, "Second title"), "Second title");
    });

    test("goes along by the user's word, and is told", async () => {
      const word: PropertyMap = { onForeignEdits: "include" };
      const { page, slug } = await published("included", word);
      await edit(page, "A whole thought");
      await goesOut(page, declared(slug, "Second title", word), "A whole thought", "Second title");
      expect(told()).toMatch(/somebody's unpublished edits go live/);
      expect(told()).toMatch(named("A whole thought"));
      world.printed.length = 0;
      await page.apply(declared(slug, "Third title", word));
      expect(told()).not.toContain("A whole thought");
    });

    test("undone by its author: the next run publishes ours", async () => {
      const { page, slug } = await published("undone");
      const undo = await undoing(page);
      await edit(page, "A bad thought");
      await isHeld(page, declared(slug, "Second title"));
      await undo();
      await goesOut(page, declared(slug, "Second title"), "Second title");
      expect(await page.visited()).not.toContain("A bad thought");
      await refreshPlansNothing(page, declared(slug, "Second title"));
    });

    thorough("between the look and the publication: told afterwards", async () => {
      const { page, slug } = await published("late");
      world.emulator.faults.add({ path: "/pages/validate-before-publish", phase: "slow", delayMs: 500 });
      const run = page.up(declared(slug, "Second title"));
      await expect.poll(() => world.emulator.requests.some(({ path }) => path.includes("validate"))).toBe(true);
      await edit(page, "Just in time");
      expect(await run).toBe("updated");
      expect(await page.visited()).toContain("Just in time");
      expect(told()).toMatch(/was edited while it was being published/);
      expect(told()).toMatch(named("Just in time"));
    });

    test("after the look at its texts: the next refresh finds it, whatever the record's date is", async () => {
      const { page, slug } = await published("raced");
      world.emulator.faults.add({ path: "/search/page-content-map", phase: "slow", delayMs: 500 });
      // The map tells how the service spells such a text.
      const run = page.up(declared(slug, "Second  title"));
      await expect.poll(() => publications() === 1 && world.emulator.requests.at(-1)?.path).toMatch(/content-map/);
      await editInApp(world, page.id, { "hero.title": "Another title" });
      expect(await run).toBe("updated");
      expect(told()).toMatch(/was edited while it was being published/);
      world.emulator.notShown.contentMapShows = "draft";
      await nextRun(world, async (client) => {
        await page.handTo(client).refresh();
        expect(page.state?.inputs?.["content"]).toMatchObject({ "hero.title": "Another title" });
      });
    });
  });

  test("a copy for visitors is not made of a draft with edits of others, but by the user's word", async () => {
    const { page, slug } = await published("source");
    await content(page, { "hero.note": "Half a thought" });
    const copy = { duplicateOf: page.id, publish: { siteId: site.id, slug: `${slug}-copy` } };
    calls(world);
    await nextRun(world, async (client) => {
      await page.handTo(client).diff(declared(slug, "First title"));
      const made = new ResourceTest(world, "page", `${slug}-copy`).handTo(client);
      await expect(made.up(copy)).rejects.toThrow(/Half a thought.*--foreign-edits include/s);
      expect(calls(world).filter((call) => !call.startsWith("GET"))).toEqual([]);
      await made.up({ ...copy, onForeignEdits: "include" });
      expect(await made.visited()).toContain("Half a thought");
    });
  });

  test("in a node that this run patches: held back by its name, and only what the run sets is the run's", async () => {
    const { page, slug } = await published("patched");
    const node_id = await nodeOf(page, "hero.note");
    const colored = (color: string) => declared(slug, "First title", { nodes: { [node_id]: { style: { color } } } });
    await page.apply(colored("#112233"));
    // The run holds a value that it would write over, with all three values, and writes it by the user's word.
    await restyle(page, node_id, { color: "#999999" });
    await page.up(colored("#223344"));
    expect(await page.visited()).not.toContain("color:#223344");
    expect(told()).toMatch(/style\/color "#999999" in the app \("#112233" at the last run, "#223344" in the code/);
    await goesOut(page, { ...colored("#223344"), onForeignEdits: "include" }, "color:#223344");
    await restyle(page, node_id, { opacity: "0.1" });
    expect(await page.up(colored("#445566"))).toBe("updated");
    expect(await page.visited()).not.toContain("opacity:0.1");
    expect(told()).toContain(`node ${node_id}`);
    // Later changes don't publish it either.
    calls(world);
    const nodes = { [node_id]: { style: { color: "#556677" } } };
    await isHeld(page, declared(slug, "Second title", { nodes }));
    await publish(page, slug);
    await goesOut(page, colored("#667788"), /color:#667788;opacity:0\.1/);
  });

  test("in the style of the node whose text this run changes: held back by its name, whatever ours becomes", async () => {
    const { page, slug } = await published("restyled");
    const node_id = await nodeOf(page, "hero.title");
    await restyle(page, node_id, { opacity: "0.1" });
    for (const title of ["Second title", "Third title"]) await isHeld(page, declared(slug, title));
    expect(await page.visited()).toContain("First title");
    expect(told()).toContain(`node ${node_id}`);
    await publish(page, slug);
    await goesOut(page, declared(slug, "Fourth title"), /opacity:0\.1[^<]*>Fourth title/);
  });

  test("a text that this run puts into a node by its id is nobody else's", async () => {
    const { page, slug } = await published("worded");
    const node_id = await nodeOf(page, "hero.note");
    const nodes = { [node_id]: { misc: { text: "A note by its node" } } };
    await goesOut(page, declared(slug, "First title", { nodes }), "A note by its node");
    expect(told()).toBe("");
  });

  test("held back again and again, whatever ours becomes meanwhile", async () => {
    const { page, slug } = await published("patient");
    await content(page, { "hero.note": "Half a thought" });
    for (const title of ["Second title", "Third title", "Fourth title", "Fifth title"])
      await isHeld(page, declared(slug, title));
    expect(await page.visited()).toContain("First title");
    expect(await page.visited()).not.toContain("Half a thought");
    // The code goes back to the public value, and the draft with it.
    expect(await page.up(declared(slug, "First title"))).toBe("updated");
    const draft = JSON.stringify(await byHand(world, "GET", `/pages/builder?page_id=${page.id}&include_tree=true`));
    expect(draft).toContain("First title");
    expect(draft).not.toContain("Fifth title");
    // The run compares the dates of one page with those of other pages.
    await publish(page, slug);
  });

  thorough("reads that lag behind our own writes: our words are never taken for somebody else's", async () => {
    world.emulator.notShown.contentLagMs = 250;
    const { page, slug } = await published("lagging");
    const note = await nodeOf(page, "hero.note");
    const nodes = { [note]: { style: { color: "#112233" } } };
    for (const [title, wait, more] of [
      ["Second title", 0, {}],
      ["Third title", 300, {}],
      ["Fourth title", 0, { nodes }],
      ["Fifth title", 300, { nodes }],
      ["Sixth title", 100, { nodes, variables: { brand: "Other" } }],
      ["Seventh title", 300, { nodes, variables: { brand: "Other" } }],
    ] as const) {
      await delay(wait);
      expect(await page.up(declared(slug, title, more))).toBe("updated");
      expect(await page.visited()).toContain(title);
    }
    await delay(300);
    expect(world.printed.filter((line) => /held back|go live|was edited/.test(line))).toEqual([]);
    // Somebody else's edit is still held.
    await content(page, { "hero.note": "Half a thought" });
    await delay(300);
    expect(await page.up(declared(slug, "Eighth title"))).toBe("updated");
    expect(await page.visited()).not.toContain("Half a thought");
  });
});

test("the look is one read of a page that is about to be published, once more afterwards, and none otherwise", async () => {
  const { page, slug } = await published("counted");
  await page.apply(declared(slug, "Second title"));
  calls(world);
  await page.apply(declared(slug, "Third title"));
  const made = calls(world);
  expect(made.filter((call) => call.startsWith("GET")).sort()).toEqual([
    "GET /pages/builder",
    "GET /pages/builder",
    // The page's place before the publication, and its record afterwards.
    `GET /pages/${page.id}`,
    `GET /pages/${page.id}`,
  ]);
  await page.refresh();
  expect(calls(world)).toEqual([`GET /pages/${page.id}`]);
});

test("an older state, or a page taken over: dates decide", async () => {
  const { page, slug } = await published("dates");
  await content(page, { "hero.note": "Half a thought" });
  const taken = new ResourceTest(world, "page", slug);
  taken.state = undefined;
  await taken.up({ ...declared(slug, "Second title"), adoptId: page.id, name: slug });
  expect(publications()).toBe(0);
  expect(told()).toMatch(/held back .* edits from \S+ or before/);
  expect(await page.visited()).not.toContain("Half a thought");

  // Our text was written in the meantime. It is held all the same, until somebody publishes it.
  for (const title of ["Second title", "Third title"]) await isHeld(taken, declared(slug, title));
  await publish(page, slug);
  expect(await taken.apply(declared(slug, "Fourth title"))).toBe("updated");
  expect(await page.visited()).toContain("Fourth title");
});

test("a key that may not read the builder: fields are looked at, and what can't be asked is said", async () => {
  const { page, slug } = await published("unread");
  world.emulator.faults.add({ path: "/pages/builder", phase: "status", status: 403, times: 100 });
  expect(await page.up(declared(slug, "Second title"))).toBe("updated");
  expect(await page.visited()).toContain("Second title");
  expect(told()).toContain("because the key may not read the builder");
  await content(page, { "hero.note": "Half a thought" });
  await page.up(declared(slug, "Third title"));
  expect(await page.visited()).not.toContain("Half a thought");
  await publish(page, slug);
  // With a key that may read it, nothing looks new that was only unread.
  world.emulator.faults.clear();
  await goesOut(page, declared(slug, "Fourth title"), "Fourth title");
});

test("a hand edit that a refresh has found is repaired, unless the code changes the text as well", async () => {
  const { page, slug } = await published("overwritten");
  for (const hand of ["By somebody's hand", "By another hand"]) {
    await content(page, { "hero.title": hand });
    await page.refresh();
    await goesOut(page, declared(slug, "First title"), "First title");
  }
  expect(told()).not.toContain("held back");
  await content(page, { "hero.title": "By a third hand" });
  await page.refresh();
  await page.up(declared(slug, "Second title"));
  expect(await page.visited()).toContain("First title");
  expect(told()).toContain("By a third hand");
});

test("an edit that the code took over is the code's, and goes public by itself; what nobody took over does not", async () => {
  const { page, slug } = await published("kept");
  const kept = (title: string) => saying(slug, title, "By another hand");
  await content(page, { "hero.text": "By another hand" });
  await page.refresh();
  await goesOut(page, kept("First title"), /First title[^]*By another hand/);
  await refreshPlansNothing(page, kept("First title"));
  await goesOut(page, kept("Second title"), /Second title[^]*By another hand/);
  expect(told()).not.toContain("held back");
  await refreshPlansNothing(page, kept("Second title"));

  await content(page, { "hero.text": "And once more", "hero.note": "Half a thought" });
  await page.up(kept("Third title"));
  expect(told()).toMatch(/held back/);
  expect(await page.visited()).not.toMatch(/once more|Half a thought/);
});

describe("an edit that the code took over", () => {
  test("waits with somebody's other edits, by their names, and goes out once those are published", async () => {
    const { page, slug } = await published("in-company");
    const inputs = saying(slug, "First title", "By another hand");
    await content(page, { "hero.text": "By another hand", "hero.note": "Half a thought" });
    await page.refresh();
    expect(await page.up(inputs)).toBe("updated");
    expect(told()).toMatch(/held back[^]*Half a thought/);
    expect(told()).not.toContain('hero.text "By another hand"');
    expect(await page.visited()).not.toMatch(/another hand|Half a thought/);
    await publish(page, slug);
    await page.up(inputs);
    await refreshPlansNothing(page, inputs);
    expect(await page.visited()).toMatch(/By another hand/);
  });

  test("of a builder node, too", async () => {
    const { page, slug } = await published("of-a-node");
    const nodeId = await nodeOf(page, "hero.note");
    const styled = (color: string) => ({ ...declared(slug, "First title"), nodes: { [nodeId]: { style: { color } } } });
    await page.apply(styled("red"));
    await restyle(page, nodeId, { color: "blue" });
    await page.refresh();
    calls(world);
    expect(await page.apply(styled("blue"))).toBe("updated");
    expect(publications()).toBe(1);
    await refreshPlansNothing(page, styled("blue"));
    // The code and a person change it both: nothing of it goes out.
    await restyle(page, nodeId, { color: "black" });
    await page.refresh();
    calls(world);
    for (const color of ["green", "green", "gold"]) {
      await page.up(styled(color));
      await page.refresh();
    }
    expect(publications()).toBe(0);
    expect(await page.visited()).toContain("color:blue");
    await goesOut(page, { ...styled("gold"), onForeignEdits: "include" }, "color:gold");
  });
});

test.each([
  [{ LANDFORM_FOREIGN_EDITS: "include" }, {}, true],
  [{ LANDFORM_FOREIGN_EDITS: "include" }, { onForeignEdits: "hold" }, false],
  [{ option: "include" }, { onForeignEdits: "hold" }, true],
  [{ option: "hold" }, { onForeignEdits: "include" }, false],
] as const)("whose word counts: %j, page %j, included: %s", async (said, input, included) => {
  const { page, slug } = await published("word");
  await content(page, { "hero.note": "Half a thought" });
  const env = "option" in said ? factsFile({ foreignEdits: said }) : said;
  expect(await page.upNext(declared(slug, "Second title", input), env)).toBe("updated");
  expect((await page.visited()).includes("Half a thought")).toBe(included);
});

test("a run that was killed after its writes: the next one publishes them as its own", async () => {
  const { page, slug } = await published("killed");
  const before = page.state;
  world.emulator.faults.add({ path: "/pages/publish", phase: "status", status: 403 });
  await expect(page.up(declared(slug, "Second title"))).rejects.toThrow();
  page.state = before;
  expect(await page.apply(declared(slug, "Second title"))).toBe("updated");
  expect(told()).not.toContain("held back");
  expect(await page.visited()).toContain("Second title");
});
