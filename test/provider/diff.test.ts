/** The three-way diff, rule by rule: what is a change, what a change replaces, what is refused and in which words. */
import { describe, expect, test } from "vitest";
import { z } from "zod";
import { defineResource, type AnyDefinition } from "../../provider/define.ts";
import type { FieldRule } from "../../provider/field-rule.ts";
import type { JsonMap } from "../../provider/json.ts";
import { changedKeys, changesBetween, diffOf, isLess, refuseToFail } from "../../provider/lifecycle/diff.ts";
import { RefusedChangeError } from "../../provider/lifecycle/errors.ts";
import { ObjectState } from "../../provider/lifecycle/object-state.ts";
import { UNKNOWN } from "../../provider/lifecycle/unknown.ts";
import { MADE } from "../../provider/preview/rules.ts";

const notNeeded = (): never => {
  throw new Error("not part of this test");
};
const rules: Readonly<Record<string, FieldRule>> = {
  plain: {},
  fixed: { onChange: "replace" },
  blind: { onChange: "replace", live: () => undefined },
  refused: { onChange: "refuse" },
  local: { onChange: "none" },
  cleared: { cleared: "" },
  gone: { removalReplaces: true, cleared: "none" },
  needed: { removalRefused: "it is needed", cleared: null },
  shown: { live: (answer) => answer["shown"] },
  counted: { live: (answer) => answer["counted"], witness: "count" },
  onceShown: { live: (answer) => answer["onceShown"], shownOnWrites: true },
  shownFixed: { live: (answer) => answer["shownFixed"], onChange: "refuse" },
  unseen: { live: () => undefined, cleared: "" },
  keyed: { perKey: true, live: (answer) => answer["keyed"] },
  patched: { perKey: true, live: (answer) => answer["patched"], merges: (value) => value !== "whole" },
};
const shape = Object.fromEntries(Object.keys(rules).map((field) => [field, z.json()]));

function definitionWith(more: Partial<AnyDefinition> = {}): AnyDefinition {
  return defineResource({
    kind: "thing",
    type: "Thing",
    section: "things",
    doc: "",
    named: false,
    marked: false,
    inputs: z.object(shape),
    outputs: z.object(shape),
    rules,
    calls: { create: [], adopt: [], update: [], delete: [] },
    inPreview: MADE,
    limits: [],
    refusal: "it can't be changed",
    create: notNeeded,
    read: notNeeded,
    apply: notNeeded,
    delete: notNeeded,
    ...more,
  });
}
const thing = definitionWith();

/** An object that was declared so, and that the service shows so: as declared, where nothing else is said. */
function made(declared: JsonMap, answer: JsonMap = declared): ObjectState {
  const object = new ObjectState(thing, "thing_1");
  object.identity = "lf-1-2 mug";
  object.learn(answer);
  for (const [field, value] of Object.entries(declared)) object.declare(field, value);
  return object;
}

const SAME = { changes: false, replaces: [] };
const UPDATE = { changes: true, replaces: [] };
const replaces = (...fields: string[]) => ({ changes: true, replaces: fields });

