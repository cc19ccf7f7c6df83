/** The objects that a creation takes for its own by their markers, those that it removes, and those that it leaves alone. */
import { beforeEach, describe, expect, test, vi } from "vitest";
import { identityFor } from "../../provider/ledger/identity.ts";
import { BLUE, Desk, OTHER, RED, refused, STRANGER } from "./creation-desk.ts";

const waits = vi.hoisted((): number[] => []);
vi.mock("node:timers/promises", () => ({ setTimeout: (ms: number) => Promise.resolve(void waits.push(ms)) }));

let desk: Desk;
beforeEach(() => {
  desk = new Desk();
  waits.length = 0;
});

describe("what an interrupted creation left", () => {
  test("is carried on with by its marker", async () => {
    desk.put("left", `Mug [${RED.full}]`, { color: "red" });
    expect((await desk.create()).id).toBe("left");
    expect([desk.names, desk.codes]).toEqual([["Mug"], ["carried-on left"]]);
    expect(desk.steps.slice(-2)).toEqual([`made left as Mug [${RED.full}]`, "applied name"]);
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
    const forgotten = vi.spyOn(desk.run.account, "forget");
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

  test("of a program that gave it a name, and gives it none now, is carried on with", async () => {
    desk.put("left", `Old mug [${RED.full}]`, { color: "red" });
    expect((await desk.create({ color: "red" })).id).toBe("left");
  });

  test.each<[string, string, "removed" | "stays"]>([
    [" Mug  and\tcup ", "Mug and cup", "removed"],
    ["Mug", "MUG", "removed"],
    ["Caf\u00e9", "Cafe\u0301", "removed"],
    ["Mug \u2460", "Mug 1", "removed"],
    ["Mug", "", "removed"],
    ["Mug and cup", "Mugandcup", "stays"],
    ["Mug", "Mug 2", "stays"],
  ])("of an older program that is called %j here and %j there is %s", async (here, there, becomes) => {
    desk.put("old", `${there} [${BLUE.full}]`, { color: "blue" });
    await desk.create({ name: here, color: "red" });
    expect(desk.account.has("old")).toBe(becomes === "stays");
    expect(desk.codes).toEqual([becomes === "stays" ? "perhaps-a-copy old" : "removed-leftover old"]);
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
    desk.more = { life: { resumes: ({ color }) => color !== "red" } };
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
    desk.forget();
    desk.put("left", `Mug [${RED.full}]`, { color: "red" });
    expect((await desk.create()).id).toBe("left");
  });
});
