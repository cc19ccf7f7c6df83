/** The checks that need the account, against the emulator: they read and never write. */
import { beforeAll, expect, test } from "vitest";
import { startEmulator } from "../../emulator/index.ts";
import { validateOnline, type OnlineOptions } from "../../manifest/check/online.ts";
import { LandformApi } from "../../provider/api/index.ts";
import { sound } from "./checked.ts";
import { forAllTests } from "../suite/opened.ts";
import { nodePaths } from "../../provider/account/builder-tree.ts";

const emulator = forAllTests(() => startEmulator({ seed: "demo" }));
const api = forAllTests(() => new LandformApi({ baseUrl: emulator.baseUrl, apiKey: emulator.apiKey }));
let page: string;
let site: string;
beforeAll(async () => {
  const [offer] = await api.pages.search({ query: "Offer" });
  page = offer?.id ?? "";
  site = offer?.site_id ?? "";
});

async function told(text: string, options: OnlineOptions = {}): Promise<string[]> {
  const before = emulator.requests.length;
  const found = await validateOnline(sound(text), api, options);
  expect(emulator.requests.slice(before).filter(({ method }) => method !== "GET")).toEqual([]);
  return found.map(({ code, line, column, message }) => `${code} ${line}:${column} ${message}`);
}

test("what is there passes", async () => {
  const [video] = await api.videos.list();
  const text = `pages:
  offer: { template: tpl-hero, adoptId: ${page}, content: { hero.title: x } }
  copy: { duplicateOf: { id: ${page} }, content: { hero.title: x }, publish: { site: { id: ${site} } } }
  third: { duplicateOf: copy, content: { hero.title: x }, project: { lookup: { name: Demo } } }
quizzes:
  fit: { template: tpl-quiz-product }
funnels:
  f: { steps: [{ page: { id: ${page} }, pageType: sales }, { quiz: { lookup: { name: Quiz } }, pageType: quiz }] }
videoPlayers:
  v: { video: ${video?.id ?? ""} }
`;
  expect(await told(text)).toEqual([]);
});

test("what is not there is told at its place, all at once", async () => {
  const found = await told(`pages:
  a: { template: tpl-heros, project: { id: prj_none } }
  b: { adoptId: pg_none, publish: { site: { id: st_none } } }
  c: { site: { lookup: { name: demo.exampel } }, template: tpl-hero }
funnels:
  f: { steps: [{ page: { id: pg_gone }, pageType: sales }] }
videoPlayers:
  v: { video: vid_none }
`);
  expect(found.map((line) => line.split(" ").slice(0, 3).join(" "))).toEqual([
    "not-in-account 3:18 pages.a.template:",
    "not-in-account 3:44 pages.a.project.id:",
    "not-in-account 4:17 pages.b.adoptId:",
    "not-in-account 4:49 pages.b.publish.site.id:",
    "lookup 5:14 pages.c.site:",
    "not-in-account 7:30 funnels.f.steps[0].page.id:",
    "not-in-account 9:15 videoPlayers.v.video:",
  ]);
  expect(found[0]).toContain('did you mean "tpl-hero"?');
  expect(found[4]).toContain('did you mean "demo.example"?');
});

const text = "pages: { mine: { template: tpl-hero, content: { hero.titel: x, hero.text: y } } }\n";

test("content keys are held against the page that has them", async () => {
  expect(await told(text)).toEqual([UNKNOWN]);
  const [found, ...more] = await told(text, { made: new Map([["pages.mine", { id: page, templateId: "tpl-hero" }]]) });
  expect(more).toEqual([]);
  expect(found).toContain("not-in-account 2:61 pages.mine.content");
  expect(found).toContain('the page has no content key "hero.titel", did you mean "hero.title"?');
});

const UNKNOWN = "unverified 2:47 pages.mine.content: the keys of tpl-hero are unknown until its first page exists";

