/**
 * Exactly once, rule by rule: what a creation does in which order, what it takes for its own and on which proof, what it
 * looks for after a lost answer, and what it leaves alone. Whole lives under faults are in test/faults.
 */
import { beforeEach, describe, expect, test, vi } from "vitest";
import { ApiError } from "../../provider/api/index.ts";
import type { JsonMap } from "../../provider/json.ts";
import {
  environmentIn,
  identityFor,
  markedName,
  markerIn,
  markerOf,
  nameIn,
  ownIn,
  stackIn,
  stackOf,
  withoutMarkerOf,
} from "../../provider/lifecycle/identity.ts";
import { twinOf } from "../../provider/lifecycle/marked-objects.ts";
import { ObjectState } from "../../provider/lifecycle/object-state.ts";
import { Desk, IDENTITY } from "./creation-desk.ts";

const waits = vi.hoisted((): number[] => []);
vi.mock("node:timers/promises", () => ({ setTimeout: (ms: number) => Promise.resolve(void waits.push(ms)) }));

const OWN = ownIn(IDENTITY);
const RED = markerOf(IDENTITY, [["color", "red"]]);
const BLUE = markerOf(IDENTITY, [["color", "blue"]]);
const OTHER = markerOf(identityFor("urn:pulumi:dev::shop::landform:Thing::cup"), [["color", "red"]]);
const STRANGER = markerOf(identityFor("urn:pulumi:prod::shop::landform:Thing::mug"), [["color", "red"]]);

const lost = new ApiError({ what: "the connection broke", remedy: "Wait.", outcome: "unknown" });
const refused = new ApiError({ what: "it is not allowed", remedy: "Ask.", outcome: "refused" });

let desk: Desk;
beforeEach(() => {
  desk = new Desk();
  waits.length = 0;
});

const interrupted = (others: readonly string[] = []): void => void desk.unfinished.set(OWN, { others });
const record = (id: string, more: object = {}): void =>
  void desk.recorded.set(OWN, { own: OWN, spec: RED.full.slice(OWN.length + 1), kind: "thing", id, ...more });

describe("an identity", () => {
  test("tells the stack and the resource, and holds the name for messages", () => {
    const of = (urn: string): string => ownIn(identityFor(urn));
    expect(IDENTITY).toMatch(/^lf-[0-9a-f]{8}-[0-9a-f]{10} mug$/);
    expect(stackIn(OWN)).toBe(stackOf("shop", "dev"));
    expect(stackIn(of("urn:pulumi:dev::shop::landform:Page::x"))).toBe(stackIn(OWN));
    expect(of("urn:pulumi:dev::shop::landform:Thing::cup")).not.toBe(OWN);
    for (const other of ["urn:pulumi:prod::shop::a::x", "urn:pulumi:dev::bar::a::x"])
      expect(stackIn(of(other))).not.toBe(stackIn(OWN));
    expect(nameIn(identityFor("urn:pulumi:dev::shop::a::some name::x"))).toBe("some name::x");
  });

  test("tells the preview environment that it is part of, and is the same without", () => {
    const inside = identityFor("urn:pulumi:dev::shop::landform:Thing::mug", "pr-1");
    expect([environmentIn(inside), environmentIn(IDENTITY), environmentIn("lf-1-2 a~b c")]).toEqual([
      "pr-1",
      undefined,
      undefined,
    ]);
    expect([ownIn(inside), nameIn(inside)]).toEqual([OWN, "mug"]);
  });

  test("makes a marker that tells what the object was made from", () => {
    expect(RED.full).toMatch(new RegExp(`^${OWN}-[0-9a-f]{4}$`));
    expect([RED.own, RED.stack]).toEqual([OWN, stackIn(OWN)]);
    expect(BLUE.full).not.toBe(RED.full);
    expect(markedName("Mug", RED)).toBe(`Mug [${RED.full}]`);
  });

  test.each<[string, string | undefined]>([
    [`Mug [${RED.full}]`, RED.full],
    [`Mug [${RED.full.toUpperCase()}]`, RED.full],
    [`Mug ${RED.full}`, RED.full],
    [`${RED.full} (spring.example)`, RED.full],
    ["Mug", undefined],
    [`Mug [${OWN}]`, undefined],
    ["Mug [lf-12345678]", undefined],
  ])("a marker in %j", (name, marker) => {
    expect(markerIn(name)).toBe(marker);
  });

  test("no marker in no name", () => {
    expect([markerIn(null), markerIn(undefined)]).toEqual([undefined, undefined]);
  });

  test.each([
    [`Mug [${RED.full}]`, "Mug"],
    [`Mug [${BLUE.full}], again Mug [${RED.full}]`, "Mug, again Mug"],
    [`mug-${RED.full}`, "mug"],
    [`mug_-_${RED.full.toUpperCase()}-2`, "mug-2"],
    [`Mug [${OTHER.full}]`, `Mug [${OTHER.full}]`],
    ["Mug", "Mug"],
  ])("the text %j without it", (text, clean) => {
    expect(withoutMarkerOf(IDENTITY, text)).toBe(clean);
  });
});

