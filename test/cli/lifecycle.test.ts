// @module-tag thorough
/** One funnel from its first preview to its end, for a user and for a CI job. */
import { expect, test } from "vitest";
import { neutral } from "./harness.ts";
import { NearDesk } from "./near-desk.ts";
import { forAllTests } from "../suite/opened.ts";

const desk = forAllTests(() => NearDesk.open("quickstart"));

test("a first preview tells everything and sends nothing", async () => {
  const stdout = await desk.plan("--markdown", "plan.md", "--junit", "plan.xml");
  expect(desk.emulator.requests.filter(({ method }) => method !== "GET")).toEqual([]);
  expect(stdout).toContain("the stack quickstart/dev is new");
  expect(stdout).toContain('content["hero.title"]     "A mug worth getting up for"');
  expect(stdout).toMatch(/sites:read,\s+not verified: funnels:write,\s+pages:write/);
  expect(neutral(stdout)).toContain("5 to create · embedded engine V · T s");
  expect(stdout).not.toMatch(/__\w/);
  expect(desk.read("plan.md")).toMatch(/^<!-- landform:preview:quickstart\/dev -->\n### 5 to create\n/);
  expect(desk.read("plan.xml")).toContain('tests="5" failures="0"');
});

test("without anybody to ask, nothing is sent", async () => {
  expect(await desk.says(4, "up")).toContain("Add --yes");
  expect(desk.emulator.requests.filter(({ method }) => method !== "GET")).toEqual([]);
});

test("up applies, tells the addresses, and leaves nothing to do", async () => {
  const said = await desk.up("--json", "up.json");
  const report = desk.report("up.json");
  const nothing = { adopt: 0, update: 0, replace: 0, delete: 0, left: 0, same: 0, failed: 0, unreached: 0 };
  expect(report).toMatchObject({
    ...{ version: 1, command: "up", result: "succeeded", engine: { name: "embedded" }, failures: [] },
    counts: { ...nothing, create: 5 },
  });
  expect(report.changes.map(({ status }) => status)).toEqual(Array(5).fill("done"));
  expect(report.urls).toContain(report.outputs["offerUrl"]);
  expect(said).toContain("+ created Page offer");
  expect(await desk.sendsNothing(0, "preview", "--detailed-exitcode")).toContain("no changes, 5 unchanged");
});

test("a changed key is one line of the plan, with the page and the funnel that it touches", async () => {
  desk.edit("index.ts", "A mug worth getting up for", "A mug to keep");
  const stdout = await desk.says(2, "preview", "--detailed-exitcode", "--save", "plan.json");
  expect(neutral(stdout)).toMatchInlineSnapshot(`
    "Preview of quickstart/dev

      ~ Page offer  page_ID  http://mugs-example.localhost:PORT/offer
          content["hero.title"]  "A mug worth getting up for" → "A mug to keep"

    Public pages
      ~ http://mugs-example.localhost:PORT/offer (offer)

    Funnels
      spring: offer changes

    The API key needs these scopes: account:read, pages:read, not verified: pages:write

    1 to update, 4 unchanged · embedded engine V · T s
    The plan is saved: npx landform up --plan plan.json applies it.
    "
  `);
});

test("a saved plan is refused once the program says something else", async () => {
  desk.edit("index.ts", "A mug to keep", "Another mug");
  expect(await desk.says(3, "up", "--plan", "plan.json")).toContain("Preview again");
  expect(desk.writes()).toEqual([]);
  desk.edit("index.ts", "Another mug", "A mug to keep");
});

test("a saved plan is applied as reviewed, once", async () => {
  await desk.clean("up", "--plan", "plan.json");
  expect(desk.writes().map((call) => call.split(" ").at(-1))).toEqual(["/pages/content", "/pages/publish"]);
  expect(await desk.says(3, "up", "--plan", "plan.json")).toContain(
    "nothing is left to do: all that was reviewed has been applied",
  );
});

test("drift is told by content key, and up --refresh repairs it", async () => {
  await desk.edits("Offer", { "hero.title": "SALE" });
  desk.writes();
  const drift = await desk.says(2, "drift", "--json", "drift.json", "--detailed-exitcode");
  const field = { path: 'content["hero.title"]', lastRun: "A mug to keep", live: "SALE", code: "A mug to keep" };
  expect(desk.report("drift.json").drift).toMatchObject([
    { type: "Page", name: "offer", kind: "changed", fields: [field] },
  ]);
  expect(drift).toMatch(/draft +"SALE"|in the app +"SALE"/);
  expect(desk.writes()).toEqual([]);
  await desk.up("--refresh");
  expect(await desk.says(0, "drift", "--full", "--detailed-exitcode")).toContain("no drift");
});

test("refresh removes deleted objects from the state", async () => {
  await desk.app("DELETE", `/pages/${desk.page("Thank you")}`);
  expect(await desk.says(0, "refresh")).toMatch(
    /! Page thanks .*\n +was deleted in the app; removed from the state\n[^]*Done: 1 removed from the state/,
  );
  expect(await desk.up()).toContain("+ created Page thanks");
});

test("destroy says what stays, and a second one has nothing to do", async () => {
  const stdout = await desk.says(0, "destroy", "--yes");
  expect(neutral(stdout)).toContain("Done: 2 deleted, 3 left in the account · embedded engine V");
  expect(stdout).toMatch(/! Site mugs .*\n +stays in the account[^]*! left Site mugs in the account/);
  expect(stdout).toMatch(/! retired Funnel spring[^]*! left Project spring in the account/);
  expect(stdout.match(/warning: Site "mugs.example"/g)).toHaveLength(1);
  expect(await desk.says(0, "destroy")).toContain("no changes");
});

test("destroy leaves no stack behind that holds nothing but itself", async () => {
  const empty = await NearDesk.own();
  empty.program("export const answer = 42;");
  const state = (): Promise<string> => empty.says(0, "state", "export");
  await empty.up();
  expect(await state()).toContain("pulumi:pulumi:Stack::");
  expect(await empty.says(0, "destroy")).toContain("no changes");
  expect(await state()).not.toContain("::");
});
