// @module-tag thorough
/** `landform adopt` after a lost state: it finds the declared objects again, and takes none that may be another's. */
import { rmSync } from "node:fs";
import { expect, test, vi } from "vitest";
import { matchUp, type Candidate, type Declared } from "../../manifest/index.ts";
import { LandformApi } from "../../provider/api/index.ts";
import { NearDesk } from "./near-desk.ts";
import { forAllTests, inTest } from "../suite/opened.ts";
import { outputOf } from "./harness.ts";

// The first test runs the command seven times.
vi.setConfig({ testTimeout: 300_000 });

const desk = forAllTests(() => NearDesk.open("quickstart-yaml", { lookup: () => Promise.resolve(["8.8.8.8"]) }));

test("a lost state: everything is found by what it is, adopted, and nothing is planned afterwards", async () => {
  desk.write(
    "landform.yaml",
    `${desk.read("landform.yaml")}\nhooks: { leads: { eventType: form_lead.created, targetUrl: "https://crm.example.com" } }\n`,
  );
  expect((await desk.run(["up", "--yes"])).code).toBe(0);
  rmSync(desk.path(".pulumi"), { recursive: true });
  const before = desk.read("landform.yaml");
  desk.writes();

  const asks = await desk.run(["adopt"]);
  expect([asks.code, desk.read("landform.yaml") === before]).toEqual([4, true]);
  expect(asks.stdout).toContain("5 of 6 resources are in the account already");
  expect(asks.stdout).toMatch(
    /= Page offer {2}page_\w+ {2}"Offer"\n +the same: (?=.*hero\.title)(?=.*\bname\b).*publish\.slug\n/,
  );
  expect(asks.stdout).toMatch(/\+ Hook leads {2}the API never shows one: up makes it, .*get each lead twice/);
  const waiting = "up --target 'Project/*' --target 'Site/*' --target 'Page/*' --target 'Funnel/*'";
  expect(asks.stdout).toContain(`npx landform ${waiting} applies everything else, and waits with it.`);
  expect(asks.stdout).not.toContain("different");

  expect((await desk.run(["adopt", "--yes"])).code).toBe(0);
  const added = desk
    .read("landform.yaml")
    .split("\n")
    .filter((line) => !before.split("\n").includes(line));
  expect(added).toHaveLength(5);
  expect(added.every((line) => line.trim().startsWith("adoptId: "))).toBe(true);
  expect(desk.writes()).toEqual([]);

  const planned = await outputOf(0, desk.run(["preview"]));
  expect(planned).toMatch(/Hook leads: this plan takes .* each lead twice/);
  expect(planned).toContain(`npx landform ${waiting} applies everything else`);
  const targets = waiting.replaceAll("'", "").split(" ");
  expect(await outputOf(0, desk.run([...targets, "--yes"]))).toContain("5 adopted");
  // The advice is followed, and the reason is still there.
  expect((await desk.run(["preview"])).stdout).toMatch(/Hook leads: the first run of this state .* each lead twice/);
  expect(await outputOf(0, desk.run(["up", "--yes"]))).toMatch(/Hook leads: the first run of this state/);
  // The service shows no project's context, so the run sends it.
  const sent = desk.writes().map((call) => call.replace(/proj_\w+/, "ID"));
  expect(sent.sort()).toEqual(["PATCH /projects/ID", "POST /hooks"]);
  // A hook that goes and comes again is known.
  desk.write("landform.yaml", before.replace(/\nhooks: .*/, ""));
  expect((await desk.run(["up", "--yes"])).code).toBe(0);
  desk.writes();
  desk.write("landform.yaml", before);
  const again = await desk.run(["up", "--yes"]);
  expect([again.code, again.stdout]).toEqual([0, expect.not.stringContaining("each lead twice")]);
  expect(desk.writes()).toEqual(["POST /hooks"]);
  expect((await desk.run(["preview", "--detailed-exitcode"])).code).toBe(0);
  expect(await outputOf(0, desk.run(["adopt", "--yes"]))).toContain("nothing to adopt");
});

