/** A run's file can be read whatever broke the run off, and only with the key. */
import { findRun, resultOf } from "../../stack/history/history.ts";
import { appendFileSync, mkdtempSync, readFileSync, rmSync, statSync, truncateSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { openValues, parseRun, type RunRecord, type RunStart } from "../../stack/history/run-file.ts";
import { RunStore } from "../../stack/history/store.ts";
import { KeptFile, newKey, seal, unseal } from "../../provider/history/kept.ts";

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "landform-history-"));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const kept = (id: string) => ({
  ...{ resourceKey: "lf-1-2", kind: "page", id, step: "update" as const },
  ...{ then: { content: { "hero.title": "Old secret words" } }, sent: {}, hidden: [] },
});

const start = (id: string): RunStart => ({
  ...{ landformRun: 1, id, command: "up", at: "2026-11-22T12:00:00.000Z", by: { name: "anna@desk" } },
  ...{ engine: "embedded 1", project: "p", stack: "dev", key: { by: "machine", key: "" } },
});

function parsedRun(text: string): RunRecord {
  const run = parseRun(text);
  if (typeof run === "string") throw new Error(run);
  return run;
}

test("values are sealed, and readable between lines that a kill broke off", async () => {
  const store = new RunStore(join(folder, "runs"));
  const key = newKey();
  store.add("r1", [start("r1")]);
  const file = new KeptFile(store.file("r1"), key);
  await Promise.all([file.keep(kept("page_1")), file.keep(kept("page_2"))]);
  appendFileSync(store.file("r1"), '\n{"kept":"brok');
  await new KeptFile(store.file("r1"), key).keep(kept("page_3"));
  appendFileSync(store.file("r1"), '\n{"ended":"2026');
  const text = readFileSync(store.file("r1"), "utf8");
  expect(text).not.toContain("Old secret words");
  const record = parseRun(text);
  if (typeof record === "string") throw new Error(record);
  expect(record.end).toBeUndefined();
  expect(openValues(record, key).kept.map(({ id }) => id)).toEqual(["page_1", "page_2", "page_3"]);
  expect(() => openValues(record, newKey())).toThrow();
  expect(statSync(store.file("r1")).mode & 0o777).toBe(0o600);
  expect(statSync(store.folder).mode & 0o777).toBe(0o700);
});

test("a file without a whole first line is no run", () => {
  const store = new RunStore(folder);
  const id = "20261122-120000-aaaa";
  store.add(id, [start(id)]);
  truncateSync(store.file(id), 40);
  expect(store.list()).toEqual({ runs: [], unread: [{ id, why: "its file has no whole first line" }] });
});

test("what is sealed twice looks different, and a changed byte is seen", () => {
  const key = newKey();
  const sealed = seal(key, { a: "€" });
  expect(sealed).not.toBe(seal(key, { a: "€" }));
  expect(unseal(key, sealed)).toEqual({ a: "€" });
  const bytes = Buffer.from(sealed, "base64");
  bytes[20] = (bytes[20] ?? 0) ^ 1;
  expect(() => unseal(key, bytes.toString("base64"))).toThrow();
});

describe("a run is found", () => {
  const runs = ["20261122-120000-aaaa", "20261122-110000-bbbb"].flatMap((id) => parsedRun(JSON.stringify(start(id))));

  test("by its id or the beginning of it", () => {
    expect(findRun(runs, "20261122-11", "dev").start.id).toBe("20261122-110000-bbbb");
    expect(() => findRun(runs, "20261122-1", "dev")).toThrow(/beginning of 2 runs/);
  });

  test("or refused with those that there are", () => {
    expect(() => findRun(runs, "nonsense", "dev")).toThrow(
      /no run "nonsense"\. It has 20261122-120000-aaaa, 20261122-110000-bbbb/,
    );
    expect(() => findRun([], "nonsense", "dev")).toThrow(/no history/);
  });

  test("and without an end it was interrupted, unless it is the last and somebody holds the stack", () => {
    const [newest, older] = runs;
    if (!newest || !older) throw new Error("no runs");
    expect(resultOf(newest, newest, true)).toBe("under way");
    expect(resultOf(older, newest, true)).toBe("interrupted");
    expect(resultOf(newest, newest, false)).toBe("interrupted");
  });
});
