/**
 * Exactly once, rule by rule: the order of a creation's steps, and its records. The files beside this one test the proofs by which it takes an object
 * for its own, and test/faults has whole lives under faults.
 */
import { beforeEach, describe, expect, test, vi } from "vitest";
import type { JsonMap } from "../../provider/values/json.ts";
import { markerOf } from "../../provider/ledger/identity.ts";
import { ObjectState } from "../../provider/reconcile/object-state.ts";
import { Desk, IDENTITY, OTHER, OWN, RED } from "./creation-desk.ts";

const waits = vi.hoisted((): number[] => []);
vi.mock("node:timers/promises", () => ({ setTimeout: (ms: number) => Promise.resolve(void waits.push(ms)) }));

let desk: Desk;
beforeEach(() => {
  desk = new Desk();
  waits.length = 0;
});

describe("a creation that nothing disturbs", () => {
  test("is looked for, made under its marker, recorded, and renamed last", async () => {
    const { id, outs } = await desk.create({ name: "Mug", color: "red", price: 5 });
    expect(desk.steps).toEqual([
      "searched lf-#",
      "intended",
      "posted new_1",
      `made new_1 as Mug [${RED.full}]`,
      "applied name price",
    ]);
    expect([id, desk.names, desk.told]).toEqual(["new_1", ["Mug"], []]);
    const spec = RED.full.slice(OWN.length + 1);
    const made = { spec, kind: "thing", name: "mug", state: "made", id: "new_1", account: "acc_1" };
    expect(desk.entries).toEqual([made]);
    expect(outs).toMatchObject({ name: "Mug", color: "red", price: 5, __identity: IDENTITY });
    expect(outs["__landform"]).toEqual({ declared: "color name price", account: "acc_1" });
  });

  test("of a kind without a marker has its own name from the beginning, and an empty spec in the ledger", async () => {
    desk.more = { marked: false };
    await desk.create();
    expect(desk.steps).toEqual(["intended", "posted new_1", "made new_1 as Mug", "applied "]);
    expect(desk.told).toEqual([]);
    expect(desk.entries[0]?.spec).toBe("");
  });

  test("of what stays in place when it is deleted is not recorded: the user's own name finds it", async () => {
    desk.more = { leaves: "in place" };
    await desk.create();
    expect(desk.entries).toEqual([]);
  });

  test("of what is retired is recorded", async () => {
    desk.more = { leaves: "retired" };
    await desk.create();
    expect(desk.recorded).toEqual(["new_1"]);
  });

  test("without an identity there is neither marker nor entry", async () => {
    await desk.create({ name: "Mug" }, "");
    expect([desk.steps, desk.entries]).toEqual([["posted new_1", "applied "], []]);
  });

  test("without an account in the answer its entry has none", async () => {
    vi.spyOn(desk.run, "accountId").mockResolvedValue(undefined);
    await desk.create();
    expect(desk.entries[0]).not.toHaveProperty("account");
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

  test.each([true, false])("marked %j, tells its kind so", async (marked) => {
    const passes: unknown[] = [];
    desk.more = { marked, apply: ({ created }) => Promise.resolve(void passes.push(created)) };
    await desk.create();
    expect(passes).toEqual([marked]);
  });

  test("has a marker of what is declared alone, also without a name", async () => {
    await desk.create({ price: 5 });
    expect(desk.steps).toContain(`made new_1 as  [${markerOf(IDENTITY, []).full}]`);
  });

  test("takes over what its kind reuses, and makes nothing", async () => {
    desk.put("old", "Mug");
    desk.more = { life: { reuse: () => Promise.resolve({ id: "old", answer: { id: "old", name: "Mug" }, sent: [] }) } };
    expect((await desk.create()).id).toBe("old");
    expect(desk.steps).toContain("applied name color");
    expect(desk.steps.join()).not.toContain("posted");
  });
});

describe("what the resource had before", () => {
  test("is noted with the new object: what it replaces, and where it was public", async () => {
    const before = new ObjectState(desk.definition, "before");
    before.identity = IDENTITY;
    before.learn({ status: "published", url: "https://spring.example/mug" });
    desk.seen.note(desk.definition, before);
    desk.more = { apply: () => Promise.reject(new Error("on its way")) };
    const failure = await desk.create().catch((error: unknown) => error as { properties: JsonMap });
    expect(failure).toMatchObject({
      name: "PartialFailure",
      id: "new_1",
      properties: {
        __provider: "code",
        __landform: { predecessor: "before" },
        __declared: { former: [{ url: expect.any(String) as string }] },
      },
    });
  });
});

describe("what an undo makes anew", () => {
  const undoing = (values: JsonMap, drafts: Record<string, JsonMap> = {}): void =>
    void (desk.settings.restore = { objects: {}, anew: { [OWN]: values }, anewDrafts: drafts });

  test("has again what nobody declared, which stays nobody's", async () => {
    undoing({ price: 7, texts: { title: "Then", note: "Kept" } });
    const { outs } = await desk.create({ name: "Mug", color: "red", texts: { title: "Now" } });
    expect(desk.account.get("new_1")).toMatchObject({ price: 7, texts: { title: "Then", note: "Kept" } });
    expect(desk.steps.at(-1)).toBe("applied name texts price");
    expect(outs["__landform"]).toMatchObject({ declared: "color name texts" });
    expect(outs["texts"]).toEqual({ title: "Then" });
  });

  test("has a draft again that is no part of what is declared", async () => {
    const drafts: unknown[] = [];
    desk.more = {
      undo: {
        restoresDraft: (_, id, draft, now) => Promise.resolve(void drafts.push([id, draft, now, desk.steps.at(-1)])),
      },
    };
    undoing({}, { [OWN]: { price: 8 } });
    await desk.create();
    expect(drafts).toEqual([["new_1", { price: 8 }, { name: "Mug", color: "red" }, "applied name"]]);
  });

  test("of another resource is none of it", async () => {
    const drafts: unknown[] = [];
    desk.more = { undo: { restoresDraft: () => Promise.resolve(void drafts.push("written")) } };
    const other = { [OTHER.own]: { price: 7 } };
    desk.settings.restore = { objects: {}, anew: other, anewDrafts: other };
    await desk.create();
    await desk.create({ name: "Mug" }, "");
    expect([desk.account.get("new_1"), drafts]).toEqual([{ id: "new_1", name: "Mug", color: "red" }, []]);
  });

  test("needs no draft of a kind that has none", async () => {
    undoing({}, { [OWN]: { price: 8 } });
    expect((await desk.create()).outs).not.toHaveProperty("price");
  });
});