describe("a change is told with its kind and what it does", () => {
  const change = (field: string, kind: string, onChange = "update", unknown = false) => [
    { field, kind, onChange, unknown },
  ];
  test.each<[string, JsonMap, JsonMap, unknown]>([
    ["nothing", { plain: 1 }, { plain: 1 }, []],
    ["added", {}, { plain: 1 }, change("plain", "added")],
    ["changed", { plain: 1 }, { plain: 2 }, change("plain", "changed")],
    ["deep inside", { plain: { a: [1] } }, { plain: { a: [2] } }, change("plain", "changed")],
    ["not known yet", { plain: 1 }, { plain: [UNKNOWN] }, change("plain", "changed", "update", true)],
    ["added, not known yet", {}, { plain: UNKNOWN }, change("plain", "added", "update", true)],
    ["of what is fixed", { fixed: 1 }, { fixed: 2 }, change("fixed", "changed", "replace")],
    ["of what has no effect", { local: 1 }, { local: 2 }, []],
    ["gone, and stays as it is", { plain: 1 }, {}, []],
    ["gone, and is cleared", { cleared: "a" }, {}, change("cleared", "removed")],
    ["gone, and is clear already", { cleared: "" }, {}, []],
    ["gone, whatever it was", { gone: "none" }, {}, change("gone", "removed")],
    ["whom to adopt", { plain: 1 }, { plain: 1, adoptId: "thing_2" }, []],
    ["no longer whom to adopt", { plain: 1, adoptId: "thing_1" }, { plain: 1 }, []],
  ])("%s", (_, then, now, expected) => {
    expect(changesBetween(thing, made(then), now)).toEqual(expected);
  });

  test("what has to be done again is an update, even of what is fixed", () => {
    const object = made({ fixed: 1, plain: 1 });
    object.redo.add("fixed");
    expect(changesBetween(thing, object, { fixed: 1, plain: 1 })).toEqual(change("fixed", "redo"));
    expect(diffOf(thing, object, { fixed: 1, plain: 1 })).toEqual(UPDATE);
    expect(changesBetween(thing, object, { fixed: 2, plain: 1 })).toEqual(change("fixed", "changed", "replace"));
  });

  test("what the kind itself calls no difference is none, unless it has to be done again", () => {
    const lenient = definitionWith({
      makesNoDifference: (field, _old, now) => field === "plain" && now["plain"] === 2,
    });
    const object = made({ plain: 1, fixed: 1 });
    expect(changesBetween(lenient, object, { plain: 2, fixed: 2 })).toEqual(change("fixed", "changed", "replace"));
    expect(changesBetween(lenient, object, { plain: 3, fixed: 1 })).toEqual(change("plain", "changed"));
    object.redo.add("plain");
    expect(changesBetween(lenient, object, { plain: 2, fixed: 1 })).toEqual(change("plain", "changed"));
  });
});

describe("another spelling of what the service shows", () => {
  const spelled = (field: string): boolean =>
    changesBetween(thing, made({ [field]: " A " }, { [field]: "A" }), { [field]: "A" }).length > 0;

  test("is no change", () => {
    expect(spelled("shown")).toBe(false);
    expect(changesBetween(thing, made({ shown: " A " }, { shown: "A" }), { shown: "B" })).toHaveLength(1);
  });

  test.each(["counted", "onceShown", "shownFixed", "keyed"])("is one where %s is no measure", (field) => {
    expect(spelled(field)).toBe(true);
  });

  test("is one where it has to be done again", () => {
    const object = made({ shown: " A " }, { shown: "A" });
    object.redo.add("shown");
    expect(changesBetween(thing, object, { shown: "A" })).toMatchObject([{ kind: "changed" }]);
  });

  test("but what is newly declared is one, and so is what is no longer declared", () => {
    expect(changesBetween(thing, made({}, { shown: "A" }), { shown: "A" })).toMatchObject([{ kind: "added" }]);
    expect(changesBetween(thing, made({ unseen: "A" }, {}), {})).toMatchObject([{ kind: "removed" }]);
  });
});