test("pages of one name and slug are told apart by their sites, also in a second pass", async () => {
  const own = await inTest(NearDesk.open(undefined, { seed: "empty" }));
  const context = "Handmade mugs for people who take coffee seriously. ".repeat(10);
  const description = "A project for the spring launch of our handmade mugs.";
  const on = (brand: string) => `{ name: Offer, template: tpl-hero, project: mugs, variables: { brand: ${brand} },
    content: { hero.title: "A mug of {{brand}}" }, publish: { site: ${brand}.example, slug: Offer } }`;
  const code = `landform: 1
name: two
projects: { mugs: { description: ${description}, context: "${context}" } }
sites: { a.example: { project: mugs }, b.example: { project: mugs } }
pages:
  of-a: ${on("a")}
  of-b: ${on("b")}
`;
  own.write("landform.yaml", code);
  expect((await own.run(["up", "--yes"])).code).toBe(0);
  const { sites, pages } = own.emulator.records() as Record<string, { id: string; siteId?: string; name?: string }[]>;
  const pageOn = (brand: string) => {
    const site = sites?.find(({ name }) => name === `${brand}.example`);
    return pages?.find(({ siteId: on }) => on === site?.id)?.id ?? "";
  };
  const adopted = (text: string) =>
    [...text.matchAll(/(of-\w):[^}]*?adoptId: (page_\w+)/g)].map(([, ...found]) => found);
  const right = ["a", "b"].map((brand) => [`of-${brand}`, pageOn(brand)]);

  rmSync(own.path(".pulumi"), { recursive: true });
  const refused = await own.run(["preview"]);
  for (const [name = "", id = ""] of right)
    expect(refused.stdout).toContain(`Page ${name}: publish.slug: /offer is taken on this site by "Offer" (${id})`);
  expect(refused.stdout).toMatch(/npx landform adopt finds them again, if the state that made them is lost/);
  const adopt = await own.run(["adopt", "--yes"]);
  expect([adopt.code, adopt.stdout]).toEqual([0, expect.not.stringContaining("different")]);
  expect(adopted(own.read("landform.yaml"))).toEqual(right);
  expect(own.read("landform.yaml").match(/adoptId: site_/g)).toHaveLength(2);
  own.write("landform.yaml", own.read("landform.yaml").replaceAll(/adoptId: page_\w+,?/g, ""));
  expect((await own.run(["adopt", "--yes"])).code).toBe(0);
  expect(adopted(own.read("landform.yaml"))).toEqual(right);
  // A site goes by its name, too, and counts in the same way.
  own.write("landform.yaml", own.read("landform.yaml").replaceAll(/adoptId: site_\w+,?/g, ""));
  expect((await own.run(["preview"])).stdout).toContain("5 to adopt");
  const up = await own.run(["up", "--yes"]);
  expect(up.stdout).toMatch(/= adopted Site a\.example[^]*Done: 5 adopted[^]*undo takes this run back/);
  expect(up.stdout).not.toContain("Published");
  expect((await own.run(["up", "--yes"])).stdout).not.toContain("takes this run back");
  expect((await own.run(["preview", "--detailed-exitcode"])).code).toBe(0);
});

test("namesakes are told, and none is chosen; a program is told what to write", async () => {
  const api = new LandformApi(desk.emulator);
  const made = await Promise.all(["Twin", "Twin", "Mine"].map((name) => api.pages.create({ name })));
  await api.close();
  desk.program('new landform.Page("twin", { name: "Twin" });\nnew landform.Page("mine", { name: "Mine" });');
  rmSync(desk.path("landform.yaml"));
  desk.writes();
  const { code, stdout } = await desk.run(["adopt"]);
  expect(code).toBe(0);
  expect(stdout).toContain("1 of 2 resources are in the account already");
  expect(stdout).toContain("several objects are as much like it");
  for (const { id } of made) expect(stdout).toContain(id);
  expect(stdout).toContain(`new landform.Page("mine", { adoptId: "${made[2]?.id ?? ""}", … })`);
  expect(stdout).not.toContain('Page("twin", { adoptId');
  expect(desk.writes()).toEqual([]);
});

const page = (name: string, inputs: Record<string, string>): Declared => ({
  urn: name,
  type: "Page",
  name,
  inputs: new Map(Object.entries(inputs)),
  homes: new Map(),
  depth: 0,
});
const object = (id: string, live: Record<string, string>): Candidate => ({
  id,
  label: id,
  live: new Map(Object.entries(live)),
  homes: new Map(),
});

test("content tells namesakes apart; likeness in content alone is no reason", () => {
  const declared = page("offer", { name: "Offer", "content.a": "1", "content.b": "2" });
  const candidates = [
    object("old", { name: "Offer", "content.a": "1", "content.b": "0" }),
    object("right", { name: " offer ", "content.a": "1", "content.b": "2" }),
    object("stranger", { name: "Other", "content.a": "1", "content.b": "2" }),
  ];
  const { matches, unclear } = matchUp([{ declared, candidates }]);
  expect([matches.map(({ candidate }) => candidate.id), unclear]).toEqual([["right"], []]);
  const [, , stranger] = candidates;
  expect(matchUp([{ declared, candidates: stranger ? [stranger] : [] }]).absent).toEqual([declared]);
});

