/** A creation with a lost answer: the run looks for it, finds it, or reports the known facts. */
import { beforeEach, describe, expect, test, vi } from "vitest";
import { noticeText } from "../../provider/messages/notices.ts";
import { Desk, lost, OTHER, RED, refused } from "./creation-desk.ts";

const waits = vi.hoisted((): number[] => []);
vi.mock("node:timers/promises", () => ({ setTimeout: (ms: number) => Promise.resolve(void waits.push(ms)) }));

let desk: Desk;
beforeEach(() => {
  desk = new Desk();
  waits.length = 0;
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
    expect(desk.recorded).toEqual([]);
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
      life: {
        refind: (_, { color }, name) => {
          asked.push(`${name} ${String(color)}`);
          return Promise.resolve({ id: "new_1", answer: { id: "new_1" }, sent: ["name", "color"] });
        },
      },
    };
    losing(lost);
    expect((await desk.create()).id).toBe("new_1");
    expect(asked).toEqual(["Mug red"]);
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

  test.each([
    "Theirs",
    "Mug and saucer",
    `Mug [${OTHER.full}]`,
    `Mug [${RED.full.slice(0, -4)}ffff]`,
    "M…g",
    "M...g",
    "A mug",
  ])("%j is not believed: what was made is found by its marker, and the other one stays", async (name) => {
    answering(name);
    const { id, outs } = await desk.create();
    expect([id, outs["color"], desk.told]).toEqual(["new_1", "red", []]);
    expect(desk.account.get("theirs")).toEqual({ id: "theirs", name: "Theirs", color: "green" });
    expect(desk.recorded.at(-1)).toBe("new_1");
  });

  test.each([
    `Mug [${RED.full}]`,
    `MUG [${RED.full.toUpperCase()}] (spring.example)`,
    "Mug [lf-",
    "Mug [lf-…",
    "Mug...",
    " mug  [LF",
    undefined,
    7,
  ])("%j may be its own, cut or folded by the service", async (name) => {
    answering(name);
    expect((await desk.create()).id).toBe("theirs");
  });

  test.each([
    ["Mug [lf-", 0],
    ["Mug...", 0],
    [`Mug [${RED.full}`, 2],
  ])("%j has lost the marker, which is told with how long a name may be", async (name, room) => {
    answering(name);
    await desk.create();
    expect(desk.told).toEqual(room > 0 ? [] : [{ code: "marker-cut", kind: "thing", id: "theirs", name, room }]);
    expect(desk.recorded.at(-1)).toBe("theirs");
  });

  test("names that would have kept it are told in words", async () => {
    const long = "A name that is as long as names of pages are";
    answering(long.slice(0, 40));
    await desk.create({ name: long, color: "red" });
    const [notice] = desk.told;
    expect(notice && noticeText(notice)).toBe(
      `The service cut the name of thing theirs to "${long.slice(0, 40)}", and with it the marker by which the next run finds what a ` +
        `killed one was creating. Names of at most 10 characters keep it. This one is in the ledger. After a kill, look in the app for ` +
        `another thing of that name, and give its id as adoptId, or delete it, before you run again.`,
    );
  });

  test("a name that has such dots itself is its own, where the service cut it behind them", async () => {
    answering("Mug… or c…");
    expect((await desk.create({ name: "Mug… or cup", color: "red" })).id).toBe("theirs");
  });

  test("a name whose letters are composed otherwise is its own", async () => {
    answering("Cafe\u0301");
    expect((await desk.create({ name: "Caf\u00e9", color: "red" })).id).toBe("theirs");
  });

  test("that never turns up by its own is told with what was answered, and nothing is done to that", async () => {
    answering("Theirs");
    desk.more = { ...desk.more, search: () => Promise.resolve([]) };
    await expect(desk.create()).rejects.toMatchObject({
      name: "LostAnswerError",
      message: expect.stringContaining(
        'the answer tells of theirs, "Theirs", which is another one, and nothing like it turned up within 1 s',
      ) as string,
    });
    expect(desk.account.get("theirs")).toEqual({ id: "theirs", name: "Theirs", color: "green" });
    expect(desk.recorded).toEqual([]);
  });

  test("of a kind without a marker is its own: nothing else tells", async () => {
    answering("Theirs");
    desk.more = { ...desk.more, marked: false };
    expect((await desk.create()).id).toBe("theirs");
  });
});
