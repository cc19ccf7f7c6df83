/** The history of a stack on several machines: a folder and a bucket give the same answers. */
import {
  appendFileSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { History, refuseUnread } from "../../stack/history/history.ts";
import { KeyRing, valuesOf } from "../../stack/history/keys.ts";
import { historyFolder, historyOf } from "../../stack/history/place.ts";
import type { RunEnd, RunStart } from "../../stack/history/run-file.ts";
import { newRunId, RunStore } from "../../stack/history/store.ts";
import { openPlace } from "../../stack/places/open.ts";
import { type Place, PlaceError } from "../../stack/places/place.ts";
import { openStack } from "../../stack/project/open.ts";
import { newKey, seal } from "../../provider/history/kept.ts";

const root = mkdtempSync(join(tmpdir(), "landform-history-"));
afterAll(() => rmSync(root, { recursive: true, force: true }));
let folders = 0;
const folder = (): string => join(root, String(folders++));

const start = (id: string): RunStart => ({
  ...{ landformRun: 1, id, command: "up", at: "2026-11-22T12:00:00.000Z", by: { name: "anna@desk" } },
  ...{ engine: "embedded 1", project: "shop", stack: "dev", key: { by: "machine", key: "" } },
});

const NONE = { mayFollow: 0, failed: 0, unfinished: 0, unreached: 0 };
const END: RunEnd = {
  ...{ ended: "2026-11-22T12:01:00.000Z", result: "succeeded", changes: [] },
  counts: { create: 0, adopt: 0, update: 1, replace: 0, delete: 0, left: 0, held: 0, same: 0, ...NONE },
};
const idOf = (day: number): string => newRunId(new Date(Date.UTC(2026, 0, 1 + day)), "abcd");
const idsOf = async (history: History): Promise<string[]> => (await history.runs()).runs.map((run) => run.start.id);

function answersLikeAHistory(open: (name: string) => Promise<Place>): void {
  /** Makes another machine: a folder of its own, the same place. */
  const machine = async (name: string, told: string[] = []): Promise<History> =>
    new History(new RunStore(folder()), await open(name), "shop-dev", (line) => told.push(line));

  test("a run of one machine is there for another before its first write, as it grows, and at its end", async () => {
    const [here, there] = [await machine("grows"), await machine("grows")];
    here.store.add(idOf(1), [start(idOf(1))]);
    const following = await here.follow(idOf(1));
    expect(await idsOf(there)).toEqual([idOf(1)]);
    here.store.add(idOf(1), [END]);
    await following.end();
    const { runs } = await there.runs();
    expect(runs.map(({ end }) => end?.result)).toEqual(["succeeded"]);
    expect(there.store.bytesOf(idOf(1))).toEqual(here.store.bytesOf(idOf(1)));
    expect(statSync(there.store.file(idOf(1))).mode & 0o777).toBe(0o600);
    await here.remove(idOf(1));
    expect(await idsOf(await machine("grows"))).toEqual([]);
  });

  test("what a killed run had not sent yet goes there with the next command of its machine, and is never cut off", async () => {
    const [here, there] = [await machine("killed"), await machine("killed")];
    here.store.add(idOf(1), [start(idOf(1))]);
    await here.follow(idOf(1));
    const key = newKey();
    here.store.add(idOf(1), [{ kept: seal(key, { id: "page_1" }) }]);
    expect((await there.runs()).runs[0]?.sealed.kept).toHaveLength(0);
    expect((await here.runs()).runs[0]?.sealed.kept).toHaveLength(1);
    expect((await there.runs()).runs[0]?.sealed.kept).toHaveLength(1);
  });

  test("the last 30 runs and 90 days stay, here and there", async () => {
    const here = await machine("old");
    for (let day = 0; day < 40; day++) {
      here.store.add(idOf(day), [start(idOf(day)), END]);
      await (await here.follow(idOf(day))).end();
    }
    await here.forgetOld(Date.UTC(2026, 3, 6));
    const other = await machine("old");
    expect((await idsOf(other)).at(-1)).toBe(idOf(5));
    await other.forgetOld(Date.UTC(2027, 0, 1));
    expect(await idsOf(other)).toHaveLength(30);
    expect(await idsOf(await machine("old"))).toHaveLength(30);
  });

  test("a broken file and a run of another version are named, and the others are there", async () => {
    const here = await machine("broken");
    here.store.add(idOf(1), [start(idOf(1)), END]);
    here.store.add(idOf(2), [{ ...start(idOf(2)), landformRun: 2 } as unknown as RunStart, END]);
    here.store.add(idOf(3), []);
    appendFileSync(here.store.file(idOf(3)), '{"landformRun":1,"id":"2026');
    here.store.add(idOf(4), [{ ...start(idOf(4)), by: undefined } as unknown as RunStart]);
    for (const day of [1, 2, 3, 4]) await (await here.follow(idOf(day))).end();
    const { runs, unread } = await (await machine("broken")).runs();
    expect(runs.map((run) => run.start.id)).toEqual([idOf(1)]);
    expect(unread).toEqual([
      { id: idOf(4), why: "its file is damaged" },
      { id: idOf(3), why: "its file has no whole first line" },
      { id: idOf(2), why: "it is kept in form 2, and this version of Landform knows form 1" },
    ]);
    // The last run can't be undone, and the one before it is not the last.
    expect(() => refuseUnread(runs, unread, undefined)).toThrow(/run 20260105-\S+ can't be read: its file is damaged/);
    expect(() => refuseUnread(runs, unread, idOf(2))).toThrow(/form 2.*It has 20260102/);
    expect(() => refuseUnread(runs, unread, idOf(1))).not.toThrow();
    expect(() => refuseUnread(runs, unread.slice(3), undefined)).not.toThrow();
  });
}

describe("a folder", () => {
  const shared = folder();
  answersLikeAHistory((name) => openPlace(name, shared));

  test("that takes nothing stops no run, and that is told once; what can't be asked is no empty answer", async () => {
    const file = folder();
    writeFileSync(file, "");
    const told: string[] = [];
    const history = new History(new RunStore(folder()), await openPlace("in/it", file), "p", (line) => told.push(line));
    history.store.add(idOf(1), [start(idOf(1))]);
    await (await history.follow(idOf(1))).end();
    expect(told).toEqual([expect.stringMatching(/the history of this run stays on this machine: can't write/)]);
    await expect(history.runs()).rejects.toThrow(PlaceError);
    expect(history.store.list().runs).toHaveLength(1);
  });
});

describe("which place", () => {
  let project: string;
  beforeEach(() => {
    project = folder();
    mkdirSync(project);
    writeFileSync(join(project, "landform.yaml"), "landform: 1\nname: shop\n");
    vi.stubEnv("PULUMI_HOME", join(project, "home"));
    vi.stubEnv("PULUMI_CONFIG_PASSPHRASE", "correct horse");
    vi.stubEnv("LANDFORM_HISTORY", undefined);
  });
  afterEach(() => vi.unstubAllEnvs());

  const files = (path: string): string[] =>
    readdirSync(path, { recursive: true, encoding: "utf8" }).filter((name) => name.endsWith(".jsonl"));
  const opened = async (stateFolder = project): Promise<History> =>
    historyOf({ stateFolder }, await openStack(project, "dev"));
  const keep = async (history: History): Promise<void> => {
    history.store.add(idOf(1), [start(idOf(1)), END]);
    await (await history.follow(idOf(1))).end();
  };

  test("beside a state in a folder, and nowhere else", async () => {
    await keep(await opened());
    expect(files(project)).toHaveLength(1);
    expect(readdirSync(historyFolder(project, "shop", "dev"))).toEqual([`${idOf(1)}.jsonl`]);
  });

  test("the one that landform:history names, from the project's folder; LANDFORM_HISTORY goes before it", async () => {
    writeFileSync(join(project, "Pulumi.dev.yaml"), "config:\n  landform:history: ./kept\n");
    await keep(await opened());
    expect(files(join(project, "kept"))).toHaveLength(1);
    vi.stubEnv("LANDFORM_HISTORY", join(project, "elsewhere"));
    await keep(await opened());
    expect(files(join(project, "elsewhere"))).toHaveLength(1);
    expect(files(join(project, "kept"))).toHaveLength(1);
    // A machine that has seen nothing of it yet.
    vi.stubEnv("PULUMI_HOME", join(project, "another-home"));
    expect(await idsOf(await opened(join(project, "another-state")))).toEqual([idOf(1)]);
  });

  test("what names no place is refused by name", async () => {
    writeFileSync(join(project, "Pulumi.dev.yaml"), "config:\n  landform:history: { a: 1 }\n");
    await expect(opened()).rejects.toThrow("landform:history names no place");
    vi.stubEnv("LANDFORM_HISTORY", "gs://bucket");
    await expect(opened()).rejects.toThrow("s3://BUCKET/PREFIX");
  });

  test("values are opened by the stack's passphrase alone, and damage is told", async () => {
    writeFileSync(join(project, "Pulumi.dev.yaml"), "");
    const keys = new KeyRing(await openStack(project, "dev"));
    const key = newKey();
    const store = new RunStore(historyFolder(project, "shop", "dev"));
    const sealed = { ...start(idOf(1)), key: await keys.seal(key) };
    expect(sealed.key.by).toBe("stack");
    store.add(idOf(1), [sealed, { states: "before", sealed: seal(key, []) }, { kept: seal(key, { id: "page_1" }) }]);
    store.add(idOf(2), [{ ...sealed, id: idOf(2) }, { kept: `${seal(key, {}).slice(0, -8)}AAAAAAAA` }]);
    const [damaged, whole] = store.list().runs;
    if (!damaged || !whole) throw new Error("no runs");
    expect((await valuesOf(whole, keys)).kept).toEqual([{ id: "page_1" }]);
    await expect(valuesOf(damaged, keys)).rejects.toThrow(/the values of run 20260103-\S+ are damaged/);
    expect(readFileSync(store.file(idOf(1)), "utf8")).not.toContain(key);
    vi.stubEnv("PULUMI_CONFIG_PASSPHRASE", "wrong horse");
    const others = new KeyRing(await openStack(project, "dev"));
    await expect(valuesOf(whole, others)).rejects.toThrow(/passphrase/);
  });
});
