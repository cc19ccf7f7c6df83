/** What a creation tells our record beside the id of what it made, and what it takes from there. */
import { beforeEach, describe, expect, test, vi } from "vitest";
import type { Found } from "../../provider/definition/collection.ts";
import { specOf } from "../../provider/reconcile/creation.ts";
import {
  isInRecordAlone,
  noteCreation,
  notedOf,
  notesOfHalfMade,
  rememberNotes,
} from "../../provider/reconcile/creation-notes.ts";
import { identityFor } from "../../provider/reconcile/identity.ts";
import { newKey, seal } from "../../provider/history/sealing.ts";
import type { JsonMap } from "../../provider/values/json.ts";
import { UNKNOWN } from "../../provider/values/unknown.ts";
import { Desk, IDENTITY, lost, OWN, RED, refused } from "./creation-desk.ts";

vi.mock("node:timers/promises", () => ({ setTimeout: () => Promise.resolve() }));

const ISO = expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/) as string;

let desk: Desk;
beforeEach(() => {
  desk = new Desk();
});

describe("a call whose answer never comes", () => {
  const losing = (): void => {
    desk.more = { ...desk.more, create: () => Promise.reject(lost), search: () => Promise.resolve([]) };
  };

  test("is noted as lost, with what is needed to look for it later", async () => {
    losing();
    await expect(desk.create()).rejects.toMatchObject({ name: "LostAnswerError" });
    expect(desk.lost).toEqual([{ own: OWN, kind: "thing", called: "Mug", account: "acc_1" }]);
    await expect(desk.create({ color: "red" })).rejects.toMatchObject({ name: "LostAnswerError" });
    expect(desk.lost[1]).toEqual({ own: OWN, kind: "thing", called: "", account: "acc_1" });
  });

  test("is noted without an account where nobody may ask for it", async () => {
    losing();
    vi.spyOn(desk.run, "accountId").mockResolvedValue(undefined);
    await expect(desk.create()).rejects.toMatchObject({ name: "LostAnswerError" });
    expect(desk.lost).toStrictEqual([{ own: OWN, kind: "thing", called: "Mug" }]);
  });

  test.each(["marked", "leaves"] as const)("is not where no marker tells of it (%s)", async (part) => {
    losing();
    const refind = (): Promise<undefined> => Promise.resolve(undefined);
    desk.more = { ...desk.more, refind, ...(part === "marked" ? { marked: false } : { leaves: "in place" as const }) };
    await expect(desk.create()).rejects.toMatchObject({ name: "LostAnswerError" });
    expect(desk.lost).toEqual([]);
  });

  test("is not where it was refused", async () => {
    desk.more = { create: () => Promise.reject(refused) };
    await expect(desk.create()).rejects.toBe(refused);
    expect(desk.lost).toEqual([]);
  });
});

describe("a call of which nothing but the answer tells", () => {
  const MARKED = { own: OWN, kind: "thing", called: 'thing "Mug"', sketch: "", at: ISO };

  test("is noted before it with what tells it from others", async () => {
    desk.more = { marked: false };
    await desk.create();
    desk.more = { marked: false, sketch: ({ color }) => `of ${color as string}` };
    await desk.create();
    expect(desk.questions).toEqual([MARKED, { ...MARKED, sketch: "of red" }]);
    expect(desk.steps.indexOf("asked")).toBeLessThan(desk.steps.indexOf("posted new_1"));
  });

  test("is noted by its resource alone where a marker finds it, and the state is saved at the end", async () => {
    desk.settings.savedAtEnd = true;
    await desk.create();
    expect(desk.questions).toEqual([undefined]);
  });

  test("that fails crosses out nothing that an earlier run has noted", async () => {
    desk.unanswered.add(OWN);
    desk.more = { create: () => Promise.reject(refused) };
    await expect(desk.create()).rejects.toBe(refused);
    expect([...desk.unanswered]).toEqual([OWN]);
  });

  test("and an earlier run didn't see the end of, is told with what that run noted of it", async () => {
    desk.more = { marked: false };
    desk.interrupt();
    const at = "2026-11-25T04:00:00.000Z";
    desk.openQuestions = [{ own: OWN, kind: "thing", called: "Old mug", sketch: "of blue", at }];
    await desk.create();
    expect(desk.told).toEqual([
      { code: "perhaps-orphaned", kind: "thing", id: "", name: "Old mug", sketch: "of blue", at },
    ]);
    desk.told.length = 0;
    desk.recorded.clear();
    desk.openQuestions = [];
    await desk.create();
    expect(desk.told).toEqual([{ code: "perhaps-orphaned", kind: "thing", id: "", name: 'thing "Mug"' }]);
  });

  test("of no resource, after an interrupted one, asks our record nothing", async () => {
    desk.more = { marked: false, leaves: "in place" };
    desk.interrupt();
    desk.openQuestions = [{ own: "", kind: "thing", called: "Old mug", sketch: "", at: "" }];
    await desk.create();
    expect(desk.told).toEqual([{ code: "perhaps-orphaned", kind: "thing", id: "", name: 'thing "Mug"' }]);
  });
});

describe("what is made anew", () => {
  test("after a killed run is noted as sought, before its call", async () => {
    desk.interrupt();
    await desk.create();
    expect(desk.sought).toEqual([{ own: OWN, kind: "thing", called: "Mug", account: "acc_1", at: ISO }]);
    expect(desk.steps.indexOf("sought")).toBeLessThan(desk.steps.indexOf("posted new_1"));
  });

  test("is not where a leftover is carried on with, no run was killed, or no marker would tell", async () => {
    await desk.create();
    desk.recorded.clear();
    desk.run.looks.clear();
    desk.interrupt();
    desk.put("left", `Mug [${RED.full}]`, { color: "red" });
    expect((await desk.create()).id).toBe("left");
    desk.recorded.clear();
    desk.more = { marked: false };
    await desk.create();
    expect(desk.sought).toEqual([]);
  });
});

