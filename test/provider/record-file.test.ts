/** The record of creations on a disk, as the next process reads it. */
import { appendFileSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { RecordFile } from "../../provider/ledger/record-file.ts";

const own = "lf-1-hook";
const made = { own, spec: "", kind: "hook", id: "h-1" };
let folder: string;
let path: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "landform-record-"));
  path = join(folder, "lf-dev.jsonl");
});
afterEach(() => rmSync(folder, { recursive: true }));

const isUnanswered = (): boolean => new RecordFile(path).isUnanswered(own);

test("a question that no answer came to is known to the next process, until there is one", async () => {
  const record = new RecordFile(path);
  expect(isUnanswered()).toBe(false);
  await record.asked(own);
  expect([record.isUnanswered(own), isUnanswered()]).toEqual([true, true]);
  await record.made(made);
  expect([record.isUnanswered(own), isUnanswered()]).toEqual([false, false]);
  expect(new RecordFile(path).find(own)).toEqual(made);
});

test("what has failed was told, and is asked anew", async () => {
  const record = new RecordFile(path);
  await record.asked(own);
  record.failed(own);
  expect(isUnanswered()).toBe(false);
  await record.asked(own);
  expect(isUnanswered()).toBe(true);
});

test("a line that a kill broke off says nothing, and spoils no other", async () => {
  await new RecordFile(path).asked(own);
  appendFileSync(path, '\n{"own":"lf-1-hook","ask');
  expect(isUnanswered()).toBe(true);
  await new RecordFile(path).made(made);
  expect(isUnanswered()).toBe(false);
});

test("it ends no doubt of what was begun before there was a record", async () => {
  const record = new RecordFile(path);
  record.begin(() => false, [own]);
  await record.asked(own);
  expect(new RecordFile(path).isDoubtful(own)).toBe(true);
});

test("what only its name finds is answered by a state that holds what was asked for last, and by nothing else", async () => {
  const record = new RecordFile(path);
  await record.named(own, "old");
  await record.named(own, "new");
  await record.named("lf-1-other", "new");
  new RecordFile(path).begin(() => false, []);
  new RecordFile(path).held(own, "old");
  new RecordFile(path).held("lf-1-never", "new");
  expect(isUnanswered()).toBe(true);
  new RecordFile(path).held(own, "new");
  const now = new RecordFile(path);
  expect([own, "lf-1-other", "lf-1-never"].map((one) => now.isUnanswered(one))).toEqual([false, true, false]);
});

test("what is to be removed is known to the next process until it is gone, and doesn't stand for a record of its creation", async () => {
  const about = { own, urn: "urn:one", type: "Mug" };
  const record = new RecordFile(path);
  await record.noteUnwanted([about, { ...about, made }]);
  await record.noteUnwanted([{ ...about, made }]);
  const next = new RecordFile(path);
  expect([next.unwanted, next.creations]).toEqual([[about, { ...about, made }], []]);
  next.forgetUnwanted(own);
  expect(new RecordFile(path).unwanted).toEqual([]);
});

test("the last note of what was made stands until a state holds that, and is none of another object", async () => {
  const page = { own, spec: "s", kind: "page", id: "page-1" };
  const file = new RecordFile(path);
  await file.made(page);
  await file.noted(own, "page-1", "first");
  await file.noted(own, "page-1", "second");
  const notes = (): (string | undefined)[] => ["page-1", "page-2"].map((id) => new RecordFile(path).note(own, id));
  expect(notes()).toEqual(["second", undefined]);
  expect(new RecordFile(path).find(own)).toEqual(page);
  file.settled(own, "page-1");
  expect(notes()).toEqual([undefined, undefined]);
});
