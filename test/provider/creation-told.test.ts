/** The facts that a creation writes into the ledger beside its object's id, and reads from there. */
import { beforeEach, describe, expect, test, vi } from "vitest";
import type { Found } from "../../provider/definition/collection.ts";
import {
  halfMadeBefore,
  isInLedgerAlone,
  noteCreation,
  notedOf,
  notesOfHalfMade,
  specOf,
} from "../../provider/reconcile/creation.ts";
import { identityFor, nameDigest } from "../../provider/ledger/identity.ts";
import { newKey, seal } from "../../provider/history/kept.ts";
import type { JsonMap } from "../../provider/values/json.ts";
import { UNKNOWN } from "../../provider/values/paths.ts";
import { Desk, IDENTITY, lost, OWN, RED, refused } from "./creation-desk.ts";

vi.mock("node:timers/promises", () => ({ setTimeout: () => Promise.resolve() }));

const ISO = expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/) as string;

let desk: Desk;
beforeEach(() => {
  desk = new Desk();
});

const SPEC = RED.full.slice(OWN.length + 1);
const LOST = { kind: "thing", name: "mug", state: "unknown", spec: SPEC, account: "acc_1" };

describe("a call whose answer never comes", () => {
  const losing = (): void => {
    desk.more = { ...desk.more, create: () => Promise.reject(lost), search: () => Promise.resolve([]) };
  };

  test("stays open, with what is needed to look for it later", async () => {
    losing();
    await expect(desk.create()).rejects.toMatchObject({ name: "LostAnswerError" });
    expect(desk.entries).toEqual([LOST]);
    expect(desk.ledger.of(OWN)[0]).toMatchObject({ called: nameDigest("Mug"), at: ISO });
  });

  test("has no account where nobody may ask for it, and no name where none is declared", async () => {
    losing();
    vi.spyOn(desk.run, "accountId").mockResolvedValue(undefined);
    await expect(desk.create({ color: "red" })).rejects.toMatchObject({ name: "LostAnswerError" });
    const [entry] = desk.ledger.of(OWN);
    expect([entry?.account, entry?.called]).toEqual([undefined, undefined]);
  });

  test("is over where it was refused", async () => {
    desk.more = { create: () => Promise.reject(refused) };
    await expect(desk.create()).rejects.toBe(refused);
    expect(desk.entries).toEqual([]);
  });

  test("that is refused crosses out nothing that an earlier run has written", async () => {
    desk.interrupt();
    desk.more = { create: () => Promise.reject(refused) };
    await expect(desk.create()).rejects.toBe(refused);
    expect(desk.entries.map(({ state }) => state)).toEqual(["unknown"]);
  });
});

describe("a call of which nothing but the answer tells", () => {
  test("is written down before it with what tells it from others, and an earlier one is told with that", async () => {
    desk.more = { marked: false, life: { sketch: ({ color }) => `of ${color as string}` } };
    desk.lacks.add("search");
    desk.interrupt({ sketch: "of blue", at: "2026-11-25T04:00:00.000Z" });
    await desk.create();
    expect(desk.entries).toMatchObject([{ state: "made", sketch: "of red" }]);
    expect(desk.steps.indexOf("intended")).toBeLessThan(desk.steps.indexOf("posted new_1"));
    const told = { code: "perhaps-orphaned", kind: "thing", id: "", name: 'thing "mug"' };
    expect(desk.told).toEqual([{ ...told, sketch: "of blue", at: "2026-11-25T04:00:00.000Z" }]);
  });

  test("and of which the state alone tells, has no time", async () => {
    desk.more = { marked: false };
    desk.lacks.add("search");
    desk.untold();
    await desk.create();
    expect(desk.told).toEqual([{ code: "perhaps-orphaned", kind: "thing", id: "", name: 'thing "mug"' }]);
  });
});

describe("what is made anew after a killed run", () => {
  test("leaves that one open, before its call: a list may show it yet", async () => {
    desk.interrupt();
    await desk.create();
    expect(desk.entries.map(({ state }) => state)).toEqual(["unknown", "made"]);
    expect(desk.steps.indexOf("unknown")).toBeLessThan(desk.steps.indexOf("posted new_1"));
  });

  test("is not where a leftover is carried on with, which was the last of the open ones", async () => {
    desk.interrupt();
    desk.interrupt();
    desk.put("left", `Mug [${RED.full}]`, { color: "red" });
    expect((await desk.create()).id).toBe("left");
    expect(desk.entries.map(({ state, id }) => [state, id])).toEqual([
      ["intended", undefined],
      ["made", "left"],
    ]);
  });
});