test("one object is not given to two resources", () => {
  const one = object("p", { name: "Offer" });
  const wanted = ["a", "b"].map((name) => ({ declared: page(name, { name: "Offer" }), candidates: [one] }));
  const { matches, unclear } = matchUp(wanted);
  expect([matches, unclear.map(({ declared }) => declared.name)]).toEqual([[], ["a", "b"]]);
});

test("what is in another project, or on another site, is nobody's to take", () => {
  const named = { name: "Thanks" };
  const inProject = (declared: Declared, projectId: string | undefined): Declared => ({
    ...declared,
    homes: new Map([["projectId", { id: projectId }]]),
    depth: 1,
  });
  const of = (id: string, projectId: string): Candidate => ({
    ...object(id, { ...named, "content.a": "1" }),
    homes: new Map([["projectId", projectId]]),
  });
  const thanks = page("thanks", { ...named, "content.a": "1" });
  const [theirs, ours] = [of("theirs", "demo"), { ...of("ours", "mine"), live: new Map(Object.entries(named)) }];
  const project = { ...page("mine", { name: "Mine" }), type: "Project" };
  const found = { declared: project, candidates: [object("mine", { name: "Mine" })] };

  // Three projects: planned and without a match; planned and found; made already.
  const alone = matchUp([{ declared: inProject(thanks, undefined), candidates: [theirs] }]);
  expect([alone.matches, alone.unclear.map(({ candidates }) => candidates[0]?.elsewhere)]).toEqual([[], [true]]);
  for (const wanted of [
    [{ declared: inProject(thanks, undefined), candidates: [theirs, ours] }, found],
    [{ declared: inProject(thanks, "mine"), candidates: [theirs, ours] }],
  ]) {
    const { matches, unclear } = matchUp(wanted);
    expect([matches.map(({ candidate }) => candidate.id).at(-1), unclear]).toEqual(["ours", []]);
  }
  expect(matchUp([{ declared: inProject(thanks, "other"), candidates: [theirs, ours] }]).unclear).toHaveLength(1);
});

test("objects of another project with the same names stay what they are, also under --yes", async () => {
  const own = await inTest(NearDesk.open("quickstart-yaml"));
  const api = new LandformApi(own.emulator);
  const context = "Handmade mugs for people who take coffee seriously. ".repeat(10);
  const theirs = await api.projects.create({
    name: "Theirs",
    description: "A project of somebody else for the spring launch of mugs.",
    context,
  });
  for (const name of ["Thanks", "Draft"]) await api.pages.create({ name, project_id: theirs.id });
  await api.close();
  own.write(
    "landform.yaml",
    `landform: 1
name: mine
projects: { mine: { description: A project for the spring launch of our handmade mugs., context: "${context}" } }
pages:
  thanks: { name: Thanks, project: mine }
  draft: { name: Draft, project: mine }
`,
  );
  const before = own.read("landform.yaml");
  own.writes();
  const { code, stdout } = await own.run(["adopt", "--yes"]);
  expect([code, own.read("landform.yaml")]).toEqual([0, before]);
  expect(stdout).toContain("0 of 3 resources are in the account already");
  expect(stdout).toContain(
    "? Page thanks  an object is like it in another project, or on another site, than the code says",
  );
  expect(own.writes()).toEqual([]);
});

test.each([[[]], [["--data", "csv"]]])(
  "an exported page that is public with a placeholder is adopted as it is (export %j)",
  async (options) => {
    const own = await inTest(NearDesk.open(undefined, { seed: "empty" }));
    const api = new LandformApi(own.emulator);
    const { id: site_id } = await api.sites.create({ name: "s.example" });
    const { id: page_id } = await api.pages.createFromTemplate({ template_id: "tpl-hero", name: "live" });
    await api.pages.publish({ page_id, site_id, slug: "" });
    await api.close();
    own.writes();
    expect((await own.run(["export", "--out", "acc", ...options])).code).toBe(0);
    const plan = await own.run(["preview", "-C", "acc"]);
    expect([plan.code, plan.stdout]).toEqual([0, expect.stringContaining("2 to adopt")]);
    expect(plan.stdout.match(/takes over the existing object as it is/g)).toHaveLength(2);
    expect(plan.stdout).not.toMatch(/only what differs|known after apply/);
    // A site that goes by its name is known as well.
    const exported = own.read("acc/landform.yaml");
    own.write("acc/landform.yaml", exported.replace(/ *adoptId: site_.*\n/, ""));
    expect((await own.run(["preview", "-C", "acc"])).stdout).toMatch(
      /Page live\n +takes over the existing object as it is/,
    );
    own.write("acc/landform.yaml", exported);
    expect(await outputOf(0, own.run(["up", "--yes", "-C", "acc"]))).toContain("2 adopted");
    expect(own.writes()).toEqual([]);
    expect((await own.run(["preview", "--detailed-exitcode", "-C", "acc"])).code).toBe(0);
  },
);