describe("a creation that nothing disturbs", () => {
  test("is looked for, made under its marker, recorded, and renamed last", async () => {
    const { id, outs } = await desk.create({ name: "Mug", color: "red", price: 5 });
    expect(desk.steps).toEqual([
      "record begins",
      "searched lf-#",
      "posted new_1",
      `recorded new_1 as Mug [${RED.full}]`,
      "applied name price",
    ]);
    expect([id, desk.names, desk.told]).toEqual(["new_1", ["Mug"], []]);
    const recorded = { own: OWN, spec: RED.full.slice(OWN.length + 1), kind: "thing", id: "new_1", account: "acc_1" };
    expect(desk.recorded.get(OWN)).toEqual(recorded);
    expect(outs).toMatchObject({ name: "Mug", color: "red", price: 5, __identity: IDENTITY });
    expect(outs["__landform"]).toEqual({ declared: "color name price", account: "acc_1" });
  });

  test("of a kind without a marker has its own name from the beginning, and an empty spec in the record", async () => {
    desk.more = { marked: false };
    await desk.create();
    expect(desk.steps).toEqual(["record begins", "asked", "posted new_1", "recorded new_1 as Mug", "applied "]);
    expect(desk.recorded.get(OWN)?.spec).toBe("");
  });

  test("of what stays in place when it is deleted is not recorded: the user's own name finds it", async () => {
    desk.more = { leaves: "in place" };
    await desk.create();
    expect(desk.recorded.size).toBe(0);
  });

  test("of what is retired is recorded", async () => {
    desk.more = { leaves: "retired" };
    await desk.create();
    expect(desk.recorded.size).toBe(1);
  });

  test("without an identity there is neither marker nor record", async () => {
    await desk.create({ name: "Mug" }, "");
    expect([desk.steps, desk.recorded.size]).toEqual([["record begins", "posted new_1", "applied "], 0]);
  });

  test("without an account in the answer the record has none", async () => {
    vi.spyOn(desk.run, "account").mockResolvedValue(undefined);
    await desk.create();
    expect(desk.recorded.get(OWN)).not.toHaveProperty("account");
  });

  test("takes over what adoptId names, and makes nothing", async () => {
    desk.put("old", "Mug", { color: "red" });
    const { id, outs } = await desk.create({ name: "Mug", color: "red", adoptId: "old" });
    expect([id, desk.steps, outs["__landform"]]).toEqual([
      "old",
      [],
      { declared: "name color adoptId", account: "acc_1" },
    ]);
  });

  test("learns what the answer to it shows", async () => {
    desk.more = { create: () => Promise.resolve({ id: "old", answer: { id: "old", seen: "so" }, sent: [] }) };
    expect((await desk.create()).outs).toMatchObject({ seen: "so" });
  });

  test.each([true, false])(
    "marked %j, has a last look, and tells its kind whether it carries a marker",
    async (marked) => {
      const passes: unknown[] = [];
      const note = ({ created }: { created: boolean }): Promise<void> => Promise.resolve(void passes.push(created));
      desk.more = { marked, apply: note, settle: note };
      await desk.create();
      expect(passes).toEqual([marked, marked]);
    },
  );

  test("has a marker of what is declared alone, also without a name", async () => {
    await desk.create({ price: 5 });
    expect(desk.steps).toContain(`recorded new_1 as  [${markerOf(IDENTITY, []).full}]`);
  });

  test("takes over what its kind reuses, and makes nothing", async () => {
    desk.put("old", "Mug");
    desk.more = { reuse: () => Promise.resolve({ id: "old", answer: { id: "old", name: "Mug" }, sent: [] }) };
    expect((await desk.create()).id).toBe("old");
    expect(desk.steps).toContain("applied name color");
    expect(desk.steps.join()).not.toContain("posted");
  });
});

