/** A creation that the state calls interrupted: the run looks for it with patience, reports it, or refuses without proof. */
import { beforeEach, describe, expect, test, vi } from "vitest";
import type { JsonMap } from "../../provider/values/json.ts";
import { ObjectState } from "../../provider/reconcile/object-state.ts";
import { BLUE, Desk, lost, OTHER, RED, refused } from "./creation-desk.ts";
import { objectKey } from "../../provider/ledger/identity.ts";

const waits = vi.hoisted((): number[] => []);
vi.mock("node:timers/promises", () => ({ setTimeout: (ms: number) => Promise.resolve(void waits.push(ms)) }));

const ISO = expect.stringMatching(/^\d{4}-\d\d-\d\dT/) as string;

let desk: Desk;
beforeEach(() => {
  desk = new Desk();
  waits.length = 0;
});

describe("where the state tells of an interrupted creation", () => {
  test("and lists are behind, it is looked for with patience", async () => {
    desk.interrupt();
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
    desk.interrupt();
    desk.put("old", `Mug [${BLUE.full}]`, { color: "blue" });
    expect((await desk.create()).id).toBe("new_1");
    expect(waits).toEqual([]);
  });

  test("and a search shows more than was asked for, what has no marker of its own is not it", async () => {
    desk.interrupt();
    desk.put("namesake", "Mug", { color: "red" });
    desk.put("other", `Mug [${OTHER.full}]`, { color: "red" });
    desk.more = { search: () => desk.search("Mug") };
    expect((await desk.create()).id).toBe("new_1");
    expect([waits, desk.account.size]).toEqual([[200, 400, 400], 3]);
  });

  test("and the ledger was kept, what it doesn't name was not finished", async () => {
    desk.interrupt();
    desk.put("namesake", "Mug", { color: "red" });
    expect((await desk.create()).id).toBe("new_1");
    expect(waits).toEqual([200, 400, 400]);
    expect(desk.told).toEqual([]);
  });

  test.each(["Mug [lf-", `Mug [${RED.full.slice(0, 20)}`, "Mug [l…"])(
    "and the service cuts names: %j may be it, whatever the ledger covers",
    async (name) => {
      desk.interrupt();
      desk.put("cut", name, { color: "red" });
      await expect(desk.create()).rejects.toMatchObject({
        name: "UnprovenError",
        candidates: [{ id: "cut" }],
        message: expect.stringMatching(
          /finished thing "Mug": the service has cut a name, and our marker with it, and .* set adoptId to its id/,
        ) as string,
      });
      expect([desk.names, desk.recorded]).toEqual([[name], []]);
    },
  );

  test("and no record was kept, a namesake may be it: nothing is made and nothing taken", async () => {
    desk.untold();
    desk.put("a", "Mug", { color: "red", createdAt: "2026-01-01T00:00:00Z" });
    desk.put("b", "Mug", { color: "red", createdAt: null });
    await expect(desk.create()).rejects.toMatchObject({
      name: "UnprovenError",
      candidates: [{ id: "a", createdAt: "2026-01-01T00:00:00Z" }, { id: "b" }],
      message: expect.stringMatching(
        /finished thing "Mug": .* has a \(made 2026-01-01T00:00:00Z\), b \(made on a date that is not shown\) of that name.*LANDFORM_NOT_OURS=a,b\.$/,
      ) as string,
    });
    expect([desk.account.size, desk.recorded]).toEqual([2, []]);
  });

  test.each<[string, (it: Desk) => void]>([
    ["of another name", (it) => it.put("a", "Mug 2", { color: "red" })],
    [
      "that the stack has already",
      (it) => {
        it.kept = [];
        it.untold(["a"]);
      },
    ],
    ["that the user said is not it", (it) => void it.foreign.add("a")],
    ["that this run took over", (it) => void it.run.taken.add(objectKey(it.definition, "a"))],
    ["that this run deleted", (it) => void it.run.deleted.add(objectKey(it.definition, "a"))],
    ["of another site", (it) => it.put("a", "Mug", { projectId: "own", siteId: "other" })],
    ["of another project", (it) => it.put("a", "Mug", { projectId: "other" })],
    ["without a project, where one is declared", (it) => it.put("a", "Mug", { projectId: null })],
  ])("an object %s is no candidate", async (_, change) => {
    desk.untold();
    desk.put("a", "Mug", { color: "red" });
    change(desk);
    expect((await desk.create({ name: "Mug", color: "red", projectId: "own" })).id).toBe("new_1");
    expect(desk.nameOf("a")).toMatch(/^Mug/);
  });

  test("an object that shows the same project, or none by nature, is one", async () => {
    desk.untold();
    desk.put("same", "Mug", { projectId: "own" });
    desk.put("silent", "Mug");
    const creating = desk.create({ name: "Mug", projectId: "own" });
    await expect(creating).rejects.toMatchObject({ candidates: [{ id: "same" }, { id: "silent" }] });
  });

  test("an object without a project is one where none is declared", async () => {
    desk.untold();
    desk.put("a", "Mug", { projectId: null });
    await expect(desk.create({ name: "Mug" })).rejects.toMatchObject({ candidates: [{ id: "a" }] });
  });

  test("and what it found by its marker needs no patience, and no candidate", async () => {
    desk.untold();
    desk.put("left", `Mug [${RED.full}]`, { color: "red" });
    desk.put("namesake", "Mug", { color: "red" });
    expect((await desk.create()).id).toBe("left");
    expect(waits).toEqual([]);
  });

  test("and the ledger names it, it needs none either", async () => {
    desk.untold();
    desk.put("mine", "Mug", { color: "red" });
    desk.record("mine");
    expect((await desk.create()).id).toBe("mine");
    expect(waits).toEqual([]);
  });

  test.each<[string, JsonMap]>([
    ["has no name", { color: "red" }],
    ["can't be searched for", { name: "Mug", color: "red" }],
  ])("and no record was kept of what %s, nothing can be held against it", async (why, inputs) => {
    desk.untold();
    if (why !== "has no name") desk.lacks.add("search");
    desk.put("namesake", "Mug", { color: "red" });
    expect((await desk.create(inputs)).id).toBe("new_1");
    expect([desk.told, waits]).toEqual([[], [200, 400, 400]]);
  });

  test("and only its name tells, it is looked for as long as anything that no call can delete", async () => {
    desk.interrupt();
    let looks = 0;
    const old = { id: "old", answer: { id: "old", name: "Mug" }, sent: [] };
    desk.more = {
      marked: false,
      leaves: "in place",
      life: { reuse: () => Promise.resolve(++looks < 6 ? undefined : old) },
    };
    desk.put("old", "Mug");
    expect((await desk.create()).id).toBe("old");
    expect(waits).toEqual([200, 400, 800, 1600, 2000]);
  });

  describe("and only its name tells, which the service may spell in its own way", () => {
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
    ])("%j shown as %j may be it: nothing is made and nothing taken", async (name, shown) => {
      desk.interrupt();
      await expect(inPlace(name, shown)).rejects.toMatchObject({
        name: "UnprovenError",
        candidates: [{ id: "old" }],
        message: expect.stringContaining(
          `the service may show its name in another spelling, and the account has old ("${shown}", made 2026-01-01) of a name like that`,
        ) as string,
      });
      expect(desk.names).toEqual([shown]);
    });

    test("the answer was lost: it is named at once", async () => {
      desk.more = { create: () => Promise.reject(lost) };
      await expect(inPlace("Spring Mugs", "spring-mugs")).rejects.toMatchObject({ candidates: [{ id: "old" }] });
    });

    test("it is asked again by each later run, whatever the state has forgotten, until one holds it", async () => {
      desk.more = { create: () => Promise.reject(lost) };
      await expect(inPlace("Spring Mugs", "spring-mugs")).rejects.toMatchObject({ candidates: [{ id: "old" }] });
      desk.more = {};
      for (let run = 0; run < 2; run++)
        await expect(inPlace("Spring Mugs", "spring-mugs")).rejects.toMatchObject({ candidates: [{ id: "old" }] });
      desk.foreign.add("old");
      const { id, outs } = await inPlace("Spring Mugs", "spring-mugs");
      const open = (): boolean => desk.entries.length > 0;
      expect([id, open()]).toEqual(["new_1", true]);
      const see = (more: JsonMap): void =>
        desk.seen.note(desk.definition, ObjectState.fromState(desk.definition, id, { ...outs, ...more }));
      see({ name: "Winter Mugs" });
      expect(open()).toBe(true);
      see({});
      expect(open()).toBe(false);
    });

    test("the state alone told of it: the ledger does from then on", async () => {
      desk.interrupt();
      await expect(inPlace("Spring Mugs", "spring-mugs")).rejects.toMatchObject({ candidates: [{ id: "old" }] });
      await expect(inPlace("Spring Mugs", "spring-mugs")).rejects.toMatchObject({ candidates: [{ id: "old" }] });
    });

    test("a call that was refused made nothing, and leaves what an earlier one may have made", async () => {
      desk.more = { create: () => Promise.reject(refused) };
      await expect(inPlace("Spring Mugs", "autumn")).rejects.toBe(refused);
      expect(desk.entries).toEqual([]);
      await desk.ledger.put({ ...desk.earlier, state: "unknown" });
      await expect(inPlace("Spring Mugs", "autumn")).rejects.toBe(refused);
      expect(desk.entries.map(({ state }) => state)).toEqual(["unknown"]);
    });

    test.each<[string, string, () => void]>([
      ["of another name", "autumn-mugs", () => desk.interrupt()],
      ["of which little is left", "spr", () => desk.interrupt()],
      ["that the stack has already", "spring-mugs", () => desk.interrupt({ others: ["old"] })],
      ["that the user said is not it", "spring-mugs", () => (desk.interrupt(), desk.foreign.add("old"))],
      ["where nothing was interrupted", "spring-mugs", () => undefined],
    ])("one %s is not it", async (_, shown, setUp) => {
      setUp();
      expect((await inPlace("Spring Mugs", shown)).id).toBe("new_1");
    });
  });

  test("and it carries a marker, what its kind reuses is looked for once: it is another's", async () => {
    desk.interrupt();
    let looks = 0;
    desk.more = {
      life: { reuse: () => Promise.resolve(++looks === 0 ? { id: "x", answer: {}, sent: [] } : undefined) },
    };
    await desk.create();
    expect(looks).toBe(1);
  });

  test("of a kind that nobody can find, an orphan is told", async () => {
    desk.more = { marked: false };
    desk.lacks.add("search");
    desk.interrupt();
    expect((await desk.create()).id).toBe("new_1");
    expect(desk.told).toEqual([{ code: "perhaps-orphaned", kind: "thing", id: "", name: 'thing "mug"', at: ISO }]);
  });

  test("of a kind that nobody can find, what was asked and has failed was told by that run", async () => {
    desk.more = { marked: false, create: () => Promise.reject(lost) };
    desk.lacks.add("search");
    await expect(desk.create()).rejects.toThrow("It may exist as an orphan");
    expect(desk.entries.filter(({ id }) => id === undefined)).toEqual([]);
  });

  test("of a kind that nobody can find, a run that was ended while it asked is told of, whatever the state says", async () => {
    desk.more = { marked: false };
    desk.lacks.add("search");
    desk.interrupt();
    await desk.create();
    expect(desk.told).toEqual([{ code: "perhaps-orphaned", kind: "thing", id: "", name: 'thing "mug"', at: ISO }]);
    expect(desk.entries.filter(({ id }) => id === undefined)).toEqual([]);
  });

  test.each<[string, object]>([
    ["reuses by name", { life: { reuse: () => Promise.resolve(undefined) } }],
    ["finds again in its own way", { life: { refind: () => Promise.resolve(undefined) } }],
    ["lists", { collection: {} }],
  ])("of a kind that it %s, none is", async (_, more) => {
    desk.more = { marked: false, ...more };
    desk.interrupt();
    await desk.create();
    expect(desk.told).toEqual([]);
  });
});
