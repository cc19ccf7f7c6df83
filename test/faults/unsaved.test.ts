// @module-tag thorough
/**
 * A run that saves the state only at its end, killed at each boundary of each changing call. The next run has the earlier state and the ledger beside
 * it (docs/decisions/exactly-once.md). There are several resources, so the state also lacks those that were finished long before the kill.
 */
import { expect, test, vi } from "vitest";
import { asked, whole } from "../suite/parts.ts";
import { killedAt } from "./cell.ts";
import { contents } from "./oracle.ts";
import { referenceOf, type Call } from "./desk.ts";
import { LONG, scenarios, type Ground, type Scenario } from "./scenarios.ts";
import type { Declared } from "./stack.ts";
import { programOf } from "../release/program.ts";
import { inTheApp } from "../suite/app.ts";

vi.mock("node:timers/promises", async () => ({ setTimeout: (await import("./clock.ts")).sleep }));

/** A project with a product, a site, and two published pages that change their paths. */
function several({ projectId }: Ground, title: string, [first, second]: readonly [string, string]): Declared[] {
  const page = (name: string, slug: string): Declared => ({
    kind: "page",
    name,
    inputs: { projectId, templateId: "tpl-hero", content: { "hero.title": title }, ...TEXT },
    from: (made) => ({ publish: { siteId: made("site autumn.example")["id"] ?? "", slug } }),
  });
  return [
    { kind: "project", name: "Autumn", inputs: { description: `${LONG}${title}`, context: LONG } },
    { kind: "site", name: "autumn.example", inputs: { projectId } },
    page("First", first),
    page("Second", second),
    {
      kind: "product",
      name: "Cup",
      inputs: { price: title.length },
      from: (made) => ({ projectId: made("project Autumn")["id"] ?? "" }),
    },
  ];
}

const TEXT = { variables: { brand: "Acme", product_count: "1" } };

const together: Scenario = {
  name: "several resources",
  programs: (ground) => [several(ground, "One", ["a", "b"]), several(ground, "Other", ["c", "a"])],
};

/** Two pages that a release publishes together. */
const released: Scenario = {
  name: "a release",
  programs: ({ siteId }) =>
    [
      { offer: "One", thanks: "Thank you" },
      { offer: "Two", thanks: "Thanks" },
    ].map((text) => programOf(siteId, text)),
};

const scenarioOf = (wanted: string): Scenario => scenarios.find(({ name }) => name === wanted) ?? together;
const [funnels, hooks] = [scenarioOf("funnel"), scenarioOf("hook")];

const seen = new Set<string>();

/** The quick part kills each call once, and the rest does so with the ledger in tags. */
function isChosen({ method, route }: Call, inTags: boolean): boolean {
  const key = `${method} ${route} ${inTags}`;
  const first = !seen.has(key);
  seen.add(key);
  return (inTags ? asked === "soak" : whole) || first;
}

const ALL = [together, released, ...scenarios];
const FIRST = [together, released, funnels, hooks];

test.each([
  ...(whole ? ALL : FIRST).map((scenario) => ({ ...scenario, place: "a file", inTags: false })),
  ...(asked === "soak" ? ALL : FIRST).map((scenario) => ({ ...scenario, place: "tags", inTags: true })),
])("$name, the ledger in $place", { timeout: 600_000 }, async ({ inTags, ...scenario }) => {
  const reference = await referenceOf(scenario);
  const calls = reference.calls.filter((call) => isChosen(call, inTags));
  expect(await killedAt(reference, calls, { savedAtEnd: true, inTags })).toEqual([]);
  await reference.desk.close();
});

test("a site that lists show late is found all the same: no call deletes a second one", async () => {
  const reference = await referenceOf(together);
  const calls = reference.calls.filter(({ method, route }) => method === "POST" && route === "/sites");
  expect(calls).toHaveLength(1);
  expect(await killedAt(reference, calls, { savedAtEnd: true, lagMs: 60_000 })).toEqual([]);
  await reference.desk.close();
}, 600_000);

/** Destroys all, and puts back the state from before, as a run does that is killed at its end. */
async function destroyedUnsaved(destroyed: Scenario, savedAtEnd: boolean) {
  const { desk, phases, scenario } = await referenceOf(destroyed);
  const phase = phases.length - 1;
  const start = phases[phase]?.start;
  if (start === undefined) throw new TypeError("nothing is destroyed");
  desk.putBack(start);
  desk.stack.savedAtEnd = savedAtEnd;
  const unsaved = desk.stack.copy();
  await desk.run(scenario, phase);
  desk.stack = unsaved;
  return { desk, phase, scenario };
}

test.each([
  ["planned again", true],
  ["looked at first", true],
  ["planned again, each step saved", false],
  ["looked at first, each step saved", false],
] as const)("a retired funnel that another stack has taken since the kill stays: %s", async (how, savedAtEnd) => {
  const { desk, phase, scenario } = await destroyedUnsaved(funnels, savedAtEnd);
  const pages = [{ pageId: desk.ground.pageId, pageType: "sales" }];
  await inTheApp(desk, "PATCH", "/funnels", { funnel_id: desk.stack.ids[0], name: "Path", pages });
  const theirs = contents(desk.emulator.records());
  if (how.startsWith("looked")) expect((await desk.stack.refresh(desk.service)).steps).toEqual(["gone funnel Path"]);
  expect((await desk.run(scenario, phase)).error).toBeUndefined();
  expect(contents(desk.emulator.records())).toEqual(theirs);
  expect([desk.stack.ids, (await desk.run(scenario, phase)).steps]).toEqual([[], []]);
  await desk.close();
});

test("a hook that a killed run may have deleted is made anew where the code has it again", async () => {
  const { desk, phase: last, scenario } = await destroyedUnsaved(hooks, true);
  expect((await desk.run(scenario, last - 1)).steps).toContain("replace hook leads");
  const records = (desk.emulator.records()["hooks"] ?? []) as unknown as { active: boolean; targetUrl: string }[];
  const targets = records.flatMap(({ active, targetUrl }) => (active ? [targetUrl] : []));
  expect(targets).toEqual(["https://8.8.8.8/leads", "https://8.8.4.4/leads"]);
  expect((await desk.run(scenario, last - 1)).steps).toEqual([]);
  await desk.close();
});
