/** What is left of a run that was killed before it saved the state, and what the next ones say and refuse. */
import { mkdtempSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import type { StateResource } from "../../stack/engines/recorded.ts";
import { UnsavedRuns } from "../../stack/engines/unsaved-runs.ts";
import type { Report } from "../../stack/report/model.ts";
import { Unsaved } from "../../stack/run/unsaved.ts";
import { projectWithoutFile } from "../../engine/index.ts";
import { identityFor, ownIn, stackOf } from "../../provider/reconcile/identity.ts";
import { RecordFile, recordFileIn } from "../../provider/ledger/record-file.ts";
import { recordFolderOf } from "../../provider/ledger/record-place.ts";

const TYPE = "pulumi-nodejs:dynamic/landform:Page";
const urnOf = (name: string): string => `urn:pulumi:dev::test::${TYPE}::${name}`;
const ownOf = (name: string): string => ownIn(identityFor(urnOf(name)));

let root: string;
let state: StateResource[];

beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), "landform-unsaved-"));
  state = [];
});
afterEach(() => {
  rmSync(root, { recursive: true, force: true });
});

const folder = () => ({ project: projectWithoutFile(root, "test"), stack: "dev" });
const find = () => Unsaved.find({ stateFolder: root, records: () => Promise.resolve(state) }, folder());
const marks = () => readdirSync(recordFolderOf(root)).filter((name) => name.endsWith(".unsaved.json"));

/** Of three pages it made the first, and was killed as it made the second. */
async function killedRun(): Promise<void> {
  new UnsavedRuns(root, folder()).begin(["a", "b", "c"].map(urnOf));
  const record = new RecordFile(recordFileIn(recordFolderOf(root), stackOf("test", "dev")));
  await record.made({ own: ownOf("a"), spec: "", kind: "page", id: "page_a" });
  await record.asked(ownOf("b"));
}

const report = (result: Report["result"]): Report => ({ result }) as Report;

test("nothing is said after a run that saved the state", async () => {
  const done = new UnsavedRuns(root, folder()).begin([urnOf("a")]);
  done();
  const unsaved = await find();
  expect(unsaved.note).toBeUndefined();
  expect(() => unsaved.refuse({ kind: "destroy" })).not.toThrow();
});

test("what it was creating is told, and neither a destroy nor an undo goes on without it", async () => {
  await killedRun();
  const unsaved = await find();
  expect(unsaved.note).toContain("2 of what it was creating");
  expect(["a", "b", "c"].map((name) => unsaved.begun(urnOf(name)))).toEqual([true, true, false]);
  expect(() => unsaved.refuse({ kind: "destroy", dryRun: true })).toThrow(/Page "a", Page "b"\. Run npx landform up/);
  expect(() =>
    unsaved.refuse({ kind: "up", restore: { values: { objects: {}, anew: {}, anewDrafts: {} }, key: "" } }),
  ).toThrow();
  expect(() => unsaved.refuse({ kind: "up" })).not.toThrow();
});

test("an up that took it in ends it; what the code no longer declares is named once", async () => {
  await killedRun();
  const unsaved = await find();
  expect(await unsaved.settle(report("failed"), { kind: "up" })).toEqual([]);
  expect(await unsaved.settle(report("succeeded"), { kind: "up", targets: ["page"] })).toEqual([]);
  expect(marks()).toHaveLength(1);
  state = [{ urn: urnOf("a"), type: TYPE, id: "page_a" }];
  expect(await unsaved.settle(report("succeeded"), { kind: "up" })).toEqual([
    expect.stringContaining('may have made Page "b"'),
  ]);
  expect(marks()).toEqual([]);
  expect((await find()).note).toBeUndefined();
});

test("of a run that only changed and deleted, nothing is lost", async () => {
  new UnsavedRuns(root, folder()).begin([]);
  const unsaved = await find();
  expect(unsaved.note).toContain("does no harm");
  expect(() => unsaved.refuse({ kind: "destroy" })).not.toThrow();
});

test("a destroy that has come to its end ends it, and no other does", async () => {
  new UnsavedRuns(root, folder()).begin([]);
  const unsaved = await find();
  await unsaved.settle(report("succeeded"), { kind: "destroy", dryRun: true });
  await unsaved.settle(report("failed"), { kind: "destroy" });
  await unsaved.settle(report("succeeded"), { kind: "destroy", targets: ["page"] });
  await unsaved.settle(report("succeeded"), { kind: "preview" });
  expect(marks()).toHaveLength(1);
  await unsaved.settle(report("succeeded"), { kind: "destroy" });
  expect(marks()).toEqual([]);
});
