// @module-tag thorough
/** A failed change doesn't count as done, and the report lists changes that the run did not reach, on both engines. */
import { expect, test } from "vitest";
import type { Report } from "../../stack/report/model.ts";
import { onBothAtRelease } from "../suite/parts.ts";
import { SYSTEM_PATH, type Ended } from "./harness.ts";
import { NearDesk } from "./near-desk.ts";
import { forEachTest } from "../suite/opened.ts";

/** Each one waits for the one before it. */
const chain = (tag: string) => `
let before: landform.Page[] = [];
for (const name of ["a", "b", "c", "d"]) before = [new landform.Page(name, { tags: ["${tag}"] }, { dependsOn: before })];
`;

onBothAtRelease((engine, path) => {
  const desk = forEachTest(() => NearDesk.open());
  const run = (...args: string[]): Promise<Ended> => {
    return desk.run([...args, "--engine", engine], { env: { PATH: path(SYSTEM_PATH) } });
  };

  test("an up that fails on the way", async () => {
    desk.program(chain("one"));
    expect((await run("up", "--yes")).code).toBe(0);
    desk.program(chain("two"));
    desk.emulator.faults.add({ method: "PATCH", path: "/pages/metadata", phase: "status", status: 403, skip: 1 });
    const { code, stdout } = await run("up", "--yes", "--json", "up.json", "--markdown", "up.md");
    expect([code, stdout]).toEqual([1, expect.stringMatching(/^Failed: 1 updated, 1 failed, 2 not reached ·/m)]);
    const { counts, changes, failures } = JSON.parse(desk.read("up.json")) as Report;
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
