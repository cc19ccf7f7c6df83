/** A run that was killed before it saved the state: the messages and refusals of the next runs, and the way out. */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { FolderLedger, keyOf, openLedger } from "../../stack/engines/ledger.ts";
import type { StateResource } from "../../stack/engines/recorded.ts";
import { Unsaved } from "../../stack/run/opened.ts";
import type { Entry } from "../../provider/ledger/ledger.ts";
import { FileStore, ledgerFileIn } from "../../provider/ledger/file-store.ts";
import { ledgerFolderOf } from "../../provider/ledger/place.ts";
import { stackOf } from "../../provider/ledger/identity.ts";

const TYPE = "pulumi-nodejs:dynamic/landform:Page";
const urnOf = (name: string): string => `urn:pulumi:dev::test::${TYPE}::${name}`;

let root: string;
let state: StateResource[];
let ledger: FolderLedger;
let store: FileStore;
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), "landform-unsaved-"));
  state = [];
  ledger = new FolderLedger(root, { project: "test", stack: "dev" });
  store = new FileStore(ledgerFileIn(ledgerFolderOf(root), stackOf("test", "dev")));
});
afterEach(() => rmSync(root, { recursive: true, force: true }));

const read = () => Promise.resolve({ manifest: { time: "" }, resources: state, pending: [] });
const find = (): Promise<Unsaved> => Unsaved.find({ ledger: () => openLedger(ledger, read) });

const entry = (name: string, more: Partial<Entry>): Entry => ({
  ...{
    key: keyOf(urnOf(name)),
    at: "2026-11-26T10:00:00.000Z",
    kind: "page",
    name,
    state: "intended",
    creationDigest: "ab",
  },
  ...more,
});

/** Kills a run that has made the first object and was making the second. */
async function killedRun(): Promise<void> {
  await store.mark("unsaved");
  await store.write([entry("a", { state: "made", id: "page_a" }), entry("b", {})]);
}

const UNDO = { kind: "up", restore: { values: { objects: {}, anew: {}, anewDrafts: {} }, key: "" } } as const;

test("its creations are told, and neither a destroy nor an undo goes on without them", async () => {
  await killedRun();
  const unsaved = await find();
  expect(unsaved.note).toContain("2 of what it was creating");
  expect(() => unsaved.refuse({ kind: "destroy" })).toThrow(/page "a", page "b"\. Run up first/);
  expect(() => unsaved.refuse(UNDO)).toThrow();
  expect(() => unsaved.refuse({ kind: "up" })).not.toThrow();
});

test("a run that came to the end of the stack ends it", async () => {
  await killedRun();
  state = [{ urn: urnOf("a"), type: TYPE, id: "page_a" }];
  expect((await find()).note).toContain("1 of what it was creating");
  await ledger.end({ read, creates: false, isWhole: true, succeeded: false });
  expect((await find()).note).toBeDefined();
  await ledger.end({ read, creates: false, isWhole: true, succeeded: true });
  const unsaved = await find();
  expect(unsaved.note).toBeUndefined();
  expect(() => unsaved.refuse({ kind: "destroy" })).not.toThrow();
});

test("of a run that only changed and deleted, nothing is lost", async () => {
  await store.mark("unsaved");
  const unsaved = await find();
  expect(unsaved.note).toContain("does no harm");
  expect(() => unsaved.refuse({ kind: "destroy" })).not.toThrow();
});
