/** The three-way diff, rule by rule: changes, and changes that replace. */
import { describe, expect, test } from "vitest";
import type { JsonMap } from "../../provider/values/json.ts";
import { changesBetween, diffOf } from "../../provider/reconcile/diff.ts";
import { UNKNOWN } from "../../provider/values/paths.ts";
import { definitionWith, made, replaces, rules, SAME, thing, UPDATE } from "./diff-thing.ts";

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
    object.reapply("fixed");
    expect(changesBetween(thing, object, { fixed: 1, plain: 1 })).toEqual(change("fixed", "again"));
    expect(diffOf(thing, object, { fixed: 1, plain: 1 })).toEqual(UPDATE);
    expect(changesBetween(thing, object, { fixed: 2, plain: 1 })).toEqual(change("fixed", "changed", "replace"));
  });

  test("what its kind calls due is an update though it is declared as it was, and its own spelling is no excuse", () => {
    const due = definitionWith({
      plan: { due: (field, old, now) => (field === now["due"] && old.id === "thing_1" ? true : undefined) },
    });
    const then = { plain: 1, shown: " A ", due: "plain" };
    const object = made(then, { plain: 1, shown: "A" });
    expect(changesBetween(due, object, then)).toEqual(change("plain", "again"));
    expect(diffOf(due, object, then)).toEqual(UPDATE);
    expect(changesBetween(due, object, { ...then, due: "fixed" })).toEqual(change("due", "changed"));
    const spelled = made({ shown: " A ", due: "shown" }, { shown: "A" });
    expect(changesBetween(due, spelled, { shown: "A", due: "shown" })).toEqual(change("shown", "changed"));
    expect(changesBetween(thing, spelled, { shown: "A", due: "shown" })).toEqual([]);
  });

  test("what the kind itself calls no difference is none, unless it has to be done again", () => {
    const lenient = definitionWith({
      plan: { due: (field, _old, now) => (field === "plain" && now["plain"] === 2 ? false : undefined) },
    });
    const object = made({ plain: 1, fixed: 1 });
    expect(changesBetween(lenient, object, { plain: 2, fixed: 2 })).toEqual(change("fixed", "changed", "replace"));
    expect(changesBetween(lenient, object, { plain: 3, fixed: 1 })).toEqual(change("plain", "changed"));
    object.reapply("plain");
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
    object.reapply("shown");
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
    const definition = definitionWith({ plan: { diff: () => ["plain", "fixed"] } });
    expect(diffOf(definition, made({ plain: 1 }), { plain: 1 })).toEqual(replaces("plain", "fixed"));
    expect(diffOf(definition, made({ fixed: 1 }), { fixed: 2 })).toEqual(replaces("fixed", "plain"));
  });

  test("a second object that turned up late is a change", () => {
    const object = made({ plain: 1 });
    object.duplicateId = "thing_2";
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