describe("what an interrupted creation left", () => {
  test("is carried on with by its marker", async () => {
    desk.put("left", `Mug [${RED.full}]`, { color: "red" });
    expect((await desk.create()).id).toBe("left");
    expect([desk.names, desk.codes]).toEqual([["Mug"], ["carried-on left"]]);
    expect(desk.steps.slice(-2)).toEqual([`recorded left as Mug [${RED.full}]`, "applied name"]);
  });

  test("is carried on with as its look shows it", async () => {
    desk.put("left", `Mug [${RED.full}]`, { color: "red" });
    desk.more = {
      search: async (_, text) =>
        (await desk.search(text)).map((row) => ({ ...row, answer: { ...row.answer, seen: "so" } })),
    };
    const { outs } = await desk.create();
    expect(outs).toMatchObject({ seen: "so" });
    expect(outs).not.toHaveProperty("__declared");
  });

  test("of another kind is looked for by itself", async () => {
    await desk.create();
    desk.more = { kind: "cup" };
    await desk.create({ name: "Cup" }, identityFor("urn:pulumi:dev::shop::landform:Cup::cup"));
    expect(desk.steps.filter((step) => step.startsWith("searched"))).toHaveLength(2);
  });

  test("is removed as it is shown now, and not as a list had it", async () => {
    const forgotten = vi.spyOn(desk.run, "forget");
    const removed: unknown[] = [];
    desk.put("old", `Mug [${BLUE.full}]`, { color: "blue" });
    desk.more = { delete: (_, id, { answer }) => Promise.resolve(void removed.push([id, answer["color"]])) };
    await desk.create();
    expect([forgotten.mock.calls, removed]).toEqual([[["old"]], [["old", "blue"]]]);
  });

  test("is found where the service folds names", async () => {
    desk.more = {
      search: async (_, text) => (await desk.search(text)).map((row) => ({ ...row, name: row.name.toUpperCase() })),
    };
    desk.put("left", `Mug [${RED.full}]`, { color: "red" });
    expect((await desk.create()).id).toBe("left");
  });

  test("of an older program is removed, and the second of two as well", async () => {
    desk.put("old", `Mug [${BLUE.full}]`, { color: "blue" });
    desk.put("one", `Mug [${RED.full}]`, { color: "red" });
    desk.put("two", `Mug [${RED.full}]`, { color: "red" });
    expect((await desk.create()).id).toBe("one");
    expect([...desk.account.keys()]).toEqual(["one"]);
    expect(desk.codes).toEqual(["removed-leftover old", "removed-leftover two", "carried-on one"]);
    expect(desk.told[0]).toMatchObject({ kind: "thing", name: `Mug [${BLUE.full}]` });
  });

  test("is told from somebody's copies of it, which stay", async () => {
    desk.put("behind", `Mug [${RED.full}] (copy)`, { color: "red" });
    desk.put("before", `Copy of Mug [${RED.full}]`, { color: "red" });
    desk.put("left", `Mug [${RED.full}]`, { color: "red" });
    expect((await desk.create()).id).toBe("left");
    expect([...desk.account.keys()]).toEqual(["behind", "before", "left"]);
    expect(desk.codes).toEqual(["perhaps-a-copy behind", "perhaps-a-copy before", "carried-on left"]);
  });

  test("is nobody's leftover once it is public, whatever it is called", async () => {
    desk.put("left", `Mug [${RED.full}]`, { color: "red" });
    desk.put("public", `Mug [${RED.full}]`, { color: "red", status: "published" });
    expect((await desk.create()).id).toBe("left");
    expect([...desk.account.keys()]).toEqual(["left", "public"]);
    expect(desk.codes).toEqual(["perhaps-a-copy public", "carried-on left"]);
  });

  test("of a program that called it otherwise is carried on with, and a copy alone is not", async () => {
    desk.put("behind", `Mug [${RED.full}] (copy)`, { color: "red" });
    desk.put("left", `Old mug [${RED.full}]`, { color: "red" });
    expect((await desk.create()).id).toBe("left");
    desk.account.delete("left");
    desk.run.looks.clear();
    expect((await desk.create()).id).toBe("new_1");
    expect([...desk.account.keys()]).toEqual(["behind", "new_1"]);
  });

  test("of another resource or stack is nothing to it, and neither is a namesake", async () => {
    desk.put("other", `Mug [${OTHER.full}]`, { color: "red" });
    desk.put("stranger", `Mug [${STRANGER.full}]`, { color: "red" });
    desk.put("namesake", "Mug", { color: "red" });
    const before = structuredClone([...desk.account]);
    expect((await desk.create()).id).toBe("new_1");
    expect([...desk.account].slice(0, 3)).toEqual(before);
    expect(desk.told).toEqual([]);
  });

  test("and was finished or is gone meanwhile is left alone", async () => {
    const shown = [
      { id: "done", name: `Mug [${BLUE.full}]`, answer: {} },
      { id: "nameless", name: `Mug [${BLUE.full}]`, answer: {} },
      { id: "gone", name: `Mug [${BLUE.full}]`, answer: {} },
    ];
    desk.put("done", "Mug");
    desk.account.set("nameless", { id: "nameless" });
    desk.more = { search: () => Promise.resolve(shown) };
    expect((await desk.create()).id).toBe("new_1");
    expect(desk.steps.join()).not.toContain("deleted");
    expect([...desk.account.keys()]).toEqual(["done", "nameless", "new_1"]);
    expect(desk.told).toEqual([]);
  });

  test("is judged by the name that its page has, where the name shown holds its site's", async () => {
    const full = `Mug [${BLUE.full}]`;
    desk.account.set("old", { id: "old", name: "Mug (spring.example)", pageName: full });
    desk.more = { search: () => Promise.resolve([{ id: "old", name: full, answer: {} }]) };
    await desk.create();
    expect([...desk.account.keys()]).toEqual(["new_1"]);
  });

  test("and can't be carried on with is removed and made anew", async () => {
    desk.more = { resumes: ({ color }) => color !== "red" };
    desk.put("left", `Mug [${RED.full}]`, { color: "red" });
    expect((await desk.create()).id).toBe("new_1");
    expect([desk.names, desk.codes]).toEqual([["Mug"], ["removed-leftover left"]]);
  });

  test("is looked for once for all resources of the stack, and once more after a look that failed", async () => {
    await desk.create();
    await desk.create({ name: "Cup" }, identityFor("urn:pulumi:dev::shop::landform:Thing::cup"));
    expect(desk.steps.filter((step) => step.startsWith("searched"))).toHaveLength(1);
    desk.run.looks.clear();
    desk.more = { search: () => Promise.reject(refused) };
    await expect(desk.create()).rejects.toBe(refused);
    desk.more = {};
    desk.recorded.clear();
    desk.put("left", `Mug [${RED.full}]`, { color: "red" });
    expect((await desk.create()).id).toBe("left");
  });
});

