/**
 * Exactly once, rule by rule: the order of a creation's steps, and the proofs by which it takes an object for its own, removes it or leaves it alone.
 * exactly-once.test.ts has the same over HTTP for every kind, and test/faults has whole lives under faults.
 */
import { beforeEach, describe, expect, test, vi } from "vitest";
import type { JsonMap } from "../../provider/values/json.ts";
import { objectKey } from "../../provider/ledger/identity.ts";
import { BLUE, Desk, IDENTITY, lost, OTHER, OWN, RED, refused, STRANGER } from "./creation-desk.ts";

const waits = vi.hoisted((): number[] => []);
vi.mock("node:timers/promises", () => ({ setTimeout: (ms: number) => Promise.resolve(void waits.push(ms)) }));

let desk: Desk;
beforeEach(() => {
  desk = new Desk();
  waits.length = 0;
});

const NO_PATIENCE: number[] = [];
const PATIENCE = [200, 400, 400];
const of = (name: string, { full } = RED): string => `${name} [${full}]`;
const red = (id: string, name: string, more: JsonMap = {}): Desk => desk.put(id, name, { color: "red", ...more });
const blue = (id: string, name: string): Desk => desk.put(id, name, { color: "blue" });

test("it is looked for, made under its marker, recorded, and renamed last", async () => {
  const { id, outs } = await desk.create({ name: "Mug", color: "red", price: 5 });
  const steps = ["searched lf-#", "intended", "posted new_1", `made new_1 as ${of("Mug")}`, "applied name price"];
  expect([id, desk.steps, desk.names, desk.told]).toEqual(["new_1", steps, ["Mug"], []]);
  const creationDigest = RED.full.slice(OWN.length + 1);
  const made = { creationDigest, kind: "thing", name: "mug", state: "made", id: "new_1", account: "acc_1" };
  expect(desk.entries).toEqual([made]);
  expect(outs).toMatchObject({ name: "Mug", color: "red", price: 5, __identity: IDENTITY });
  expect(outs["__landform"]).toEqual({ form: 3, declared: "color name price", account: "acc_1" });
});

test.each<[string, Desk["more"], string[], string[]]>([
  ["of a kind without a marker", { marked: false }, ["intended", "made new_1 as Mug"], ["new_1"]],
  ["of a kind that stays in place", { leaves: "in place" }, ["searched lf-#"], []],
])("a creation %s", async (_, more, steps, recorded) => {
  desk.more = more;
  await desk.create();
  expect(desk.steps).toEqual(expect.arrayContaining(steps));
  expect(desk.recorded).toEqual(recorded);
});

test("without an identity there is neither marker nor entry", async () => {
  await desk.create({ name: "Mug" }, "");
  expect([desk.steps, desk.entries]).toEqual([["posted new_1", "applied "], []]);
});