describe("what replaces", () => {
  const adopted = { adoptId: "thing_1" };
  test.each<[string, JsonMap, JsonMap, JsonMap | undefined, unknown]>([
    ["another value", { fixed: 1 }, { fixed: 2 }, undefined, replaces("fixed")],
    ["another value, which somebody made already", { fixed: 1 }, { fixed: 2 }, { fixed: 2 }, UPDATE],
    ["another value of what is never shown", { blind: 1 }, { blind: 2 }, undefined, replaces("blind")],
    ["another value, not known yet", { fixed: 1 }, { fixed: UNKNOWN }, undefined, UPDATE],
    ["newly declared as it is", {}, { fixed: 1 }, { fixed: 1 }, UPDATE],
    ["newly declared otherwise", {}, { fixed: 2 }, { fixed: 1 }, replaces("fixed")],
    ["newly declared, and nothing shows it", {}, { blind: 1 }, undefined, replaces("blind")],
    ["newly declared of what was adopted, and nothing shows it", adopted, { blind: 1, ...adopted }, undefined, UPDATE],
    ["newly declared, not known yet", {}, { fixed: UNKNOWN }, { fixed: 1 }, UPDATE],
    ["no longer declared", { fixed: 1 }, {}, undefined, SAME],
    ["what needs no replacement", { plain: 1, local: 1 }, { plain: 2, local: 2 }, undefined, UPDATE],
    [
      "two at once",
      { fixed: 1, blind: 1, plain: 1 },
      { fixed: 2, blind: 2, plain: 1 },
      undefined,
      replaces("fixed", "blind"),
    ],
  ])("%s", (_, then, now, answer, expected) => {
    expect(diffOf(thing, made(then, answer ?? then), now)).toEqual(expected);
  });

  test("what is cleared makes nothing anew", () => {
    const definition = definitionWith({ rules: { ...rules, fixed: { onChange: "replace", cleared: "" } } });
    expect(diffOf(definition, made({ fixed: "a" }), {})).toEqual(UPDATE);
  });

  test("what the kind itself says, also where no input changed", () => {
    const definition = definitionWith({ diff: () => ["plain", "fixed"] });
    expect(diffOf(definition, made({ plain: 1 }), { plain: 1 })).toEqual(replaces("plain", "fixed"));
    expect(diffOf(definition, made({ fixed: 1 }), { fixed: 2 })).toEqual(replaces("fixed", "plain"));
  });

  test("a second object that turned up late is a change", () => {
    const object = made({ plain: 1 });
    object.twin = "thing_2";
    expect(diffOf(thing, object, { plain: 1 })).toEqual(UPDATE);
  });
});

describe("another object to adopt", () => {
  test.each<[string, JsonMap, JsonMap, unknown]>([
    ["replaces", {}, { adoptId: "thing_2" }, replaces("adoptId")],
    ["is not the one that is there", {}, { adoptId: "thing_1" }, SAME],
    ["is not the one that was meant then", { adoptId: "thing_2" }, { adoptId: "thing_2" }, SAME],
    ["is not known yet", {}, { adoptId: UNKNOWN }, SAME],
    ["is no id", {}, { adoptId: 7 }, SAME],
    ["replaces beside what is fixed", { fixed: 1 }, { fixed: 2, adoptId: "thing_2" }, replaces("fixed", "adoptId")],
  ])("%s", (_, then, now, expected) => {
    expect(diffOf(thing, made(then, { fixed: 1 }), now)).toEqual(expected);
  });
});

