/** A run's file can be read whatever broke the run off, and only with the key. */
import { appendFileSync, mkdtempSync, readFileSync, rmSync, statSync, truncateSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { findRun, resultOf } from "../../stack/history/find.ts";
import { openValues, parseRun, type RunRecord, type RunStart } from "../../stack/history/run-file.ts";
import { newRunId, RunStore } from "../../stack/history/store.ts";
import { whoRuns } from "../../stack/history/who.ts";
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

function start(id: string): RunStart {
  return {
    ...{ landformRun: 1, id, command: "up", at: "2026-11-22T12:00:00.000Z", by: { name: "anna@desk" } },
    ...{ engine: "embedded 1", project: "p", stack: "dev", key: { by: "machine", key: "" } },
  };
}

function parsedRun(text: string): RunRecord {
  const run = parseRun(text);
  if (typeof run === "string") throw new Error(run);
  return run;
}

test("values are sealed, and whole although a kill broke off lines before and behind them", async () => {
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

test("runs of one second are in their order, after those of it that an earlier version named", () => {
  const store = new RunStore(folder);
  const at = (ms: number, random: string) => newRunId(new Date(Date.UTC(2026, 10, 22, 12, 0, 0, ms)), random);
  const ids = ["20261122-120000-ffff", at(7, "cccc"), at(80, "bbbb"), at(800, "aaaa"), "20261122-120001-0000"];
  for (const id of ids.toReversed()) store.add(id, [start(id)]);
  expect(store.ids()).toEqual(ids);
  expect(findRun(store.list().runs, "20261122-120000-ffff", "dev").start.id).toBe(ids[0]);
  for (const id of ids) store.remove(id);
});

test("the last 30 runs stay, and whatever is younger than 90 days", () => {
  const store = new RunStore(folder);
  const day = (n: number) => newRunId(new Date(Date.UTC(2026, 0, 1 + n)), "abcd");
  for (let n = 0; n < 40; n++) store.add(day(n), [start(day(n))]);
  store.forgetOld(Date.UTC(2026, 2, 1));
  expect(store.ids()).toHaveLength(40);
  store.forgetOld(Date.UTC(2026, 3, 6));
  expect(store.ids()[0]).toBe(day(5));
  store.forgetOld(Date.UTC(2027, 0, 1));
  expect(store.ids()).toHaveLength(30);
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

describe("who runs", () => {
  test("a CI's actor, commit and job", () => {
    const env = {
      ...{ GITHUB_ACTIONS: "true", GITHUB_ACTOR: "anna", GITHUB_SHA: "abc" },
      ...{ GITHUB_SERVER_URL: "https://github.example", GITHUB_REPOSITORY: "a/b", GITHUB_RUN_ID: "7" },
    };
    const url = "https://github.example/a/b/actions/runs/7";
    expect(whoRuns(env)).toEqual({ name: "anna", ci: "GitHub Actions", commit: "abc", url });
    expect(whoRuns({ GITLAB_CI: "true", GITLAB_USER_LOGIN: "ben", CI_COMMIT_SHA: "d" })).toEqual({
      ...{ name: "ben", ci: "GitLab CI", commit: "d" },
    });
  });

  test("the user of the machine", () => {
    expect(whoRuns({}).name).toMatch(/.@./);
    expect(whoRuns({}).ci).toBeUndefined();
  });
});