test("keys of a template come from its pages and from what is kept of it, and are held against the next template", async () => {
  const other = new Map([["pages.other", { id: page, templateId: "tpl-hero" }]]);
  const wrong: unknown = expect.stringMatching(
    /^not-in-account 2:.*tpl-hero has no content key "hero.titel".*"hero.title"/,
  );
  expect(await told(text, { made: other })).toEqual([wrong]);

  const kept = { name: "Hero", keys: ["hero.title", "hero.text"], variables: {}, readAt: "2026-11-01" };
  const alone: unknown = expect.stringMatching(/^unverified .*keys of tpl-hero are those of landform\.keys\.json/);
  expect(await told(text, { templates: new Map([["tpl-hero", kept]]) })).toEqual([alone, wrong]);
  const more = { ...kept, keys: [...kept.keys, "hero.titel"] };
  expect(await told(text, { templates: new Map([["tpl-hero", more]]) })).toEqual([alone]);

  // A page that was made since, or a draft that is made for the look, shows a file that is behind.
  const behind: unknown = expect.stringMatching(
    /^unverified .*landform\.keys\.json is older than tpl-hero.* lacks .*top\.brand.* it still has hero\.titel.* --probe writes it anew/,
  );
  const since = new Map([["pages.other", { id: page, templateId: "tpl-hero", createdAt: "2026-11-02T10:00:00Z" }]]);
  const probe = () => Promise.resolve(["top.brand", "hero.title", "hero.text"]);
  for (const newer of [{ made: since }, { probe }])
    expect(await told(text, { ...newer, templates: new Map([["tpl-hero", more]]) })).toEqual([behind, wrong]);

  // The deployed page has these keys, and the code is about to replace it.
  const before = new Map([["pages.mine", { id: page, templateId: "tpl-quiz-product" }]]);
  expect(await told(text, { made: before })).toEqual([UNKNOWN]);
  expect(await told(text, { made: before, templates: new Map([["tpl-hero", kept]]) })).toEqual([alone, wrong]);

  const gone = new Map([["pages.mine", { id: "pg_gone", templateId: "tpl-hero" }]]);
  expect(await told(text, { made: gone })).toEqual([UNKNOWN]);
});

test("what can't be asked is told once, and is never a green answer", async () => {
  const pages = ["a", "b"].map((key) => `  ${key}: { template: tpl-hero, content: { x: y } }\n`).join("");
  const text = `accounts: { second: { baseUrl: "https://b.example/v1", apiKeyEnv: B_KEY } }\npages:\n${pages}`;
  const more = "  c: { content: { x: y } }\n  d: { account: second, template: tpl-hero }\n";
  expect((await told(text + more)).map((line) => line.replace(/^unverified \d+:\d+ /, ""))).toEqual([
    "accounts.second: Landform asked nothing of this account, although 1 resource belongs to it",
    "pages.a.content: the keys of tpl-hero are unknown until its first page exists (2 resources use it)",
    "pages.c.content: the keys of a blank page are unknown until it exists",
  ]);
});

test("builder nodes are held against the tree of the page", async () => {
  const { builder } = await api.builder.read(page, { include_tree: true });
  const [first = "", second = ""] = nodePaths(builder.tree).keys();
  const typo = `${second.slice(0, -1)}${second.endsWith("x") ? "y" : "x"}`;
  const nodes = `{ ${first}: { misc: { a: 1 } }, ${typo}: { style: { b: 2 } }, nothing-like-any: { misc: {} } }`;
  const text = `pages: { mine: { adoptId: ${page}, nodes: ${nodes}, delay: { time: 5, videoNodeId: ${typo} } } }\n`;
  const found = await told(text);
  expect(found.map((line) => line.replace(/^not-in-account \d+:\d+ pages\.mine\./, ""))).toEqual([
    `nodes.${typo}: the page has no builder node "${typo}", did you mean "${second}"?`,
    expect.stringMatching(/^nodes.nothing-like-any: the page has no builder node "nothing-like-any"/),
    `delay.videoNodeId: the page has no builder node "${typo}", did you mean "${second}"?`,
  ]);
  expect(await told("pages: { fresh: { template: tpl-hero, nodes: { any: { misc: {} } } } }\n")).toEqual([
    expect.stringMatching(/^unverified .*nodes.any: the nodes are unknown until the page exists$/),
  ]);
});