describe("what our record names", () => {
  test("is taken by its id, whatever it is called by now", async () => {
    desk.put("mine", "Renamed by hand", { color: "red" });
    record("mine", { account: "acc_1" });
    expect((await desk.create()).id).toBe("mine");
    expect([desk.names, desk.codes]).toEqual([["Mug"], ["carried-on mine"]]);
  });

  test("and is gone is crossed out, and made anew", async () => {
    record("mine");
    expect((await desk.create()).id).toBe("new_1");
    expect(desk.recorded.get(OWN)?.id).toBe("new_1");
    expect([desk.settled, waits]).toEqual([["mine"], []]);
  });

  test("and is gone needs no patience, whatever the state tells", async () => {
    const forgotten = vi.spyOn(desk.run, "forget");
    interrupted();
    record("mine");
    expect((await desk.create()).id).toBe("new_1");
    expect([forgotten.mock.calls, waits]).toEqual([[["mine"]], []]);
  });

  test.each([{ kind: "cup" }, { account: "acc_2" }])("of %j is none of it", async (other) => {
    desk.put("mine", "Mug", { color: "red" });
    record("mine", other);
    expect((await desk.create()).id).toBe("new_1");
    expect(desk.account.size).toBe(2);
  });

  test("of an account that nobody can compare is taken", async () => {
    vi.spyOn(desk.run, "account").mockResolvedValue(undefined);
    desk.put("mine", "Mug", { color: "red" });
    record("mine", { account: "acc_2" });
    expect((await desk.create()).id).toBe("mine");
  });

  test("from other inputs stays with a word, unless it still has its marker", async () => {
    desk.put("mine", "Mug", { color: "blue" });
    record("mine", { spec: "0000" });
    expect((await desk.create()).id).toBe("new_1");
    expect([...desk.account.keys()]).toEqual(["mine", "new_1"]);
    expect(desk.told).toEqual([{ code: "left-behind", kind: "thing", id: "mine" }]);
    expect(desk.settled).toEqual(["mine"]);
    expect(desk.recorded.get(OWN)?.id).toBe("new_1");
  });

  test("from other inputs and with its marker is removed", async () => {
    desk.put("mine", `Mug [${BLUE.full}]`, { color: "blue" });
    record("mine", { spec: "0000" });
    expect((await desk.create()).id).toBe("new_1");
    expect(desk.codes).toEqual(["removed-leftover mine"]);
  });

  test("and can't be carried on with, is taken where it was finished, without what only its making told", async () => {
    desk.more = { resumes: () => false };
    desk.put("mine", "Mug", { color: "red" });
    record("mine");
    const { id, outs } = await desk.create();
    expect([id, outs["__declared"]]).toEqual(["mine", { notes: { blind: true } }]);
  });

  test("and can't be carried on with, is made anew where it still has its marker", async () => {
    desk.more = { resumes: () => false };
    desk.put("mine", `Mug [${RED.full}]`, { color: "red" });
    record("mine");
    expect((await desk.create()).id).toBe("new_1");
    expect([...desk.account.keys()]).toEqual(["new_1"]);
  });

  test("of a kind that nothing can be learned of is removed, and made anew", async () => {
    desk.more = { marked: false };
    desk.put("mine", "Mug");
    record("mine", { spec: "" });
    interrupted();
    expect((await desk.create()).id).toBe("new_1");
    expect([...desk.account.keys()]).toEqual(["new_1"]);
    expect(desk.told).toEqual([{ code: "removed-leftover", kind: "thing", id: "mine", name: 'thing "Mug"' }]);
    expect(desk.settled).toEqual(["mine"]);
  });

  test("has its second copies removed", async () => {
    desk.put("mine", "Mug", { color: "red" });
    desk.put("copy", `Mug [${RED.full}]`, { color: "red" });
    record("mine");
    expect((await desk.create()).id).toBe("mine");
    expect(desk.codes).toEqual(["removed-leftover copy", "carried-on mine"]);
  });
});

