// @module-tag thorough
/** A project that a destroy has to leave: the plan says so, it keeps its name, and the next up takes it over. */
import { mkdirSync } from "node:fs";
import { expect, test } from "vitest";
import { BRIEF } from "./manifests.ts";
import { NearDesk } from "./near-desk.ts";

const manifest = (name: string): string => `landform: 1
name: ${name}
projects: { mugs: { description: "${BRIEF}", context: "${BRIEF}" } }
sites: { m: { name: ${name}.example, project: mugs } }
pages: { offer: { template: tpl-hero, project: mugs, variables: { brand: A }, publish: { site: m, slug: offer } } }
`;

test("the plan and the run say so, history too, and the next up takes it over", async () => {
  const desk = await NearDesk.own();
  for (const name of ["mine", "theirs"]) {
    mkdirSync(desk.path(name));
    desk.write(`${name}/landform.yaml`, manifest(name));
    await desk.up("-C", name);
  }
  desk.also.args = ["-C", "mine"];
  expect(await desk.says(4, "destroy")).toMatch(/! Project mugs {2}\S+\n +stays in the account/);
  expect(await desk.says(0, "destroy", "--yes")).toContain("The next up of this stack takes it over.");
  expect(desk.rows("projects")).toMatchObject([{ name: "mugs" }, { name: "mugs" }]);
  expect(await desk.says(0, "history")).toMatch(
    /1 deleted, 2 left in the account: |2 left in the account, 1 deleted: /,
  );
  const [last] = await desk.json<{ id: string; counts: object }[]>("history");
  expect(last?.counts).toEqual({ left: 2, delete: 1 });
  expect(await desk.says(0, "history", last?.id ?? "")).toMatch(/! Site m {2}\S+\n +stays in the account/);

  // For a while, lists show the project as the destroy left it.
  desk.emulator.notShown.listLagMs = 3_600_000;
  const again = await desk.applies();
  expect(again).toMatch(/= adopted Project mugs[^]*2 adopted/);
  expect(again).not.toContain("stays in project");
  expect(desk.rows("projects")).toHaveLength(2);
});
