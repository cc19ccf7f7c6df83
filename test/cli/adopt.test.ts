// @module-tag thorough
/** `landform adopt` after a lost state: it finds the declared objects again, and takes none that may be another's. */
import { rmSync } from "node:fs";
import { expect, test, vi } from "vitest";
import { LandformApi } from "../../provider/api/index.ts";
import { NearDesk } from "./near-desk.ts";
import { forAllTests, inTest } from "../suite/opened.ts";

// The first test runs the command seven times.
vi.setConfig({ testTimeout: 300_000 });

const desk = forAllTests(() => NearDesk.open("quickstart-yaml", { lookup: () => Promise.resolve(["8.8.8.8"]) }));

test("a lost state: everything is found by what it is, adopted, and nothing is planned afterwards", async () => {
  desk.declare(
    `${desk.read("landform.yaml")}\nhooks: { leads: { eventType: form_lead.created, targetUrl: "https://crm.example.com" } }\n`,
  );
  await desk.up();
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

  await desk.says(0, "adopt", "--yes");
  const added = desk
    .read("landform.yaml")
    .split("\n")
    .filter((line) => !before.split("\n").includes(line));
  expect(added).toHaveLength(5);
  expect(added.every((line) => line.trim().startsWith("adoptId: "))).toBe(true);
  expect(desk.writes()).toEqual([]);

  const planned = await desk.says(0, "preview");
  expect(planned).toMatch(/Hook leads: this plan takes .* each lead twice/);
  expect(planned).toContain(`npx landform ${waiting} applies everything else`);
  const targets = waiting.replaceAll("'", "").split(" ");
  expect(await desk.says(0, ...targets, "--yes")).toContain("5 adopted");
  // The advice is followed, and the reason is still there.
  expect((await desk.run(["preview"])).stdout).toMatch(/Hook leads: the first run of this state .* each lead twice/);
  expect(await desk.up()).toMatch(/Hook leads: the first run of this state/);
  // The service shows no project's context, so the run sends it.
  const sent = desk.writes().map((call) => call.replace(/proj_\w+/, "ID"));
  expect(sent.sort()).toEqual(["PATCH /projects/ID", "POST /hooks"]);
  // A hook that goes and comes again is known.
  desk.declare(before.replace(/\nhooks: .*/, ""));
  await desk.up();
  desk.writes();
  desk.declare(before);
  const again = await desk.run(["up", "--yes"]);
  expect([again.code, again.stdout]).toEqual([0, expect.not.stringContaining("each lead twice")]);
  expect(desk.writes()).toEqual(["POST /hooks"]);
  await desk.plansNothing();
  expect(await desk.says(0, "adopt", "--yes")).toContain("nothing to adopt");
});

test("namesakes are told, and none is chosen; a program is told what to write", async () => {
  const api = new LandformApi(desk.emulator);
  const made = await Promise.all(["Twin", "Twin", "Mine"].map((name) => api.pages.create({ name })));
  await api.close();
  desk.program('new landform.Page("twin", { name: "Twin" });\nnew landform.Page("mine", { name: "Mine" });');
  rmSync(desk.path("landform.yaml"));
  desk.writes();
  const stdout = await desk.says(0, "adopt");
  expect(stdout).toContain("1 of 2 resources are in the account already");
  expect(stdout).toContain("several objects match it equally well");
  for (const { id } of made) expect(stdout).toContain(id);
  expect(stdout).toContain(`new landform.Page("mine", { adoptId: "${made[2]?.id ?? ""}", … })`);
  expect(stdout).not.toContain('Page("twin", { adoptId');
  expect(desk.writes()).toEqual([]);
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
  own.declare(`landform: 1
name: mine
projects: { mine: { description: A project for the spring launch of our handmade mugs., context: "${context}" } }
pages:
  thanks: { name: Thanks, project: mine }
  draft: { name: Draft, project: mine }
`);
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