describe("where the state tells of an interrupted creation", () => {
  test("and lists are behind, it is looked for with patience", async () => {
    interrupted();
    let looks = 0;
    desk.more = {
      search: (_, text) => {
        if (++looks === 4) desk.put("late", `Mug [${RED.full}]`, { color: "red" });
        return desk.search(text);
      },
    };
    expect((await desk.create()).id).toBe("late");
    expect(waits).toEqual([200, 400]);
  });

  test("and something of an older program is there, it needs no patience", async () => {
    interrupted();
    desk.put("old", `Mug [${BLUE.full}]`, { color: "blue" });
    expect((await desk.create()).id).toBe("new_1");
    expect(waits).toEqual([]);
  });

  test("and a search shows more than was asked for, what has no marker of its own is not it", async () => {
    interrupted();
    desk.put("namesake", "Mug", { color: "red" });
    desk.put("other", `Mug [${OTHER.full}]`, { color: "red" });
    desk.more = { search: () => desk.search("Mug") };
    expect((await desk.create()).id).toBe("new_1");
    expect([waits, desk.account.size]).toEqual([[200, 400, 400], 3]);
  });

  test("and our record was kept, what it doesn't name was not finished", async () => {
    interrupted();
    desk.put("namesake", "Mug", { color: "red" });
    expect((await desk.create()).id).toBe("new_1");
    expect(waits).toEqual([200, 400, 400]);
    expect(desk.told).toEqual([]);
  });

  test("and no record was kept, a namesake may be it: nothing is made and nothing taken", async () => {
    interrupted();
    desk.covers = false;
    desk.put("a", "Mug", { color: "red", createdAt: "2026-01-01T00:00:00Z" });
    desk.put("b", "Mug", { color: "red", createdAt: null });
    await expect(desk.create()).rejects.toMatchObject({
      name: "UnprovenError",
      candidates: [{ id: "a", createdAt: "2026-01-01T00:00:00Z" }, { id: "b" }],
      message: expect.stringMatching(
        /finished thing "Mug": .* has a \(made 2026-01-01T00:00:00Z\), b \(made on a date that is not shown\) of that name.*LANDFORM_NOT_OURS=a,b\.$/,
      ) as string,
    });
    expect([desk.account.size, desk.recorded.size]).toEqual([2, 0]);
  });

  test.each<[string, (it: Desk) => void]>([
    ["of another name", (it) => it.put("a", "Mug 2", { color: "red" })],
    ["that the stack has already", (it) => void it.unfinished.set(OWN, { others: ["a"] })],
    ["that the user said is not it", (it) => void it.foreign.add("a")],
    ["that this run took over", (it) => void it.run.taken.add("a")],
    ["that this run deleted", (it) => void it.run.deleted.add("a")],
    ["of another site", (it) => it.put("a", "Mug", { projectId: "own", siteId: "other" })],
    ["of another project", (it) => it.put("a", "Mug", { projectId: "other" })],
    ["without a project, where one is declared", (it) => it.put("a", "Mug", { projectId: null })],
  ])("an object %s is no candidate", async (_, change) => {
    interrupted();
    desk.covers = false;
    desk.put("a", "Mug", { color: "red" });
    change(desk);
    expect((await desk.create({ name: "Mug", color: "red", projectId: "own" })).id).toBe("new_1");
    expect(desk.nameOf("a")).toMatch(/^Mug/);
  });

  test("an object that shows the same project, or none by nature, is one", async () => {
    interrupted();
    desk.covers = false;
    desk.put("same", "Mug", { projectId: "own" });
    desk.put("silent", "Mug");
    const creating = desk.create({ name: "Mug", projectId: "own" });
    await expect(creating).rejects.toMatchObject({ candidates: [{ id: "same" }, { id: "silent" }] });
  });

  test("an object without a project is one where none is declared", async () => {
    interrupted();
    desk.covers = false;
    desk.put("a", "Mug", { projectId: null });
    await expect(desk.create({ name: "Mug" })).rejects.toMatchObject({ candidates: [{ id: "a" }] });
  });

  test("and what it found by its marker needs no patience, and no candidate", async () => {
    interrupted();
    desk.covers = false;
    desk.put("left", `Mug [${RED.full}]`, { color: "red" });
    desk.put("namesake", "Mug", { color: "red" });
    expect((await desk.create()).id).toBe("left");
    expect(waits).toEqual([]);
  });

  test("and our record names it, it needs none either", async () => {
    interrupted();
    desk.covers = false;
    desk.put("mine", "Mug", { color: "red" });
    record("mine");
    expect((await desk.create()).id).toBe("mine");
    expect(waits).toEqual([]);
  });

  test("and only its name tells, it is looked for as long as anything that no call can delete", async () => {
    interrupted();
    let looks = 0;
    const old = { id: "old", answer: { id: "old", name: "Mug" }, sent: [] };
    desk.more = { marked: false, leaves: "in place", reuse: () => Promise.resolve(++looks < 6 ? undefined : old) };
    desk.put("old", "Mug");
    expect((await desk.create()).id).toBe("old");
    expect(waits).toEqual([200, 400, 800, 1600, 2000]);
  });

  test("and it carries a marker, what its kind reuses is looked for once: it is another's", async () => {
    interrupted();
    let looks = 0;
    desk.more = { reuse: () => Promise.resolve(++looks === 0 ? { id: "x", answer: {}, sent: [] } : undefined) };
    await desk.create();
    expect(looks).toBe(1);
  });

  test("of a kind that nobody can find, an orphan is told", async () => {
    desk.more = { marked: false };
    desk.lacks.add("search");
    interrupted();
    expect((await desk.create()).id).toBe("new_1");
    expect(desk.told).toEqual([{ code: "perhaps-orphaned", kind: "thing", id: "", name: 'thing "Mug"' }]);
  });

  test("of a kind that nobody can find, what was asked and has failed was told by that run", async () => {
    desk.more = { marked: false, create: () => Promise.reject(lost) };
    desk.lacks.add("search");
    await expect(desk.create()).rejects.toThrow("It may exist as an orphan");
    expect(desk.unanswered).toEqual(new Set());
  });

  test("of a kind that nobody can find, a run that was ended while it asked is told of, whatever the state says", async () => {
    desk.more = { marked: false };
    desk.lacks.add("search");
    desk.unanswered.add(OWN);
    await desk.create();
    expect(desk.told).toEqual([{ code: "perhaps-orphaned", kind: "thing", id: "", name: 'thing "Mug"' }]);
    expect(desk.unanswered).toEqual(new Set());
  });

  test.each<[string, object]>([
    ["reuses by name", { reuse: () => Promise.resolve(undefined) }],
    ["finds again in its own way", { refind: () => Promise.resolve(undefined) }],
    ["lists", { collection: {} }],
  ])("of a kind that it %s, none is", async (_, more) => {
    desk.more = { marked: false, ...more };
    interrupted();
    await desk.create();
    expect(desk.told).toEqual([]);
  });
});

