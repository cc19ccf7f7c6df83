/** The answers to page writes that the provider believes, from a service with its own ways, and those that it doesn't. */
import { describe, expect, test } from "vitest";
import type { Json, JsonMap } from "../../provider/values/json.ts";
import { ObjectState } from "../../provider/reconcile/object-state.ts";
import { page } from "../../provider/kinds/page.ts";
import { delayUnmoved, hiddenUnmoved, shownUnmoved, slugUnmoved } from "../../provider/account/page-answers.ts";

function passOf<Now extends object>(then: JsonMap, answer: JsonMap, now: Now) {
  const object = new ObjectState(page, "p1");
  object.learn(answer);
  for (const [field, value] of Object.entries(then)) object.declare(field, value);
  return { then: object, now, changed: new Set(Object.keys(now)) };
}

describe("tags", () => {
  const unmoved = (then: Json | undefined, sent: Json, tags: string[]): string[] => {
    const pass = passOf(then === undefined ? {} : { tags: then }, {}, { tags: sent as string[] });
    const result = { id: "p1", page_id: "p1", updated: true, name: null, project_id: null, product_label: null };
    return hiddenUnmoved(pass, pass.then, ["tags"])({ ...result, tags });
  };

  test.each<[Json, Json, string[]]>([
    [["a", "b"], ["a"], ["a", "b"]],
    [["b", "a"], ["c"], ["A", "B"]],
    [["a"], [], ["a"]],
  ])("%j, then %j, and shown as %j: not done", (then, sent, shown) =>
    expect(unmoved(then, sent, shown)).toEqual(["tags"]),
  );

  test.each<[Json | undefined, Json, string[]]>([
    [
      ["b", "a"],
      ["B", "A "],
      ["a", "b"],
    ],
    [["a"], ["b"], ["a", "b"]],
    [["a"], ["b"], []],
    [undefined, ["b"], ["a"]],
  ])("%j, then %j, and shown as %j: nobody can tell, or done", (then, sent, shown) =>
    expect(unmoved(then, sent, shown)).toEqual([]),
  );
});

describe("a delay", () => {
  const unmoved = (then: JsonMap | undefined, delay: JsonMap, shown: JsonMap | null) => {
    const pass = passOf(then === undefined ? {} : { delay: then }, {}, { delay });
    return delayUnmoved(pass, pass.then)({ id: "p1", page_id: "p1", updated: true, delay: shown });
  };

  test.each<[JsonMap, JsonMap, JsonMap]>([
    [{ time: 5 }, { time: 9 }, { time: 5, by: "default" }],
    [
      { time: 5, syncWithVideo: false },
      { time: 5, syncWithVideo: true },
      { time: 5, sync_with_video: false },
    ],
  ])("of %j, then %j, and shown as %j: not done", (then, sent, shown) =>
    expect(unmoved(then, sent, shown)).toEqual(["delay"]),
  );

  test.each<[JsonMap | undefined, JsonMap, JsonMap | null]>([
    [{ time: 90 }, { time: 120 }, { time: 60 }],
    [
      { time: 5, syncWithVideo: false },
      { time: 9, syncWithVideo: true },
      { time: 9, sync_with_video: false },
    ],
    [{ time: 5 }, { time: 9 }, { time: 5000 }],
    [{ time: 5 }, { time: 9 }, {}],
    [{ time: 5 }, { time: 9 }, null],
    [undefined, { time: 9 }, { time: 5 }],
  ])("of %j, then %j, and shown as %j: nobody can tell, or done", (then, sent, shown) =>
    expect(unmoved(then, sent, shown)).toEqual([]),
  );
});

describe("a path", () => {
  const unmoved = (then: string | undefined, was: string, slug: string, shown: string | null) => {
    const declared: JsonMap = then === undefined ? {} : { publish: { siteId: "s1", slug: then } };
    const answer = { status: then === undefined ? "draft" : "published", siteId: "s1", slug: was };
    const pass = passOf(declared, answer, { publish: { siteId: "s1", slug } });
    return slugUnmoved(pass, pass.then)(shown);
  };

  test.each([
    ["offer", "offer", "offer-2", "offer"],
    ["offer", "offer", "", "/offer"],
    [undefined, "a-name", "offer", "a-name"],
  ])("declared as %j and shown as %j, then %j, and shown as %j: not done", (then, was, sent, shown) =>
    expect(unmoved(then, was, sent, shown)).toEqual(["publish.slug"]),
  );

  test.each([
    ["offer", "offer", "Offer/", "offer"],
    ["offer", "offer-2", "deal", "offer-2"],
    ["cafe", "cafe", "café", "cafe"],
    ["offer", "offer", "deal", "deal"],
    ["offer", "offer", "deal", null],
    [undefined, "a-name", "", "a-name"],
    [undefined, "a-name-that-is", "a-name-that-is-cut", "a-name-that-is"],
  ])("declared as %j and shown as %j, then %j, and shown as %j: nobody can tell, or done", (then, was, sent, shown) =>
    expect(unmoved(then, was, sent, shown)).toEqual([]),
  );

  test("that the publication was not to change is not judged", () => {
    const pass = passOf({}, { status: "published", slug: "offer" }, { publish: { siteId: "s1", slug: "deal" } });
    expect(slugUnmoved({ ...pass, changed: new Set(["content"]) }, pass.then)("offer")).toEqual([]);
  });
});

describe("a name", () => {
  const unmoved = (sent: string, shown: string | null, due = ["name"]) => {
    const pass = passOf({}, { pageName: "Offer" }, { name: sent });
    return shownUnmoved(pass, pass.then, due)({ pageName: shown });
  };

  test("as it was is one that was not written", () => {
    expect(unmoved("Deal", "Offer")).toEqual(["name"]);
    expect(unmoved("Deal", "Offer", ["tags"])).toEqual([]);
    for (const shown of ["Deal", "deal", "Offer (spring.example)", null]) expect(unmoved("Deal", shown)).toEqual([]);
    expect(unmoved(" OFFER ", "Offer")).toEqual([]);
  });
});
