// @module-tag thorough
/** A project that a destroy has to leave: the report says so, and calls it neither the remains of a run nor removed. */
import { mkdirSync } from "node:fs";
import { afterAll, beforeAll, expect, test } from "vitest";
import { NearDesk } from "./near-desk.ts";

let desk: NearDesk;

const manifest = (name: string): string => `landform: 1
name: ${name}
projects:
  mugs:
    description: A project for the spring launch of our handmade mugs.
    context: ${JSON.stringify("A brief about the brand and its customers. ".repeat(6))}
sites: { m: { name: ${name}.example, project: mugs } }
pages: { offer: { template: tpl-hero, project: mugs, variables: { brand: A }, publish: { site: m, slug: offer } } }
`;

beforeAll(async () => {
  desk = await NearDesk.open();
  for (const name of ["mine", "theirs"]) {
    mkdirSync(desk.path(name));
    desk.write(`${name}/landform.yaml`, manifest(name));
    expect((await desk.run(["up", "--yes", "-C", name])).code).toBe(0);
  }
  expect((await desk.run(["destroy", "--yes", "-C", "mine"])).code).toBe(0);
});
afterAll(() => desk.close());

test("by history, export and env gc --unowned, and the next up takes it over", async () => {
  const runs = await desk.run(["history", "-C", "mine"]);
  expect(runs.stdout).toMatch(/1 deleted, 2 left in the account: |2 left in the account, 1 deleted: /);
  const [last] = JSON.parse((await desk.run(["history", "-C", "mine", "--json"])).stdout) as {
    id: string;
    counts: object;
  }[];
  expect(last?.counts).toEqual({ left: 2, delete: 1 });
  const run = await desk.run(["history", last?.id ?? "", "-C", "mine"]);
  expect(run.stdout).toMatch(/! Site m {2}\S+\n +stays in the account/);

  const listed = await desk.run(["env", "gc", "--unowned", "-C", "theirs"]);
  const id = /Project (proj_\w+) .*\(left by a destroy/.exec(listed.stdout)?.[1] ?? "";
  expect(listed.stdout).not.toContain("unfinished");
  const kept = await desk.run(["env", "gc", "--unowned", "-C", "theirs", "--delete", id]);
  expect([kept.code, kept.stdout]).toEqual([1, expect.stringMatching(/^left .*belongs to it: site "mine\.example"/)]);

  const exported = await desk.run(["export"]);
  expect(exported.stdout).toMatch(new RegExp(`Left out: project .*${id}.*, left by a destroy`));
  expect(desk.read("landform.yaml")).not.toContain("interrupted");

  // For a while, lists show the project as the destroy left it.
  desk.emulator.notShown.listLagMs = 3_600_000;
  expect((await desk.run(["up", "--yes", "-C", "mine"])).code).toBe(0);
  expect((await desk.run(["preview", "--detailed-exitcode", "-C", "mine"])).code).toBe(0);
  const again = await desk.run(["export"]);
  expect(again.stdout).not.toContain(`(${id})`);
  expect(desk.read("landform.yaml")).toContain(id);
  expect(desk.read("landform.yaml")).not.toMatch(/^[^#\n]*\[lf-/m);
});
