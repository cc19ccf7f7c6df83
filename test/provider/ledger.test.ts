/** The ledger of creations: the entries that the next process finds, in a file and in tags alike, and the entries that a state settles. */
import { appendFileSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { changed, crossedOut, type Entry, type Kept, reconcile } from "../../provider/ledger/ledger.ts";
import { FileStore, OldLedgerError } from "../../provider/ledger/file-store.ts";
import { keptIn, TAG, tagsOf } from "../../provider/ledger/tag-store.ts";

const entry = (name: string, more: Partial<Entry> = {}): Entry => ({
  ...{
    key: `lf-00000001-${name}`,
    at: "2026-11-26T10:00:00.000Z",
    kind: "page",
    name,
    state: "intended",
    creationDigest: "ab",
  },
  ...more,
});
const MUG = entry("mug");
const CUP = entry("cup", { state: "made", id: "page_1", note: "sealed" });

let folder: string;
let path: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "landform-ledger-"));
  path = join(folder, "lf-dev.jsonl");
});
afterEach(() => rmSync(folder, { recursive: true }));

describe("a file", () => {
  const read = (): Kept => new FileStore(path).read();

  test("says nothing where no run kept it, and that there was nothing once one has begun", () => {
    expect(read()).toEqual({ entries: [], isThere: false, isWhole: false });
    new FileStore(path).begin([]);
    expect(read()).toMatchObject({ entries: [], isThere: true, isWhole: true });
  });

  test("has the last word of each creation, and none of what is settled", async () => {
    const store = new FileStore(path);
    await Promise.all([store.write([MUG, CUP]), store.write([{ ...MUG, state: "unknown" }])]);
    expect(read().entries).toEqual([{ ...MUG, state: "unknown" }, CUP]);
    store.note([crossedOut(MUG)]);
    expect(read().entries).toEqual([CUP]);
  });

  test("is not spoiled by a line that a kill broke off", async () => {
    const store = new FileStore(path);
    await store.write([MUG]);
    appendFileSync(path, '\n{"key":"lf-00000001-mug","at":"2026-11-2');
    await store.write([CUP]);
    expect(read().entries).toEqual([MUG, CUP]);
  });

  test("tells of a run that has not saved the state until that run, or a later one, has", async () => {
    const store = new FileStore(path);
    await store.mark("unsaved");
    expect(read().run).toBe("unsaved");
    await store.mark("ended");
    expect(read().run).toBeUndefined();
  });

  const older = ['{"own":"lf-1-mug","spec":"","kind":"page","id":"p"}', '{"ledger":3}'];
  test.each(older)("of another version is refused by name: %s", (line) => {
    writeFileSync(path, `\n${line}\n`);
    expect(read).toThrow(OldLedgerError);
    expect(read).toThrow(path);
  });
});

describe("tags", () => {
  test("hold what a file holds, of a few creations and of many", () => {
    const many = Array.from({ length: 450 }, (_, index) => entry(`p${index}`));
    for (const entries of [[], [MUG, CUP], many]) {
      const tags = tagsOf({ entries, run: "begun" });
      expect(tags).toHaveLength(entries.length > 40 ? 12 : 1);
      expect(keptIn(Object.fromEntries(tags))).toEqual({ entries, run: "begun", isThere: true, isWhole: true });
    }
  });

  test("leave out a note that is too long for a command's argument", () => {
    const { note: _, ...rest } = CUP;
    const entries = [CUP, { ...rest, ...MUG, note: "n".repeat(200_000) }];
    expect(keptIn(Object.fromEntries(tagsOf({ entries }))).entries).toEqual([CUP, { ...rest, ...MUG }]);
  });

  test("that a killed run has written in part have each creation once, as it was written last", () => {
    const many = Array.from({ length: 450 }, (_, index) => entry(`p${index}`));
    const before = Object.fromEntries(tagsOf({ entries: many }));
    const after = tagsOf({ entries: many.slice(1).map((one): Entry => ({ ...one, state: "made", id: one.name })) });
    const { entries } = keptIn({ ...before, ...Object.fromEntries(after.slice(0, 1)) });
    expect(entries.map(({ name }) => name)).toEqual(many.slice(1).map(({ name }) => name));
    expect(entries.filter(({ state }) => state === "made")).toHaveLength(40);
  });

  test("say of what they don't tell that it was not begun, as long as a run of ours has not come to its end", () => {
    expect(keptIn(Object.fromEntries(tagsOf({ entries: [] })))).toMatchObject({ isThere: true, isWhole: false });
    expect(keptIn({})).toMatchObject({ isThere: false, isWhole: false });
  });

  test("of another version are refused by name", () =>
    expect(() => keptIn({ [TAG]: '{"run":"begun","creations":[]}' })).toThrow(TAG));
});

describe("a state", () => {
  const after = (kept: Partial<Kept>, state: Partial<Parameters<typeof reconcile>[1]>): Entry[] => {
    const nothing = { holds: () => false, holdsNamed: () => false, pending: [] };
    const whole = { entries: [], isThere: true, isWhole: true, ...kept };
    return changed(whole.entries, reconcile(whole, { ...nothing, ...state }));
  };

  test("settles what it holds by its id, and what was begun for the same resource stays open", () => {
    const twin = { ...CUP, at: "2026-11-26T09:00:00.000Z", state: "unknown", id: undefined } as unknown as Entry;
    const holds = (kind: string, id: string): boolean => kind === "page" && id === "page_1";
    expect(after({ entries: [twin, CUP, MUG] }, { holds })).toEqual([twin, MUG]);
    expect(after({ entries: [{ ...CUP, kind: "product" }] }, { holds })).toHaveLength(1);
  });

  test("keeps a removal until it lets the object go, and until then a creation that has taken the object over", () => {
    const removed = entry("funnel", { state: "unwanted", id: "funnel_1", removedAs: "as it was" });
    const taken: Entry = { ...entry("funnel", { state: "made", id: "funnel_1" }), key: MUG.key };
    const held = (by: string) => ({ holds: (_kind: string, _id: string, key = by) => key === by });
    expect(after({ entries: [removed, taken] }, held(removed.key))).toEqual([removed, taken]);
    expect(after({ entries: [removed, taken] }, held(taken.key))).toEqual([]);
    expect(after({ entries: [removed, taken] }, {})).toEqual([taken]);
  });

  test("settles all of a resource that only its name finds, once it holds one that was made from the last name", () => {
    const [old, now] = [
      entry("site", { creationDigest: "old" }),
      entry("site", { creationDigest: "now", at: "2026-11-26T11:00:00.000Z" }),
    ];
    const held = (name: string) => ({
      holdsNamed: (key: string, creationDigest?: string) => key === now.key && creationDigest === name,
    });
    expect(after({ entries: [old, now, MUG] }, held("now"))).toEqual([MUG]);
    expect(after({ entries: [now] }, held("old"))).toEqual([now]);
  });

  test("tells of a creation that nobody wrote down, and of none where every run did", () => {
    expect(after({ isWhole: false }, { pending: [MUG] })).toEqual([MUG]);
    expect(after({}, { pending: [MUG] })).toEqual([]);
    expect(after({ isWhole: false, entries: [{ ...MUG, state: "unknown" }] }, { pending: [MUG] })).toHaveLength(1);
  });
});
