/** The ledger's record of a creation, and second objects of an existing resource. */
import { beforeEach, describe, expect, test, vi } from "vitest";
import { namesOf, twinOf } from "../../provider/reconcile/marked-objects.ts";
import { nameDigest } from "../../provider/ledger/identity.ts";
import { nameOf, ObjectState } from "../../provider/reconcile/object-state.ts";
import { BLUE, Desk, IDENTITY, OTHER, RED, refused } from "./creation-desk.ts";

const waits = vi.hoisted((): number[] => []);
vi.mock("node:timers/promises", () => ({ setTimeout: (ms: number) => Promise.resolve(void waits.push(ms)) }));

let desk: Desk;
beforeEach(() => {
  desk = new Desk();
  waits.length = 0;
});

describe("what the ledger names", () => {
  test("is taken by its id, whatever it is called by now", async () => {
    desk.put("mine", "Renamed by hand", { color: "red" });
    desk.record("mine", { account: "acc_1" });
    expect((await desk.create()).id).toBe("mine");
    expect([desk.names, desk.codes]).toEqual([["Mug"], ["carried-on mine"]]);
  });

  test("and is gone is crossed out, and made anew", async () => {
    desk.record("mine");
    expect((await desk.create()).id).toBe("new_1");
    expect([desk.recorded, waits]).toEqual([["new_1"], []]);
  });

  test("and is gone needs no patience, whatever the state tells", async () => {
    const forgotten = vi.spyOn(desk.run.account, "forget");
    desk.interrupt();
    desk.record("mine");
    expect((await desk.create()).id).toBe("new_1");
    expect([forgotten.mock.calls, waits]).toEqual([[["mine"]], []]);
  });

  test.each([{ kind: "cup" }, { account: "acc_2" }])("of %j is none of it", async (other) => {
    desk.put("mine", "Mug", { color: "red" });
    desk.record("mine", other);
    expect((await desk.create()).id).toBe("new_1");
    expect(desk.account.size).toBe(2);
  });

  test("of an account that nobody can compare is taken", async () => {
    vi.spyOn(desk.run, "accountId").mockResolvedValue(undefined);
    desk.put("mine", "Mug", { color: "red" });
    desk.record("mine", { account: "acc_2" });
    expect((await desk.create()).id).toBe("mine");
  });

  test("from other inputs stays with a word, unless it still has its marker", async () => {
    desk.put("mine", "Mug", { color: "blue" });
    desk.record("mine", { spec: "0000" });
    expect((await desk.create()).id).toBe("new_1");
    expect([...desk.account.keys()]).toEqual(["mine", "new_1"]);
    expect(desk.told).toEqual([{ code: "left-behind", kind: "thing", id: "mine" }]);
    expect(desk.entries.map(({ state, id }) => [state, id])).toEqual([
      ["unwanted", "mine"],
      ["made", "new_1"],
    ]);
  });

  test("from other inputs and with its marker is removed", async () => {
    desk.put("mine", `Mug [${BLUE.full}]`, { color: "blue" });
    desk.record("mine", { spec: "0000" });
    expect((await desk.create()).id).toBe("new_1");
    expect(desk.codes).toEqual(["removed-leftover mine"]);
  });

  test("and can't be carried on with, is taken where it was finished, without what only its making told", async () => {
    desk.more = { life: { resumes: () => false } };
    desk.put("mine", "Mug", { color: "red" });
    desk.record("mine");
    const { id, outs } = await desk.create();
    expect([id, outs["__declared"]]).toEqual(["mine", { notes: { blind: true } }]);
  });

  test("and can't be carried on with, is made anew where it still has its marker", async () => {
    desk.more = { life: { resumes: () => false } };
    desk.put("mine", `Mug [${RED.full}]`, { color: "red" });
    desk.record("mine");
    expect((await desk.create()).id).toBe("new_1");
    expect([...desk.account.keys()]).toEqual(["new_1"]);
  });

  test("of a kind that nothing can be learned of is removed, and made anew", async () => {
    desk.more = { marked: false };
    desk.put("mine", "Mug");
    desk.record("mine", { spec: "" });
    expect((await desk.create()).id).toBe("new_1");
    expect([...desk.account.keys()]).toEqual(["new_1"]);
    expect(desk.told).toEqual([{ code: "removed-leftover", kind: "thing", id: "mine", name: 'thing "mug"' }]);
    expect(desk.recorded).toEqual(["new_1"]);
  });

  test("has its second copies removed", async () => {
    desk.put("mine", "Mug", { color: "red" });
    desk.put("copy", `Mug [${RED.full}]`, { color: "red" });
    desk.record("mine");
    expect((await desk.create()).id).toBe("mine");
    expect(desk.codes).toEqual(["removed-leftover copy", "carried-on mine"]);
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

  test("is told by the name that its page has, where a list shows that of its site behind it", async () => {
    desk.put("copy", `Mug [${BLUE.full}] (spring.example)`, { pageName: `Mug [${BLUE.full}]` });
    expect(await twinOf(desk.definition, desk.run, of("mine"))).toBe("copy");
  });

  test("is called as the answer shows it or as the program declares it, where that is a text", () => {
    const object = of("mine");
    expect(namesOf(object)).toEqual(["Mug"].map(nameDigest));
    object.learn({ name: 7 });
    expect(namesOf(object)).toEqual(["Mug"].map(nameDigest));
    object.learn({ name: "Mug (spring.example)", pageName: "Mug shown" });
    expect(namesOf(object)).toEqual(["Mug", "Mug shown"].map(nameDigest));
    expect([nameOf({ name: 7 }), nameOf({ pageName: null, name: "Mug" })]).toEqual([undefined, "Mug"]);
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
    const read = vi.fn(desk.definition.read);
    const failing = { ...desk.definition, read, search: () => Promise.reject(refused) };
    expect(await twinOf(failing, desk.run, of("mine"))).toBeUndefined();
    expect(read).not.toHaveBeenCalled();
  });
});
