/** Checks x intents on one stack that has a trigger for each check: each check is really asked, and finds it, wherever the table says so. */
import { INTENTS, type IntentKind, verbOf } from "../../stack/intents.ts";
import { afterAll, afterEach, beforeAll, expect, test, vi } from "vitest";
import type { Found } from "../../stack/checks/check.ts";
import { CHECKS, checksFor } from "../../stack/checks/table.ts";
import { makePlan } from "../../stack/plan/make.ts";
import { type Intent, type Plan } from "../../stack/review/plan.ts";
import { StackSession } from "../../stack/run/session.ts";
import { NearDesk } from "./near-desk.ts";

const long = (text: string): string => text.padEnd(220, ".");
const code = ({ brand = "Acme", more = "", adopted = "", site = "", mug = "" } = {}): string => `landform: 1
name: planted
sites: { main: { name: planted.example }${site} }
lint: { too-long: { level: warning, limits: { hero.text: 10 } } }
pages:
  offer: { each: { file: rows.csv }, template: tpl-hero, publish: { site: main, slug: de }, variables: { brand: Acme } }
  home: { template: tpl-hero, variables: { brand: ${brand} }, content: { hero.title: "{{brand}} mugs", hero.text: 'read <a href="/de">the offer</a>' }, publish: { site: main, slug: home } }
${more}projects:
  shop: { name: Shop, description: ${long("Sell")}, context: ${long("Shop")} }
${adopted}products:
  mug: { name: Mug, price: 3${mug} }
  cup: { name: Cup, price: 3 }
`;

/** The checks that are asked and find nothing: the undone run has only changed the brand, and the lasting stack alone has taken over the tea. */
const SILENT: Readonly<Record<string, readonly string[]>> = {
  undo: ["held elsewhere", "left funnels", "made before", "adopted values", "safety", "protection", "scopes"],
  destroy: ["held elsewhere"],
};

/** Only the options of a program bring it about (cli/deletions). */
const OF_PROGRAMS = ["deleted first"];

const desk = NearDesk.all();
let saved: Plan["saved"];
let undoes: Plan["saved"];
const opened = <Result extends object>(work: (session: StackSession) => Promise<Result>): Promise<Result> =>
  StackSession.with(
    { C: desk.folder, stack: "dev", engine: "embedded", target: [] },
    async (session) => ({ ...(await work(session)), exit: 0 as const }),
    { makesStack: true },
  );
beforeAll(async () => {
  for (const [name, value] of Object.entries(desk.env)) vi.stubEnv(name, value);
  const { id: tea } = await desk.app("POST", "/projects", {
    name: "Tea",
    description: long("Tea"),
    context: long("Tea"),
  });
  const adopted = (description: string): string =>
    `  tea: { adoptId: ${tea}, name: Tea, description: ${long(description)}, context: ${long("Tea")} }\n`;
  desk.write("rows.csv", "key,title\nde,Hallo\n").declare(`landform: 1\nname: planted\nprojects:\n${adopted("Tea")}`);
  await desk.up("-s", "other");
  await desk.declare(code()).up();
  await desk.declare(code({ brand: "Beta" })).up();
  ({ saved } = await opened((session) => makePlan(session, { kind: "preview", keeps: true })));
  ({ saved: undoes } = await opened((session) =>
    makePlan(session, { kind: "undo --preview", keeps: true, undoes: { run: undefined, skipsConflicts: false } }),
  ));
  await desk.says(0, "state", "export", "--file", "state.json");
  const state = desk.report<{ deployment: { resources: { urn: string }[] } }>("state.json");
  state.deployment.resources = state.deployment.resources.filter(({ urn }) => !urn.endsWith("::cup"));
  await desk.write("state.json", JSON.stringify(state)).says(0, "state", "import", "--file", "state.json");
  await desk.edits("home", { "hero.note": "Half a thought" });
  const shop = desk.rows("projects").find(({ name }) => name === "Shop")?.id ?? "";
  await desk.app("PATCH", `/projects/${shop}`, { name: "By hand" });
  await desk.app("POST", "/sites", { name: "theirs.example", project_id: shop });
  const others = desk.rows("pages").filter(({ pageName }) => pageName !== "home");
  const steps = others.map(({ id }) => ({ pageId: id, pageType: "presell" }));
  await desk.app("POST", "/funnels", { name: "Theirs", project_id: tea, pages: steps });
  desk.write("rows.csv", "key,title\n");
  const more = "  copy: { duplicateOf: home, publish: { site: main, slug: copy } }\n";
  const [site, mug] = [", new: { name: new.example }", ", options: { protect: true }"];
  desk.declare(code({ brand: "Gamma", more, adopted: adopted("Hot"), site, mug }));
}, 120_000);
afterEach(() => vi.restoreAllMocks());
afterAll(() => vi.unstubAllEnvs());

function intentOf(kind: IntentKind): Intent {
  const reviewed = kind === "undo --plan" ? undoes : saved;
  return {
    kind,
    refresh: true,
    foreignEdits: "include",
    failOn: ["too-long"],
    ...(kind !== "destroy" && { maxDeletes: { amount: 0, percent: false } }),
    ...((kind.endsWith("--plan") || kind === "ci apply") && { saved: reviewed }),
    ...(verbOf({ kind }) === "undo" && { undoes: { run: undefined, skipsConflicts: true } }),
  };
}

const hasFound = ({ findings = [], rows, ...more }: Found): boolean =>
  findings.length > 0 || (rows?.size ?? 0) > 0 || Object.values(more).some((one) => one !== undefined);

test.each(INTENTS)("%s", async (kind) => {
  const spies = CHECKS.map((check) => ({ ...check, spy: vi.spyOn(check, "run") }));
  const { checked } = await opened((session) => makePlan(session, intentOf(kind)));
  const found: string[] = [];
  for (const { name, spy } of spies)
    for (const { value } of spy.mock.results) if (hasFound((await value) as Found)) found.push(name);
  const due = checksFor(kind).map(({ name }) => name);
  const silent = [...OF_PROGRAMS, ...(SILENT[verbOf({ kind })] ?? [])];
  expect(found).toEqual(due.filter((name) => !silent.includes(name)));
  expect(checked).toEqual(due);
  expect(spies.flatMap(({ name, spy }) => spy.mock.calls.map(() => name))).toEqual(due);
});
