// @module-tag thorough
/** The undo of a run that was killed once it had made a page anew: what refers to the old page follows, and nothing is lost with it. */
import { afterEach, beforeEach, expect, test } from "vitest";
import type { Asked } from "../faults/between.ts";
import { Killed, type Row } from "../faults/whole/killed.ts";
import type { EngineOfRun } from "../faults/whole/machine.ts";
import { realEngine } from "../suite/parts.ts";

const HERO = "template: tpl-hero, variables: { brand: A }";
const THANKS = "template: tpl-thankyou, variables: { brand: A, support_email: a@b.example }";
const manifest = (origin: string, slug: string): string => `landform: 1
name: killed
sites: { main: { name: killed.example } }
pages:
  offer: { ${origin}, publish: { site: main, slug: ${slug} } }
  copy: { duplicateOf: offer, content: { hero.title: Copied } }
  copy of copy: { duplicateOf: copy }
funnels: { spring: { steps: [{ page: offer, pageType: sales }, { page: copy of copy, pageType: sales }] } }
`;
const BEFORE = manifest(HERO, "offer");

let killed: Killed;
async function begin(on?: Omit<EngineOfRun, "form">): Promise<void> {
  killed = await Killed.open(BEFORE, on);
  await killed.up();
}
beforeEach(() => begin());
afterEach(() => killed.close());

const run = (...args: string[]): Promise<string> => killed.run(...args);
const rows = (kind: string): Row[] => killed.rows(kind);
const idOf = (name: string): string => String(rows("pages").find(({ pageName }) => pageName === name)?.["id"]);

async function killedUp(slug: string, isIt: (asked: Asked) => boolean, number = 0): Promise<void> {
  killed.declare(manifest(THANKS, slug));
  await killed.kill(["up"], isIt, { boundary: "before it is sent", number });
}

const isCopying = ({ path }: Asked): boolean => path === "/pages/duplicate";
const isMoving = ({ method, path }: Asked): boolean => method === "PATCH" && path === "/funnels";
const isDeleting = ({ method, path }: Asked): boolean => method === "DELETE" && path.startsWith("/pages/page_");

async function content(id: string): Promise<Row> {
  const answer = await killed.app("GET", `/search/page-content-map?page_id=${id}`);
  const fields = JSON.parse(String(answer["fields"])) as { key: string; value: unknown }[];
  return Object.fromEntries(fields.map(({ key, value }): [string, unknown] => [key, value]));
}

async function expectSettled(text = BEFORE, place = "offer"): Promise<void> {
  killed.declare(text);
  expect(rows("pages").map(({ pageName, status, slug }) => [pageName, status, slug])).toEqual(
    expect.arrayContaining([
      ["offer", "published", place],
      ["copy", "draft", null],
      ["copy of copy", "draft", null],
    ]),
  );
  expect(rows("pages")).toHaveLength(3);
  const [funnel] = rows("funnels").filter(({ name }) => name === "spring");
  expect(funnel?.["steps"]).toMatchObject([{ pageId: idOf("offer") }, { pageId: idOf("copy of copy") }]);
  await run("preview", "--detailed-exitcode");
  await run("drift", "--full", "--detailed-exitcode");
}

test.each([
  ["before its copy was made anew", "deal", isCopying, 0],
  ["at the same address", "offer", isCopying, 0],
  ["before the copy of its copy was made anew", "deal", isCopying, 1],
  ["before the funnel had followed", "deal", isMoving, 0],
] as const)("funnel and copies follow: killed %s (%s)", { timeout: 120_000 }, async (_, slug, isIt, number) => {
  await killedUp(slug, isIt, number);
  expect((await killed.machine.run(["undo", "--preview", "--detailed-exitcode"])).code).toBe(2);
  const said = await run("undo", "--yes", "--force");
  expect(said).not.toContain("doesn't come back");
  await expectSettled();
  await run("undo", "--yes", "--force");
  await expectSettled(manifest(THANKS, slug), slug);
});

test.skipIf(realEngine === undefined)("they do on Pulumi's engine", { timeout: 240_000 }, async () => {
  await killed.close();
  await begin({ kind: "pulumi", path: realEngine });
  await killedUp("deal", isCopying);
  expect(await run("undo", "--yes", "--force")).toContain("Pulumi");
  await expectSettled();
});

test("the source already says what follows", { timeout: 120_000 }, async () => {
  await killedUp("deal", isCopying);
  expect(await run("undo", "--yes", "--force")).not.toMatch(/landform.yaml:.*(steps|duplicateOf)/);
});

test("killed before the old pages are deleted", { timeout: 120_000 }, async () => {
  await killedUp("deal", isDeleting);
  expect(await run("undo", "--yes", "--force")).not.toContain("doesn't come back");
  await expectSettled();
});

test.each([
  ["before the copy is made anew", isCopying],
  ["before the funnel has followed", isMoving],
] as const)("such an undo is killed %s, and carried on with", { timeout: 120_000 }, async (_, isIt) => {
  await killedUp("deal", isCopying);
  await killed.kill(["undo"], isIt, { boundary: "before it is sent" });
  await run("undo", "--yes", "--force");
  await expectSettled();
});

test("what nobody declared on the old page and its copy comes back", { timeout: 120_000 }, async () => {
  const texts = { "hero.note": "By hand" };
  for (const name of ["offer", "copy"])
    await killed.app("PATCH", "/pages/content", { page_id: idOf(name), updates: texts });
  const { siteId, slug } = rows("pages").find(({ pageName }) => pageName === "offer") ?? {};
  await killed.app("POST", "/pages/publish", { page_id: idOf("offer"), site_id: siteId, slug });
  await killedUp("deal", isCopying);
  await run("undo", "--yes", "--force");
  for (const name of ["offer", "copy"]) expect(await content(idOf(name))).toMatchObject(texts);
  await expectSettled();
});