/** The account and the ledger before, and then the object's id, all ids, and what is told. */
test.each<[string, () => unknown, string, string[], string[], number[]?]>([
  [
    "a leftover with the marker is carried on with",
    () => red("left", of("Mug")),
    "left",
    ["left"],
    ["carried-on left"],
  ],
  [
    "a leftover under an older name of the program, too",
    () => red("left", of("Old mug")),
    "left",
    ["left"],
    ["carried-on left"],
  ],
  [
    "a leftover of an older program is removed, and the second of two as well",
    () => [blue("old", of("Mug", BLUE)), red("one", of("Mug")), red("two", of("Mug"))],
    "one",
    ["one"],
    ["removed-leftover old", "removed-leftover two", "carried-on one"],
  ],
  [
    "copies of it stay",
    () => [red("behind", `${of("Mug")} (copy)`), red("before", `Copy of ${of("Mug")}`), red("left", of("Mug"))],
    "left",
    ["behind", "before", "left"],
    ["perhaps-a-copy behind", "perhaps-a-copy before", "carried-on left"],
  ],
  [
    "a public page is nobody's leftover",
    () => [red("left", of("Mug")), red("public", of("Mug"), { status: "published" })],
    "left",
    ["left", "public"],
    ["perhaps-a-copy public", "carried-on left"],
  ],
  [
    "objects of another resource or stack, and a namesake, are nothing to it",
    () => [red("other", of("Mug", OTHER)), red("stranger", of("Mug", STRANGER)), red("namesake", "Mug")],
    "new_1",
    ["other", "stranger", "namesake", "new_1"],
    [],
  ],
  [
    "a leftover that can't be carried on with is removed and made anew",
    () => [red("left", of("Mug")), (desk.more = { life: { resumes: () => false } })],
    "new_1",
    ["new_1"],
    ["removed-leftover left"],
  ],
  [
    "an object of the ledger is taken by its id, whatever it is called by now",
    () => [red("mine", "Renamed by hand"), desk.record("mine", { account: "acc_1" })],
    "mine",
    ["mine"],
    ["carried-on mine"],
  ],
  ["one that is gone is made anew", () => desk.record("mine"), "new_1", ["new_1"], [], NO_PATIENCE],
  [
    "one of another kind is none of it",
    () => [red("mine", "Mug"), desk.record("mine", { kind: "cup" })],
    "new_1",
    ["mine", "new_1"],
    [],
  ],
  [
    "one of another account is none of it",
    () => [red("mine", "Mug"), desk.record("mine", { account: "acc_2" })],
    "new_1",
    ["mine", "new_1"],
    [],
  ],
  [
    "one that was finished from other inputs stays with a word, where no command line removes it",
    () => [blue("mine", "Mug"), desk.record("mine", { creationDigest: "0000" }), (desk.settings.knowsStack = false)],
    "new_1",
    ["mine", "new_1"],
    ["left-behind mine"],
  ],
  [
    "one from other inputs that has its marker is removed",
    () => [blue("mine", of("Mug", BLUE)), desk.record("mine", { creationDigest: "0000" })],
    "new_1",
    ["new_1"],
    ["removed-leftover mine"],
  ],
  [
    "another one with its exact name is a person's copy",
    () => [red("mine", of("Mug")), red("copy", of("Mug")), desk.record("mine")],
    "mine",
    ["mine", "copy"],
    ["perhaps-a-copy copy", "carried-on mine"],
  ],
  [
    "so it is where the recorded one is gone",
    () => [red("copy", of("Mug")), desk.record("mine")],
    "new_1",
    ["copy", "new_1"],
    ["perhaps-a-copy copy"],
    NO_PATIENCE,
  ],
  [
    "so it is where the recorded one is from other inputs",
    () => [blue("mine", of("Mug", BLUE)), red("copy", of("Mug")), desk.record("mine", { creationDigest: "0000" })],
    "new_1",
    ["copy", "new_1"],
    ["removed-leftover mine", "perhaps-a-copy copy"],
  ],
  [
    "an interrupted creation is looked for with patience, and a namesake is not it where the ledger was kept",
    () => [red("namesake", "Mug"), desk.interrupt()],
    "new_1",
    ["namesake", "new_1"],
    [],
    PATIENCE,
  ],
  [
    "it needs no patience where a leftover of an older program is there",
    () => [blue("old", of("Mug", BLUE)), desk.interrupt()],
    "new_1",
    ["new_1"],
    ["removed-leftover old"],
    NO_PATIENCE,
  ],
  [
    "what was found by its marker needs no patience and no candidate",
    () => [desk.untold(), red("left", of("Mug")), red("namesake", "Mug")],
    "left",
    ["left", "namesake"],
    ["carried-on left"],
    NO_PATIENCE,
  ],
  [
    "a marker is somebody's where the ledger was kept and no creation is open",
    () => [(desk.isThere = true), red("copy", of("Mug"))],
    "new_1",
    ["copy", "new_1"],
    ["perhaps-a-copy copy"],
  ],
  [
    "so are all but one where one creation is open",
    () => [
      (desk.isThere = true),
      desk.interrupt(),
      red("one", of("Mug")),
      red("two", of("Mug")),
      red("three", of("Mug")),
    ],
    "one",
    ["one", "two", "three"],
    ["perhaps-a-copy two", "perhaps-a-copy three", "carried-on one"],
  ],
  [
    "as many as there are open creations are its own",
    () => [(desk.isThere = true), desk.interrupt(), desk.interrupt(), red("one", of("Mug")), red("two", of("Mug"))],
    "one",
    ["one"],
    ["removed-leftover two", "carried-on one"],
  ],
])("%s", async (_, before, id, left, told, waited) => {
  before();
  expect((await desk.create()).id).toBe(id);
  expect([[...desk.account.keys()], desk.codes]).toEqual([left, told]);
  if (waited !== undefined) expect(waits).toEqual(waited);
});

test.each<[string, string, "removed" | "stays"]>([
  [" Mug  and\tcup ", "Mug and cup", "removed"],
  ["Mug", "MUG", "removed"],
  ["Caf\u00e9", "Cafe\u0301", "removed"],
  ["Mug \u2460", "Mug 1", "removed"],
  ["Mug", "", "removed"],
  ["Mug and cup", "Mugandcup", "stays"],
  ["Mug", "Mug 2", "stays"],
])("what is called %j here and %j there is its leftover: %s", async (here, there, becomes) => {
  blue("old", of(there, BLUE));
  await desk.create({ name: here, color: "red" });
  expect(desk.account.has("old")).toBe(becomes === "stays");
  expect(desk.codes).toEqual([becomes === "stays" ? "perhaps-a-copy old" : "removed-leftover old"]);
});

