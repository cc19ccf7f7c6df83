// @module-tag thorough
/** A project that a destroy has to leave: the plan says so, it keeps its name, and the next up takes it over. */
import { mkdirSync } from "node:fs";
import { beforeAll, expect, test } from "vitest";
import { NearDesk } from "./near-desk.ts";
import { forAllTests } from "../suite/opened.ts";

const desk = forAllTests(() => NearDesk.open());
let planned: string;
let destroyed: Awaited<ReturnType<NearDesk["run"]>>;

const project = (name: string): string => `landform: 1
name: ${name}
projects:
  mugs:
    description: A project for the spring launch of our handmade mugs.
    context: ${JSON.stringify("A brief about the brand and its customers. ".repeat(6))}
`;

const manifest = (name: string): string => `${project(name)}sites: { m: { name: ${name}.example, project: mugs } }
pages: { offer: { template: tpl-hero, project: mugs, variables: { brand: A }, publish: { site: m, slug: offer } } }
`;

beforeAll(async () => {
  for (const name of ["mine", "theirs"]) {
    mkdirSync(desk.path(name));
    desk.write(`${name}/landform.yaml`, manifest(name));
    expect((await desk.run(["up", "--yes", "-C", name])).code).toBe(0);
  }
  planned = (await desk.run(["destroy", "-C", "mine"])).stdout;
  destroyed = await desk.run(["destroy", "--yes", "-C", "mine"]);
  expect(destroyed.code).toBe(0);
});

test("the plan and the run say so, history too, and the next up takes it over", async () => {
  expect(planned).toMatch(/! Project mugs {2}\S+\n +stays in the account/);
  expect(destroyed.stdout + destroyed.stderr).toContain("The next up of this stack takes it over.");
  expect(desk.emulator.records()["projects"]).toMatchObject([{ name: "mugs" }, { name: "mugs" }]);
  const runs = await desk.run(["history", "-C", "mine"]);
  expect(runs.stdout).toMatch(/1 deleted, 2 left in the account: |2 left in the account, 1 deleted: /);
  const [last] = JSON.parse((await desk.run(["history", "-C", "mine", "--json"])).stdout) as {
    id: string;
    counts: object;
  }[];
  expect(last?.counts).toEqual({ left: 2, delete: 1 });
  const run = await desk.run(["history", last?.id ?? "", "-C", "mine"]);
  expect(run.stdout).toMatch(/! Site m {2}\S+\n +stays in the account/);

  // For a while, lists show the project as the destroy left it.
  desk.emulator.notShown.listLagMs = 3_600_000;
  const again = await desk.run(["up", "--yes", "-C", "mine"]);
  expect([again.code, again.stdout]).toEqual([0, expect.stringMatching(/= adopted Project mugs[^]*2 adopted/)]);
  expect(again.stdout).not.toContain("stays in project");
  expect((await desk.run(["preview", "--detailed-exitcode", "-C", "mine"])).code).toBe(0);
  expect(desk.emulator.records()["projects"]).toHaveLength(2);
});