describe("an answer that is lost", () => {
  /** The call does its work, or none, and its answer never comes. */
  function losing(error: Error, isDone = true): void {
    desk.more = {
      ...desk.more,
      create: async (_, { color }, name) => {
        if (isDone) await desk.post(name, { color: String(color) });
        throw error;
      },
    };
  }

  test("is found again by the marker, and carried on with", async () => {
    losing(lost);
    const { id, outs } = await desk.create();
    expect([id, desk.names, desk.told]).toEqual(["new_1", ["Mug"], []]);
    expect(outs["__landform"]).toEqual({ declared: "color name", account: "acc_1" });
    expect(desk.steps.filter((step) => step.startsWith("posted"))).toHaveLength(1);
  });

  test("is found among others that a search shows, too", async () => {
    desk.put("other", `Mug [${OTHER.full}]`);
    desk.more = { search: () => desk.search("Mug") };
    losing(lost);
    expect((await desk.create()).id).toBe("new_1");
  });

  test("is looked for with patience, also where looks fail", async () => {
    losing(lost);
    let looks = 0;
    desk.more = {
      ...desk.more,
      search: (_, text) => {
        looks++;
        if (looks === 2) return Promise.reject(refused);
        return looks > 3 ? desk.search(text) : Promise.resolve([]);
      },
    };
    expect((await desk.create()).id).toBe("new_1");
    expect(waits).toEqual([200, 400]);
  });

  test("and never found is told with what is known", async () => {
    losing(lost, false);
    await expect(desk.create()).rejects.toMatchObject({
      name: "LostAnswerError",
      message: expect.stringMatching(
        /^It is not known whether thing "Mug" was created: the connection broke, and nothing like it turned up within 1 s\./,
      ) as string,
    });
    expect(waits).toEqual([200, 400, 400]);
    expect(desk.recorded.size).toBe(0);
  });

  test("of what no call can delete is looked for five times as long", async () => {
    desk.more = { leaves: "in place" };
    losing(lost, false);
    await expect(desk.create()).rejects.toThrow("turned up within 5 s");
    expect(waits).toEqual([200, 400, 800, 1600, 2000]);
  });

  test("of a look that breaks otherwise, the fault is told", async () => {
    losing(lost);
    const fault = new Error("no answer of the service");
    let looks = 0;
    desk.more = { ...desk.more, search: () => (looks++ === 0 ? Promise.resolve([]) : Promise.reject(fault)) };
    await expect(desk.create()).rejects.toBe(fault);
  });

  test.each([refused, new Error("a fault")])("and is none: %s is told at once", async (error) => {
    losing(error);
    await expect(desk.create()).rejects.toBe(error);
    expect(desk.steps.filter((step) => step.startsWith("searched"))).toHaveLength(1);
    expect(waits).toEqual([]);
  });

  test("of a kind that can't be looked for is told as a possible orphan", async () => {
    desk.more = { marked: false };
    losing(lost);
    await expect(desk.create({ color: "red" })).rejects.toMatchObject({
      name: "UnfindableError",
      message: expect.stringContaining('whether thing "mug" was created') as string,
    });
    await expect(desk.create({ color: "red" }, "")).rejects.toThrow("whether the thing was created");
  });

  test("of a marked kind without a search, too", async () => {
    losing(lost);
    desk.lacks.add("search");
    await expect(desk.create()).rejects.toMatchObject({ name: "UnfindableError" });
  });

  test("is looked for in the kind's own way, under the name that was sent", async () => {
    const asked: string[] = [];
    desk.more = {
      marked: false,
      refind: (_, { color }, name) => {
        asked.push(`${name} ${String(color)}`);
        return Promise.resolve({ id: "new_1", answer: { id: "new_1" }, sent: ["name", "color"] });
      },
    };
    losing(lost);
    expect((await desk.create()).id).toBe("new_1");
    expect(asked).toEqual(["Mug red"]);
  });
});

