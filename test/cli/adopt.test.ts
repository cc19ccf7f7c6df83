// @module-tag thorough
/** `landform adopt` after a lost state: it finds the declared objects again, and takes none that may be another's. */
import { rmSync } from "node:fs";
import { expect, test, vi } from "vitest";
import { BRIEF } from "./manifests.ts";
import { NearDesk } from "./near-desk.ts";
import { forAllTests } from "../suite/opened.ts";

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

  const asks = await desk.sendsNothing(4, "adopt");
  expect(desk.read("landform.yaml")).toBe(before);
  expect(asks).toContain("5 of 6 resources are in the account already");
  expect(asks).toMatch(
    /= Page offer {2}page_\w+ {2}"Offer"\n +the same: (?=.*hero\.title)(?=.*\bname\b).*publish\.slug\n/,
  );
  expect(asks).toMatch(/\+ Hook leads {2}the API never shows one: up makes it, .*get each lead twice/);
  const waiting = "up --target 'Project/*' --target 'Site/*' --target 'Page/*' --target 'Funnel/*'";
  expect(asks).toContain(`npx landform ${waiting} applies everything else, and waits with it.`);
  expect(asks).not.toContain("different");

  await desk.sendsNothing(0, "adopt", "--yes");
  const after = desk.read("landform.yaml").split("\n");
  const added = after.filter((line) => !before.split("\n").includes(line));
  expect(added).toHaveLength(5);
  expect(added.every((line) => line.trim().startsWith("adoptId: "))).toBe(true);

  const planned = await desk.plan();
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
  await desk.declare(before.replace(/\nhooks: .*/, "")).up();
  desk.writes();
  expect(await desk.declare(before).up()).not.toContain("each lead twice");
  expect(desk.writes()).toEqual(["POST /hooks"]);
  await desk.plansNothing();
  expect(await desk.says(0, "adopt", "--yes")).toContain("nothing to adopt");
});

test("namesakes are told, and none is chosen; a program is told what to write", async () => {
  const made = await Promise.all(["Twin", "Twin", "Mine"].map((name) => desk.app("POST", "/pages", { name })));
  desk.program('new landform.Page("twin", { name: "Twin" });\nnew landform.Page("mine", { name: "Mine" });');
  rmSync(desk.path("landform.yaml"));
  const stdout = await desk.sendsNothing(0, "adopt");
  expect(stdout).toContain("1 of 2 resources are in the account already");
  expect(stdout).toContain("several objects match it equally well");
  for (const { id } of made) expect(stdout).toContain(id);
  expect(stdout).toContain(`new landform.Page("mine", { adoptId: "${made[2]?.id ?? ""}", … })`);
  expect(stdout).not.toContain('Page("twin", { adoptId');
});

test("objects of another project with the same names stay what they are, also under --yes", async () => {
  const own = await NearDesk.own();
  const theirs = await own.app("POST", "/projects", { name: "Theirs", description: BRIEF, context: BRIEF });
  for (const name of ["Thanks", "Draft"]) await own.app("POST", "/pages", { name, project_id: theirs.id });
  own.declare(`landform: 1
name: mine
projects: { mine: { description: "${BRIEF}", context: "${BRIEF}" } }
pages:
  thanks: { name: Thanks, project: mine }
  draft: { name: Draft, project: mine }
`);
  const before = own.read("landform.yaml");
  const told = await own.sendsNothing(0, "adopt", "--yes");
  expect(own.read("landform.yaml")).toBe(before);
  expect(told).toContain("0 of 3 resources are in the account already");
  expect(told).toContain(
    "? Page thanks  an object is like it in another project, or on another site, than the code says",
  );
});