test("if the look fails after the recorded one was found gone, the next run still knows a person's copy", async () => {
  red("copy", of("Mug")).record("mine");
  desk.more = { search: () => Promise.reject(refused) };
  await expect(desk.create()).rejects.toBe(refused);
  desk.more = {};
  expect([(await desk.create()).id, desk.codes]).toEqual(["new_1", ["perhaps-a-copy copy"]]);
  expect([desk.nameOf("copy"), desk.recorded]).toEqual([of("Mug"), ["new_1"]]);
});

test("a list that lags shows the recorded one, which is gone: it is made anew", async () => {
  desk.record("mine");
  const stale = { id: "mine", name: of("Mug"), answer: { id: "mine", name: of("Mug") } };
  desk.more = { search: () => Promise.resolve([stale]) };
  expect([(await desk.create()).id, desk.codes, desk.recorded]).toEqual(["new_1", [], ["new_1"]]);
});

test("a list that lags shows it late, and it is found", async () => {
  desk.interrupt();
  let looks = 0;
  desk.more = {
    search: (_, text) => {
      if (++looks === 4) red("late", of("Mug"));
      return desk.search(text);
    },
  };
  expect([(await desk.create()).id, waits]).toEqual(["late", [200, 400]]);
});

describe("without proof nothing is made and nothing taken", () => {
  test.each(["Mug [lf-", of("Mug").slice(0, 20), "Mug [l…"])("where the service cut names: %j", async (name) => {
    desk.interrupt();
    red("cut", name);
    await expect(desk.create()).rejects.toMatchObject({
      name: "UnprovenError",
      candidates: [{ id: "cut" }],
      message: expect.stringMatching(/the service has cut a name, .* set adoptId to its id/) as string,
    });
    expect([desk.names, desk.recorded]).toEqual([[name], []]);
  });

  test("where only the state tells of it: the candidates are named, with both ways on", async () => {
    desk.untold();
    red("a", "Mug", { createdAt: "2026-01-01T00:00:00Z" });
    red("b", "Mug", { createdAt: null });
    await expect(desk.create()).rejects.toMatchObject({
      candidates: [{ id: "a", createdAt: "2026-01-01T00:00:00Z" }, { id: "b" }],
      message: expect.stringMatching(
        /a \(made 2026-01-01T00:00:00Z\), b \(made on .*LANDFORM_NOT_OURS=a,b\.$/,
      ) as string,
    });
    expect([desk.account.size, desk.recorded]).toEqual([2, []]);
  });

  test.each<[string, () => unknown]>([
    ["of another name", () => red("a", "Mug 2")],
    ["that the stack has already", () => [(desk.kept = []), desk.untold(["a"])]],
    ["that the user said is not it", () => desk.foreign.add("a")],
    ["that this run took over", () => desk.run.taken.add(objectKey(desk.definition, "a"))],
    ["that this run deleted", () => desk.run.deleted.add(objectKey(desk.definition, "a"))],
    ["of another site", () => desk.put("a", "Mug", { projectId: "own", siteId: "other" })],
    ["of another project", () => desk.put("a", "Mug", { projectId: "other" })],
    ["without a project, where one is declared", () => desk.put("a", "Mug", { projectId: null })],
  ])("but an object %s is no candidate", async (_, change) => {
    desk.untold();
    red("a", "Mug");
    change();
    expect((await desk.create({ name: "Mug", color: "red", projectId: "own" })).id).toBe("new_1");
    expect(desk.nameOf("a")).toMatch(/^Mug/);
  });
});

describe("what only its name tells, which the service may spell in its own way", () => {
  const inPlace = (name: string, shown: string): ReturnType<Desk["create"]> => {
    desk.put("old", shown);
    const rows = () => [...desk.account].map(([id, answer]) => ({ id, ...answer, created_at: "2026-01-01" }));
    const collection = {
      what: "thing",
      nameOf: (row: { name: string }) => row.name,
      all: async function* () {
        yield* await Promise.resolve(rows());
      },
    };
    const notFound = () => Promise.resolve(undefined);
    const more = { marked: false, leaves: "in place", life: { reuse: notFound, refind: notFound }, collection };
    desk.more = { ...more, ...desk.more } as typeof desk.more;
    return desk.create({ name });
  };

  test.each([
    ["Mugs & Co", "Mugs &amp; Co"],
    ["Mugs  Example", "Mugs Example"],
    ["Cafe\u0301", "Caf\u00e9"],
    ["Spring Mugs", "spring-mugs"],
    ["spring-launch.example", "spring-launc"],
  ])("%j shown as %j may be it: it is named", async (name, shown) => {
    desk.interrupt();
    await expect(inPlace(name, shown)).rejects.toMatchObject({ name: "UnprovenError", candidates: [{ id: "old" }] });
    expect(desk.names).toEqual([shown]);
  });

  test.each<[string, string, () => unknown]>([
    ["of another name", "autumn-mugs", () => desk.interrupt()],
    ["of which little is left", "spr", () => desk.interrupt()],
    ["that the stack has already", "spring-mugs", () => desk.interrupt({ others: ["old"] })],
    ["where nothing was interrupted", "spring-mugs", () => undefined],
  ])("one %s is not it", async (_, shown, setUp) => {
    setUp();
    expect((await inPlace("Spring Mugs", shown)).id).toBe("new_1");
  });

  test("after a lost answer each later run asks again, until a person says that it is not it", async () => {
    desk.more = { create: () => Promise.reject(lost) };
    for (let run = 0; run < 3; run++) {
      await expect(inPlace("Spring Mugs", "spring-mugs")).rejects.toMatchObject({ candidates: [{ id: "old" }] });
      desk.more = {};
    }
    desk.foreign.add("old");
    expect((await inPlace("Spring Mugs", "spring-mugs")).id).toBe("new_1");
  });
});

describe("a call without an answer", () => {
  const losing = (): void => {
    desk.more = { ...desk.more, create: () => Promise.reject(lost) };
  };

  test.each<[string, Desk["more"], string, number[]]>([
    ["is told with what is known", {}, "nothing like it appeared within 1 s", PATIENCE],
    [
      "is looked for five times as long where no call can delete",
      { leaves: "in place" },
      "within 5 s",
      [200, 400, 800, 1600, 2000],
    ],
    [
      "may leave an orphan of a kind that can't be looked for",
      { marked: false },
      "It may exist as an orphan",
      NO_PATIENCE,
    ],
  ])("%s", async (_, more, says, waited) => {
    desk.more = more;
    losing();
    await expect(desk.create()).rejects.toThrow(says);
    expect([waits, desk.recorded]).toEqual([waited, []]);
  });

  test("stays open in the ledger, and is over where it was refused", async () => {
    losing();
    await expect(desk.create()).rejects.toThrow();
    expect(desk.entries.map(({ state }) => state)).toEqual(["unknown"]);
    desk = new Desk();
    desk.more = { create: () => Promise.reject(refused) };
    await expect(desk.create()).rejects.toBe(refused);
    expect(desk.entries).toEqual([]);
  });
});

describe("an answer that tells of an object by another name", () => {
  /** The call makes the object, but its answer shows this name and the id of somebody's object. */
  function answering(name: unknown): void {
    desk.put("theirs", "Theirs", { color: "green" });
    desk.more = {
      create: async (_, { color }, asked) => {
        const { sent } = await desk.post(asked, { color: String(color) });
        return { id: "theirs", answer: { id: "theirs", name: name as string }, sent };
      },
    };
  }

  test.each(["Theirs", "Mug and saucer", of("Mug", OTHER), `Mug [${RED.full.slice(0, -4)}ffff]`, "M…g", "A mug"])(
    "%j is not believed: what was made is found by its marker, and the other one stays",
    async (name) => {
      answering(name);
      const { id, outs } = await desk.create();
      expect([id, outs["color"], desk.told]).toEqual(["new_1", "red", []]);
      expect(desk.account.get("theirs")).toEqual({ id: "theirs", name: "Theirs", color: "green" });
      expect(desk.recorded.at(-1)).toBe("new_1");
    },
  );

  test.each([
    of("Mug"),
    `${of("Mug").toUpperCase()} (spring.example)`,
    "Mug [lf-",
    "Mug...",
    " mug  [LF",
    undefined,
    7,
  ])("%j may be its own, cut or folded by the service", async (name) => {
    answering(name);
    expect((await desk.create()).id).toBe("theirs");
  });
});

test("an undo makes it anew with what nobody declared, which stays nobody's, and with its draft", async () => {
  const drafts: unknown[] = [];
  const anew = { [OWN]: { price: 7, texts: { title: "Then", note: "Kept" } } };
  desk.settings.restore = { objects: {}, anew, anewDrafts: { [OWN]: { price: 8 } } };
  desk.more = { undo: { restoresDraft: (_, id, draft) => Promise.resolve(void drafts.push([id, draft])) } };
  const { outs } = await desk.create({ name: "Mug", color: "red", texts: { title: "Now" } });
  expect(desk.account.get("new_1")).toMatchObject({ price: 7, texts: { title: "Then", note: "Kept" } });
  expect([outs["texts"], drafts]).toEqual([{ title: "Then" }, [["new_1", { price: 8 }]]]);
  expect(outs["__landform"]).toMatchObject({ declared: "color name texts" });
});