describe("a second object of one that exists", () => {
  const of = (id: string, identity: string | undefined = IDENTITY): ObjectState => {
    const object = new ObjectState(desk.definition, id);
    object.identity = identity;
    object.declare("name", "Mug");
    return object;
  };

  test("is what carries its marker, and is not it", async () => {
    desk.put("mine", `Mug [${RED.full}]`);
    desk.put("copy", `Mug [${BLUE.full}]`);
    desk.put("other", `Mug [${OTHER.full}]`);
    expect(await twinOf(desk.definition, desk.run, of("mine"))).toBe("copy");
    desk.account.delete("copy");
    desk.run.looks.clear();
    expect(await twinOf(desk.definition, desk.run, of("mine"))).toBeUndefined();
  });

  test("is not one that somebody called otherwise, before the marker or behind it", async () => {
    for (const name of [`Copy of Mug [${RED.full}]`, `Mug [${RED.full}] (copy)`, `Mug [${RED.full}] [${RED.full}]`])
      desk.put(name, name);
    expect(await twinOf(desk.definition, desk.run, of("mine"))).toBeUndefined();
    desk.run.looks.clear();
    desk.put("folded", `MUG  [${RED.full}]`);
    expect(await twinOf(desk.definition, desk.run, of("mine"))).toBe("folded");
  });

  test("is not looked for where there is no marker, and a look that fails finds none", async () => {
    desk.put("copy", `Mug [${BLUE.full}]`);
    const nameless = new ObjectState(desk.definition, "mine");
    expect(await twinOf(desk.definition, desk.run, nameless)).toBeUndefined();
    expect(await twinOf({ ...desk.definition, marked: false }, desk.run, of("mine"))).toBeUndefined();
    expect(desk.steps).toEqual([]);
    const failing = { ...desk.definition, search: () => Promise.reject(refused) };
    expect(await twinOf(failing, desk.run, of("mine"))).toBeUndefined();
  });
});

describe("what the resource had before", () => {
  test("is noted with the new object: what it replaces, and where it was public", async () => {
    const before = new ObjectState(desk.definition, "before");
    before.identity = IDENTITY;
    before.learn({ status: "published", url: "https://spring.example/mug" });
    desk.seen.note(before);
    desk.more = { apply: () => Promise.reject(new Error("on its way")) };
    const failure = await desk.create().catch((error: unknown) => error as { properties: JsonMap });
    expect(failure).toMatchObject({
      name: "PartialFailure",
      id: "new_1",
      properties: {
        __provider: "code",
        __landform: { predecessor: "before", former: [{ url: expect.any(String) as string }] },
      },
    });
  });
});