describe("what is refused", () => {
  const refusal = (object: ObjectState, now: JsonMap, definition = thing): string => {
    try {
      diffOf(definition, object, now);
    } catch (error) {
      if (error instanceof RefusedChangeError) return error.message;
      throw error;
    }
    throw new Error("it was not refused");
  };

  test("a change of what can't change, by the name in the program and with the reason", () => {
    const message = refusal(made({ refused: 1 }), { refused: 2 });
    expect(message).toContain('Thing "mug"');
    expect(message).toContain("refused");
    expect(message).toContain("it can't be changed");
    expect(refusal(made({}, { refused: 1 }), { refused: 2 })).toContain("it can't be changed");
  });

  test("by its id where the state knows no name", () => {
    const object = made({ refused: 1 });
    object.identity = undefined;
    expect(refusal(object, { refused: 2 })).toContain("Thing thing_1");
    object.id = undefined;
    expect(refusal(object, { refused: 2 })).toMatch(/^Thing [^\w]/);
  });

  test("a reason that nobody gave is left out", () => {
    const { refusal: _, ...silent } = thing;
    expect(refusal(made({ refused: 1 }), { refused: 2 }, silent)).not.toMatch(/undefined|Stryker/);
  });

  test("not where the program asks for a replacement, nor where the value is not known or is there already", () => {
    const object = made({ refused: 1 });
    expect(diffOf(thing, object, { refused: 2, replaceOnChange: true })).toEqual(replaces("refused"));
    expect(() => diffOf(thing, object, { refused: 2, replaceOnChange: false })).toThrow(RefusedChangeError);
    expect(diffOf(thing, object, { refused: UNKNOWN })).toEqual(UPDATE);
    expect(diffOf(thing, made({ refused: 1 }, { refused: 2 }), { refused: 2 })).toEqual(UPDATE);
    expect(diffOf(thing, made({ fixed: 1 }), { fixed: 2 })).toEqual(replaces("fixed"));
  });

  test("to leave out what is needed, unless the object is taken over as it is", () => {
    const object = made({ needed: "a" });
    expect(refusal(object, {})).toContain("it is needed");
    expect(diffOf(thing, object, { needed: "a" })).toEqual(SAME);
    expect(diffOf(thing, object, { adoptId: "thing_1" }).replaces).toEqual([]);
    expect(diffOf(thing, made({ plain: 1 }), {})).toEqual(SAME);
  });

  test("to make anew what is sure to fail, unless another object is named", () => {
    const failing = definitionWith({ failsAnew: () => "its name is taken" });
    const message = refusal(made({ fixed: 1, blind: 1 }), { fixed: 2, blind: 2 }, failing);
    expect(message).toContain("fixed");
    expect(message).toContain("a change of it makes a new thing, and its name is taken");
    expect(diffOf(failing, made({ fixed: 1, plain: 1 }), { fixed: 1, plain: 2 })).toEqual(UPDATE);
    expect(diffOf(failing, made({ fixed: 1 }), { fixed: 2, adoptId: "thing_2" })).toEqual(replaces("fixed", "adoptId"));
    expect(diffOf(definitionWith({ failsAnew: () => undefined }), made({ fixed: 1 }), { fixed: 2 })).toEqual(
      replaces("fixed"),
    );
  });

  test("an update that is sure to fail, and nothing else", () => {
    const failing = definitionWith({ failsChanged: () => ({ field: "plain", why: "its page is no quiz" }) });
    const object = made({ plain: 1 });
    const attempt = (definition: AnyDefinition, diff: ReturnType<typeof diffOf>) => () =>
      refuseToFail(definition, object, { plain: 2 }, diff);
    expect(attempt(failing, UPDATE)).toThrow(RefusedChangeError);
    expect(attempt(failing, UPDATE)).toThrow(/Thing "mug".*plain.*its page is no quiz/s);
    expect(attempt(failing, SAME)).not.toThrow();
    expect(attempt(failing, replaces("fixed"))).not.toThrow();
    expect(attempt(failing, { changes: false, replaces: ["fixed"] })).not.toThrow();
    expect(attempt(thing, UPDATE)).not.toThrow();
    expect(attempt(definitionWith({ failsChanged: () => undefined }), UPDATE)).not.toThrow();
  });

  test("to replace what adoptId names: the new object would be the old one", () => {
    const object = made({ fixed: 1, adoptId: "thing_1" });
    const message = refusal(object, { fixed: 2, adoptId: "thing_1" });
    expect(message).toContain("fixed");
    expect(message).toContain("puts a new thing in the place of thing thing_1, and adoptId names that one");
    expect(message).toContain("Remove adoptId, which has done its work, to have it replaced; or undo the change.");
    object.id = undefined;
    expect(refusal(object, { fixed: 2, adoptId: "thing_1" })).not.toMatch(/undefined|Stryker/);
  });

  test("but not where it names another one, is not known yet, or is no id", () => {
    const object = made({ fixed: 1 });
    expect(diffOf(thing, object, { fixed: 2, adoptId: "thing_2" })).toEqual(replaces("fixed", "adoptId"));
    expect(diffOf(thing, object, { fixed: 2, adoptId: UNKNOWN })).toEqual(replaces("fixed"));
    expect(diffOf(thing, object, { fixed: 2, adoptId: 7 })).toEqual(replaces("fixed"));
    expect(diffOf(thing, object, { fixed: 1, adoptId: "thing_1" })).toEqual(SAME);
  });
});

