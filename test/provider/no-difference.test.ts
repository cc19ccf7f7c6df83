/** Declarations that differ and have the same result: there is nothing to plan. */
import { expect, test } from "vitest";
import type { JsonMap } from "../../provider/values/json.ts";
import { diffOf } from "../../provider/reconcile/diff.ts";
import { ObjectState } from "../../provider/reconcile/object-state.ts";
import { registry } from "../../provider/kinds/registry.ts";

const then = { content: { title: "Hello {{brand}}!", note: "Free" }, variables: { brand: "Acme" } };

function plans(now: JsonMap, { status = "published", texts = {}, live = {} } = {}): boolean {
  const object = new ObjectState(registry.page, "page_1");
  object.answer = { status, content: { title: "Hello Acme!", note: "Free", ...live } };
  object.notes = { texts };
  for (const [field, value] of Object.entries(then)) object.declare(field, value);
  const old = ObjectState.fromState(registry.page, "page_1", object.toState());
  return diffOf(registry.page, old, { ...then, ...now }).changes;
}

test("a text that comes out as it is live", () => {
  const more = { ...then.content, title: "Hello {{brand}} and more!" };
  expect(plans({ content: more })).toBe(true);
  expect(plans({ content: more }, { live: { title: "Hello Acme and more!" } })).toBe(false);
  expect(plans({ content: { ...then.content, title: "Hello Acme!" } })).toBe(false);
  expect(plans({ content: { ...then.content, other: "new" } })).toBe(true);
  expect(plans({ content: { title: then.content.title } })).toBe(false);
  expect(plans({ content: { ...then.content, title: "Hello {{name}}!" } })).toBe(true);
});

test("a variable that no text of a published page holds", () => {
  const more = { brand: "Acme", city: "Oslo" };
  expect(plans({ variables: more })).toBe(false);
  expect(plans({ variables: more }, { status: "draft" })).toBe(true);
  expect(plans({ variables: more }, { texts: { sub: "In {{city}}" } })).toBe(true);
  expect(plans({ variables: { brand: "Bcme" } })).toBe(true);
  expect(plans({ variables: {} })).toBe(false);
  expect(plans({ variables: more, content: { ...then.content, note: "In {{city}}" } })).toBe(true);
});