describe("what was noted of an object that no state has", () => {
  test("is known of what is carried on with, and of nothing else", async () => {
    desk.put("left", `Mug [${RED.full}]`, { color: "red" });
    await noteCreation(desk.run, { id: "left", identity: IDENTITY }, { went: "public" });
    await noteCreation(desk.run, { id: "other", identity: IDENTITY }, { went: "elsewhere" });
    const { outs } = await desk.create();
    expect(outs["__declared"]).toEqual({ notes: { went: "public" } });
  });

  test("stays known where a new object takes its place", async () => {
    desk.put("mine", "Mug", { color: "blue" });
    desk.record("mine", { spec: "0000" });
    await noteCreation(desk.run, { id: "mine", identity: IDENTITY }, { went: "public" });
    await desk.create();
    expect(desk.run.replacedHalfMade).toEqual(new Map([[OWN, "mine"]]));
    expect(notesOfHalfMade(desk.run, "mine")).toEqual({ went: "public" });
    await noteCreation(desk.run, { id: "mine", identity: IDENTITY }, { went: "elsewhere" });
    rememberNotes(desk.run, { id: "mine", identity: IDENTITY });
    expect(notesOfHalfMade(desk.run, "mine")).toEqual({ went: "public" });
  });

  test("is nothing of what no new object takes the place of", () => {
    expect(notesOfHalfMade(desk.run, "mine")).toEqual({});
    rememberNotes(desk.run, { id: undefined, identity: IDENTITY });
    expect(notesOfHalfMade(desk.run, undefined as unknown as string)).toEqual({});
  });

  test("is neither kept nor read of what has no id or no identity", async () => {
    for (const object of [
      { id: undefined, identity: IDENTITY },
      { id: "mine", identity: undefined },
    ]) {
      await noteCreation(desk.run, object, { went: "public" });
      expect(notedOf(desk.run, object)).toEqual({});
    }
    expect(desk.steps).toEqual([]);
  });

  test("is nothing where it was sealed with another key, or is no map", async () => {
    const object = { id: "mine", identity: IDENTITY };
    await desk.run.settings.record.noted(OWN, "mine", seal(newKey(), { went: "public" }));
    expect(notedOf(desk.run, object)).toEqual({});
    await noteCreation(desk.run, object, ["public"] as unknown as JsonMap);
    expect(notedOf(desk.run, object)).toEqual({});
  });

  test("counts as long as our record alone has the object", () => {
    desk.record("mine");
    expect(isInRecordAlone(desk.run, { id: "mine", identity: IDENTITY })).toBe(true);
    expect(isInRecordAlone(desk.run, { id: "other", identity: IDENTITY })).toBe(false);
    expect(isInRecordAlone(desk.run, { id: "mine", identity: undefined })).toBe(false);
    desk.recorded.clear();
    expect(isInRecordAlone(desk.run, { id: "mine", identity: IDENTITY })).toBe(false);
    expect(isInRecordAlone(desk.run, { id: undefined, identity: IDENTITY })).toBe(false);
  });
});

describe("looks for what killed runs left", () => {
  const kind = (name: string, search: () => Promise<Found[]>, marked = true) => ({
    ...desk.definition,
    kind: name,
    marked,
    search,
  });
  const cup = vi.fn(() => Promise.resolve<Found[]>([]));
  const hook = vi.fn(() => Promise.resolve<Found[]>([]));

  beforeEach(() => {
    cup.mockClear();
    hook.mockClear();
  });

  test("of all kinds with a marker that the run makes begin with its first creation", async () => {
    desk.settings.creates = [kind("cup", cup), kind("hook", hook, false), desk.definition];
    vi.spyOn(desk.run, "accountId").mockImplementation(() => {
      expect(cup).toHaveBeenCalledWith(desk.run, RED.stack);
      return Promise.resolve("acc_1");
    });
    await desk.create();
    await desk.create({ name: "Cup" }, identityFor("urn:pulumi:dev::shop::landform:Thing::cup"));
    expect([cup.mock.calls.length, hook.mock.calls.length]).toEqual([1, 0]);
    expect(desk.steps.filter((step) => step.startsWith("searched"))).toHaveLength(1);
  });

  test("that fail are made again by who needs them alone", async () => {
    cup.mockRejectedValueOnce(refused);
    desk.settings.creates = [kind("cup", cup), desk.definition];
    await desk.create();
    await desk.create({ name: "Cup" }, identityFor("urn:pulumi:dev::shop::landform:Thing::cup"));
    expect(cup).toHaveBeenCalledTimes(1);
  });

  test("don't begin for what is nobody's", async () => {
    desk.settings.creates = [kind("cup", cup)];
    await desk.create({ name: "Mug" }, "");
    expect(cup).not.toHaveBeenCalled();
  });
});

describe("what a creation would be made from", () => {
  const raw = { inputs: { name: "Mug", color: "red" }, identity: IDENTITY, provider: "code", ignored: [] };

  test("is told as our record keeps it", () => {
    expect(specOf(desk.definition, raw)).toBe(RED.full.slice(OWN.length + 1));
  });

  test("is not known as long as one of the inputs isn't", () => {
    const definition = { ...desk.definition, rule: () => ({ onChange: "replace" as const }) };
    expect(specOf(definition, { ...raw, inputs: { ...raw.inputs, color: UNKNOWN } })).toBeUndefined();
    expect(specOf(definition, raw)).toMatch(/^[0-9a-f]{4,}$/);
  });
});
