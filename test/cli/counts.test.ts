// @module-tag thorough
/** A failed change doesn't count as done, and the report lists changes that the run did not reach, on both engines. */
import { expect, test } from "vitest";
import type { Report } from "../../stack/report/model.ts";
import { onBothAtRelease } from "../suite/parts.ts";
import { NearDesk } from "./near-desk.ts";

/** Each one waits for the one before it. */
const chain = (tag: string) => `
let before: landform.Page[] = [];
for (const name of ["a", "b", "c", "d"]) before = [new landform.Page(name, { tags: ["${tag}"] }, { dependsOn: before })];
`;

onBothAtRelease((engine, path) => {
  const desk = NearDesk.each(engine, path);

  test("an up that fails on the way", async () => {
    desk.program(chain("one"));
    await desk.up();
    desk.program(chain("two"));
    desk.emulator.faults.add({ method: "PATCH", path: "/pages/metadata", phase: "status", status: 403, skip: 1 });
    expect(await desk.says(1, "up", "--yes", "--json", "up.json", "--markdown", "up.md")).toMatch(
      /^Failed: 1 updated, 1 failed, 2 not reached ·/m,
    );
    const { counts, changes, failures } = desk.report<Report>("up.json");
    expect(failures).toMatchObject([
      { step: { code: "forbidden", kind: "page", call: { method: "PATCH", path: "/pages/metadata", status: 403 } } },
    ]);
    expect(counts).toMatchObject({ create: 0, update: 1, same: 0, failed: 1, unreached: 2 });
    expect(changes.map(({ name, status }) => [name, status])).toEqual([
      ["a", "done"],
      ["b", "failed"],
      ["c", "unreached"],
      ["d", "unreached"],
    ]);
    expect(desk.read("up.md")).toContain("### ❌ Failed: 1 updated, 1 failed, 2 not reached");
  });
});
