/**
 * The calls of an account of fifty pages, by operation. One more call fails the test, and so does a call without a reason. Command line, engine and
 * provider run in this process, against the emulator.
 */
import { expect, test } from "vitest";
import { manifestOf } from "../../bench/account.ts";
import { REASONS, type StepTitle } from "../../bench/reasons.ts";
import { WalkDesk } from "../walk/desk.ts";
import { inTest } from "../suite/opened.ts";

const PAGES = 50;
const FUNNELS = 5;
const FUNNEL = "GET /funnels/{funnelId}";
const PAGE = "GET /pages/{pageId}";
const MAP = "GET /search/page-content-map";
/** One look tells the texts of each template. */
const TEMPLATES = 1;
const EDIT = { headline: "The title that it has from now on" };
type Counts = Readonly<Record<string, number>>;

const PLAN_OF_ONE: Counts = { "GET /me": 1, "GET /pages/{pageId}": 1, "GET /pages/builder": 1 };

/** The calls of the plan, and the questions before the run makes an object that can't be deleted. They don't grow with the pages. */
const BEFORE_UP: Counts = {
  "GET /funnels": 1,
  "GET /products": 1,
  "GET /projects": 1,
  "GET /templates": 2,
  "DELETE /pages/{pageId}": 1,
  "DELETE /projects/{projectId}": 1,
};

const AROUND_PAGES: Counts = {
  ...BEFORE_UP,
  "GET /me": 1,
  "GET /openapi.json": 1,
  "GET /search/projects": 1,
  "GET /search/pages": 1,
  "GET /search/products": 1,
  "GET /search/funnels": 2,
  "GET /search/sites": 2,
  "GET /sites": 3,
  "POST /projects": 1,
  "PATCH /projects/{projectId}": 1,
  "POST /sites": 1,
  "POST /products": 10,
  "PATCH /products": 11,
  "POST /funnels": 5,
  "PATCH /funnels": 6,
};

/** Seven calls a page: five that write or check, and two looks that no answer can replace. */
const A_PAGE = [
  "POST /pages/from-template",
  "PATCH /pages/content",
  "GET /search/page-content-map",
  "PATCH /pages/metadata",
  "POST /pages/validate-before-publish",
  "POST /pages/publish",
  "GET /pages/builder",
];
/** The run replaces placeholders that no declared text holds, and keeps the texts around them. */
const WITH_VARIABLES = ["GET /search/page-content-map", "POST /pages/replace-variables"];

function eachPage(calls: readonly string[]): Counts {
  const counts: Record<string, number> = {};
  for (const call of calls) counts[call] = (counts[call] ?? 0) + PAGES;
  return counts;
}

/** One call per 100 objects of each kind, and one more. */
const REFRESH: Counts = {
  "GET /projects/{projectId}": 1,
  "GET /sites/{siteId}": 1,
  "GET /pages": 1,
  "GET /products": 1,
  "GET /funnels": 1,
  "GET /me": 1,
};

const UP_OF_ONE: Counts = {
  ...PLAN_OF_ONE,
  "GET /pages/{pageId}": 3,
  "GET /pages/builder": 3,
  "PATCH /pages/content": 1,
  "POST /pages/validate-before-publish": 1,
  "POST /pages/publish": 1,
};

const DESTROY: Counts = {
  "GET /me": 1,
  "GET /openapi.json": 1,
  // One of them tells which pages somebody has edited.
  "GET /pages": 4,
  "GET /funnels": 4,
  "GET /products": 4,
  "GET /sites": 2,
  "GET /search/page-content-map": PAGES,
  "DELETE /pages/{pageId}": PAGES,
  "DELETE /products/{productId}": 10,
  "PATCH /funnels": 5,
  "GET /projects/{projectId}": 2,
  "DELETE /projects/{projectId}": 1,
};

const FORMS = [
  ["without variables", false],
  ["with variables", true],
] as const;

test.each(FORMS)("fifty pages %s", { tags: ["thorough"] }, async (_, variables) => {
  const desk = await inTest(WalkDesk.open());
  const counted = async (title: StepTitle, ...args: string[]): Promise<Record<string, number>> => {
    desk.emulator.requests.length = 0;
    const { code, printed } = await desk.run(...args, "-s", "dev");
    expect(code, printed.slice(-2_000)).toBe(0);
    const counts: Record<string, number> = {};
    for (const { method, route } of desk.emulator.requests) {
      const call = `${method} ${route}`;
      counts[call] = (counts[call] ?? 0) + 1;
    }
    expect(Object.keys(counts).filter((call) => REASONS[title][call] === undefined)).toEqual([]);
    return counts;
  };
  desk.declare(manifestOf({ pages: PAGES, variables }));
  const {
    "GET /pages": lists = 0,
    "GET /pages/{pageId}": reads = 0,
    ...up
  } = await counted("up from empty", "up", "--yes");
  const pages = eachPage(variables ? [...A_PAGE, ...WITH_VARIABLES] : A_PAGE);
  expect(up).toEqual({ ...AROUND_PAGES, ...pages, [MAP]: (pages[MAP] ?? 0) + (variables ? 0 : TEMPLATES) });
  // It is chance how many pages end together: one look serves all of them.
  expect(lists + reads).toBeLessThan(PAGES / 2);

  // A list serves the questions of one moment. A question before that moment is a read by id.
  const { [FUNNEL]: lonely = 0, [PAGE]: lonelyPages = 0, ...refresh } = await counted("refresh", "refresh");
  expect(refresh).toEqual(REFRESH);
  expect(lonely + lonelyPages).toBeLessThan(FUNNELS);
  expect(await counted("up without changes", "up", "--yes")).toEqual({});
  expect(await counted("preview without changes", "preview")).toEqual({});

  desk.declare(manifestOf({ pages: PAGES, variables }, EDIT));
  expect(await counted("preview of one content key", "preview")).toEqual(PLAN_OF_ONE);
  expect(await counted("up of one content key", "up", "--yes")).toEqual(UP_OF_ONE);
  const {
    [FUNNEL]: looks = 0,
    [PAGE]: alone = 0,
    ...destroy
  } = await counted("destroy", "destroy", "--yes", "--force");
  expect(destroy).toEqual(DESTROY);
  expect(looks).toBeGreaterThanOrEqual(FUNNELS);
  // The plan looks at each of them, too.
  expect(looks).toBeLessThan(3 * FUNNELS);
  expect(alone).toBeLessThan(FUNNELS);
});