describe("what bears the marker where runs have kept the ledger", () => {
  beforeEach(() => void (desk.isThere = true));

  test("is somebody's where no creation is open: it stays, and is told", async () => {
    desk.put("copy", `Mug [${RED.full}]`, { color: "red" });
    expect((await desk.create()).id).toBe("new_1");
    expect([[...desk.account.keys()], desk.codes]).toEqual([["copy", "new_1"], ["perhaps-a-copy copy"]]);
  });

  test("is not taken for what a lost answer made, and by no later run", async () => {
    desk.put("copy", `Mug [${RED.full}]`, { color: "red" });
    let isShown = false;
    desk.more = {
      create: async (_, __, name) => {
        await desk.post(name, { color: "red" });
        throw lost;
      },
      search: async (_, text) => (await desk.search(text)).filter(({ id }) => isShown || id === "copy"),
    };
    await expect(desk.create()).rejects.toMatchObject({ name: "LostAnswerError" });
    isShown = true;
    desk.run.looks.clear();
    expect((await desk.create()).id).toBe("new_1");
    expect([...desk.account.keys()]).toEqual(["copy", "new_1"]);
  });

  test("is somebody's where the ledger has the id", async () => {
    desk.put("mine", "Mug", { color: "red" });
    desk.put("copy", `Mug [${RED.full}]`, { color: "red" });
    desk.record("mine");
    expect((await desk.create()).id).toBe("mine");
    expect([[...desk.account.keys()], desk.codes]).toEqual([
      ["mine", "copy"],
      ["perhaps-a-copy copy", "carried-on mine"],
    ]);
  });

  test("is somebody's, and nobody knows which, where more do than creations are open", async () => {
    for (const id of ["one", "two", "three"]) desk.put(id, `Mug [${RED.full}]`, { color: "red" });
    desk.interrupt();
    expect((await desk.create()).id).toBe("one");
    expect([...desk.account.keys()]).toEqual(["one", "two", "three"]);
    expect(desk.codes).toEqual(["perhaps-a-copy two", "perhaps-a-copy three", "carried-on one"]);
  });

  test("goes where as many creations are open", async () => {
    for (const id of ["one", "two"]) desk.put(id, `Mug [${RED.full}]`, { color: "red" });
    desk.interrupt();
    desk.interrupt();
    expect((await desk.create()).id).toBe("one");
    expect([[...desk.account.keys()], desk.entries.length]).toEqual([["one"], 1]);
  });
});

describe("what was noted of an object that no state has", () => {
  test("is known of what is carried on with, and of nothing else", async () => {
    desk.put("mine", "Mug", { color: "red" });
    desk.record("mine");
    await noteCreation(desk.run, { id: "mine", identity: IDENTITY }, { went: "public" });
    await noteCreation(desk.run, { id: "other", identity: IDENTITY }, { went: "elsewhere" });
    const { outs } = await desk.create();
    expect(outs["__declared"]).toEqual({ notes: { went: "public" } });
  });

  test("stays known where a new object takes its place", async () => {
    desk.put("mine", "Mug", { color: "blue" });
    desk.record("mine", { spec: "0000" });
    await noteCreation(desk.run, { id: "mine", identity: IDENTITY }, { went: "public" });
    const { id } = await desk.create();
    expect(halfMadeBefore(desk.run, { id, identity: IDENTITY })).toBe("mine");
    expect(notesOfHalfMade(desk.run, "mine")).toEqual({ went: "public" });
  });

  test("is nothing where it was sealed with another key, is no map, or there is no such object", async () => {
    const object = { id: "mine", identity: IDENTITY };
    desk.record("mine", { note: seal(newKey(), { went: "public" }) });
    expect(notedOf(desk.run, object)).toEqual({});
    await noteCreation(desk.run, object, ["public"] as unknown as JsonMap);
    expect(notedOf(desk.run, object)).toEqual({});
    expect([notesOfHalfMade(desk.run, "none"), notedOf(desk.run, { ...object, id: undefined })]).toEqual([{}, {}]);
  });

  test("counts as long as the ledger alone has the object", () => {
    desk.record("mine");
    const isAlone = (id: string | undefined, identity: string | undefined): boolean =>
      isInLedgerAlone(desk.run, { id, identity });
    expect([isAlone("mine", IDENTITY), isAlone("other", IDENTITY), isAlone("mine", undefined)]).toEqual([
      true,
      false,
      false,
    ]);
    desk.forget();
    expect(isAlone("mine", IDENTITY)).toBe(false);
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

  test("is told as the ledger keeps it", () => {
    expect(specOf(desk.definition, raw)).toBe(RED.full.slice(OWN.length + 1));
  });

  test("is not known as long as one of the inputs isn't", () => {
    const definition = { ...desk.definition, rule: () => ({ onChange: "replace" as const }) };
    expect(specOf(definition, { ...raw, inputs: { ...raw.inputs, color: UNKNOWN } })).toBeUndefined();
    expect(specOf(definition, raw)).toMatch(/^[0-9a-f]{4,}$/);
  });
});