describe("of a map that is compared key by key", () => {
  test.each<[string, JsonMap, JsonMap, boolean]>([
    ["the same", { a: 1 }, { a: 1 }, false],
    ["a key less", { a: 1, b: 2 }, { a: 1 }, false],
    ["another value", { a: 1, b: 2 }, { a: 3 }, true],
    ["a key more", { a: 1 }, { a: 1, b: 2 }, true],
    ["none left", { a: 1 }, {}, false],
  ])("%s", (_, then, now, expected) => {
    const { changes } = diffOf(thing, made({ keyed: then }), { keyed: now });
    expect(changes).toBe(expected);
    expect(diffOf(thing, made({ plain: then }), { plain: now }).changes).toBe(
      JSON.stringify(then) !== JSON.stringify(now),
    );
  });

  const rule = rules["patched"] ?? {};
  test.each<[string, JsonMap, JsonMap, boolean]>([
    ["a patch of a part less", { a: { misc: { x: 1 }, style: { y: 1 } } }, { a: { misc: { x: 1 } } }, true],
    ["a patch of a property less", { a: { misc: { x: 1, y: 2 } } }, { a: { misc: { x: 1 } } }, true],
    ["a patch with another value", { a: { misc: { x: 1, y: 2 } } }, { a: { misc: { x: 2 } } }, false],
    ["a patch with a property more", { a: { misc: { x: 1 } } }, { a: { misc: { x: 1, y: 2 } } }, false],
    ["a property that is new and nothing", { a: { misc: { x: 1 } } }, { a: { misc: { toString: null } } }, false],
    ["a patch with a part more", { a: { misc: { x: 1 } } }, { a: { misc: { x: 1 }, style: {} } }, false],
    ["a part that is no map, as it was", { a: { hint: "h", misc: { x: 1 } } }, { a: { hint: "h" } }, true],
    ["a part that is no map, otherwise", { a: { hint: "h", misc: { x: 1 } } }, { a: { hint: "i" } }, false],
    ["a part that became no map", { a: { misc: { x: 1 }, style: {} } }, { a: { misc: "x" } }, false],
    ["a part that was no map", { a: { misc: "x", style: {} } }, { a: { misc: { x: 1 } } }, false],
    ["what is not merged", { a: { misc: { x: 1 } } }, { a: "whole" }, false],
    ["what was no map", { a: "whole" }, { a: { misc: {} } }, false],
    ["a key more", { a: {} }, { a: {}, b: {} }, false],
    [
      "one that names less, one that names more",
      { a: { m: { x: 1, y: 1 } }, b: {} },
      { a: { m: { x: 1 } }, b: { m: {} } },
      false,
    ],
  ])("a merged value: %s", (_, then, now, expected) => {
    expect(isLess(rule, then, now)).toBe(expected);
    // What isn't merged is a change whenever it differs.
    expect(isLess({ perKey: true }, then, now)).toBe(false);
  });

  test("the same value again is nothing less, and neither is what is no map", () => {
    expect(isLess(rule, { a: 1 }, { a: 1 })).toBe(false);
    expect(isLess(rule, [1], [])).toBe(false);
    expect(isLess(rule, { a: 1 }, [])).toBe(false);
    expect(isLess(rule, "a", {})).toBe(false);
    expect(isLess({}, { a: 1 }, {})).toBe(false);
  });

  test("the keys that have to be sent", () => {
    expect(changedKeys({ a: 1, b: 2 }, { a: 1, b: 3, c: 4 })).toEqual({ b: 3, c: 4 });
    expect(changedKeys(undefined, { a: 1 })).toEqual({ a: 1 });
    expect(changedKeys("a", { length: 1 })).toEqual({ length: 1 });
    expect(changedKeys({ a: 1 }, undefined)).toEqual({});
    expect(changedKeys({ a: 1 }, ["b"])).toEqual({});
  });
});
