/** The changes that the diff refuses, and its words. */
import { describe, expect, test } from "vitest";
import type { AnyDefinition } from "../../provider/definition/define.ts";
import type { JsonMap } from "../../provider/values/json.ts";
import { diffOf, refuseToFail } from "../../provider/reconcile/diff.ts";
import { RefusedChangeError } from "../../provider/messages/errors.ts";
import type { ObjectState } from "../../provider/reconcile/object-state.ts";
import { UNKNOWN } from "../../provider/values/paths.ts";
import { definitionWith, made, replaces, SAME, thing, UPDATE } from "./diff-thing.ts";

const TAKEN = { field: "plain", why: "its name is taken" };
const NO_QUIZ = { field: "plain", why: "its page is no quiz" };

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
    const silent = definitionWith({ plan: {} });
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

  test("and not to an undo, which makes anew what was not there before", () => {
    expect(diffOf(thing, made({ needed: "a" }), {}, { isUndo: true })).toEqual(replaces("needed"));
  });

  test("to make anew what is sure to fail, unless another object is named", () => {
    const failing = definitionWith({ plan: { fails: (_, _now, on) => (on === "anew" ? TAKEN : undefined) } });
    const message = refusal(made({ fixed: 1, blind: 1 }), { fixed: 2, blind: 2 }, failing);
    expect(message).toContain("fixed");
    expect(message).toContain("a change of it makes a new thing, and its name is taken");
    expect(diffOf(failing, made({ fixed: 1, plain: 1 }), { fixed: 1, plain: 2 })).toEqual(UPDATE);
    expect(diffOf(failing, made({ fixed: 1 }), { fixed: 2, adoptId: "thing_2" })).toEqual(replaces("fixed", "adoptId"));
    const harmless = definitionWith({ plan: { fails: () => undefined } });
    expect(diffOf(harmless, made({ fixed: 1 }), { fixed: 2 })).toEqual(replaces("fixed"));
  });

  test("an update that is sure to fail, and nothing else", () => {
    const failing = definitionWith({ plan: { fails: (_, _now, on) => (on === "this" ? NO_QUIZ : undefined) } });
    const object = made({ plain: 1 });
    const attempt = (definition: AnyDefinition, diff: ReturnType<typeof diffOf>) => () =>
      refuseToFail(definition, object, { plain: 2 }, diff);
    expect(attempt(failing, UPDATE)).toThrow(RefusedChangeError);
    expect(attempt(failing, UPDATE)).toThrow(/Thing "mug".*plain.*its page is no quiz/s);
    expect(attempt(failing, SAME)).not.toThrow();
    expect(attempt(failing, replaces("fixed"))).not.toThrow();
    expect(attempt(failing, { changes: false, replaces: ["fixed"] })).not.toThrow();
    expect(attempt(thing, UPDATE)).not.toThrow();
    expect(attempt(definitionWith({ plan: { fails: () => undefined } }), UPDATE)).not.toThrow();
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
