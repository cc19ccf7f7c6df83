/** The pure parts, with rules that hold for any value. */
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { z } from "zod";
import type { FieldRule } from "../../provider/definition/field-rule.ts";
import { type AnyDefinition, defineResource } from "../../provider/definition/define.ts";
import { MADE } from "../../provider/definition/in-preview.ts";
import { type Json, type JsonMap, sanitize } from "../../provider/values/json.ts";
import { changedKeys, changesBetween, diffOf } from "../../provider/reconcile/diff.ts";
import { identityFor, markedName, markerIn, markerOf, nameIn } from "../../provider/ledger/identity.ts";
import { nearest } from "../../provider/values/nearest.ts";
import { UNKNOWN } from "../../provider/values/paths.ts";
import { ObjectState } from "../../provider/reconcile/object-state.ts";
import { page } from "../../provider/kinds/page.ts";
import { planWrites } from "../../provider/kinds/page/document/writes.ts";
import { ContentFields } from "../../provider/account/content-map.ts";
import { encodeFields } from "../../emulator/document/index.ts";
import { mentions, placeholdersIn, render } from "../../provider/values/placeholders.ts";

/** A value as it comes off the wire: without a minus before zero, and without the keys that Pulumi drops. */
const json = fc
  .jsonValue({ maxDepth: 3 })
  .map((value) => sanitize(JSON.parse(JSON.stringify({ value })) as JsonMap)["value"] as Json);
const map = fc.dictionary(fc.string({ minLength: 1 }), json).map((value) => sanitize(value));
const text = fc.string({ unit: "binary" }).filter((value) => value.isWellFormed());

const FIELDS = ["shown", "renamed", "hidden", "counted", "keyed", "fixed", "refused"] as const;
const rules: Partial<Record<(typeof FIELDS)[number], FieldRule>> = {
  renamed: { shownValue: (answer) => answer["other"] },
  counted: { proxyOutput: "count" },
  keyed: { shownValue: (answer) => answer["keyed"], perKey: true },
  fixed: { onChange: "replace" },
  refused: { onChange: "refuse" },
};
const notNeeded = (): never => {
  throw new Error("not part of this test");
};
const definition: AnyDefinition = defineResource({
  kind: "test",
  section: "tests",
  doc: "",
  named: false,
  inputs: z.object(Object.fromEntries(FIELDS.map((field) => [field, z.json()]))),
  outputs: z.object({ shown: z.json(), keyed: z.json(), fixed: z.json(), count: z.json(), other: z.json() }),
  rules,
  calls: { create: [], adopt: [], update: [], delete: [] },
  inPreview: MADE,
  limits: [],
  plan: { refusal: "it can't be changed" },
  create: notNeeded,
  read: notNeeded,
  apply: notNeeded,
  delete: notNeeded,
});

const declarations = fc
  .record(
    { shown: json, renamed: json, hidden: json, counted: json, keyed: map, fixed: json, refused: json },
    { requiredKeys: [] },
  )
  .map((value): JsonMap => Object.fromEntries(Object.entries(value)));
const answers = fc
  .record({ shown: json, other: json, keyed: map, fixed: json, count: json, further: json }, { requiredKeys: [] })
  .map((value): JsonMap => Object.fromEntries(Object.entries(value)));

function objectOf(declared: JsonMap, answer: JsonMap): ObjectState {
  const object = new ObjectState(definition, "id");
  object.account = "acc";
  object.identity = "lf-1 name";
  object.learn(answer);
  for (const [field, value] of Object.entries(declared)) object.declare(field, value);
  return object;
}

describe("state", () => {
  test("a round trip keeps what was declared, whatever the service answered", () =>
    fc.assert(
      fc.property(declarations, answers, (declared, answer) => {
        const state = JSON.parse(JSON.stringify(objectOf(declared, answer).toState())) as JsonMap;
        const back = ObjectState.fromState(definition, "id", state);
        expect(Object.fromEntries(back.declared)).toEqual(withLiveKeys(declared, answer));
        expect(back.account).toBe("acc");
        expect(back.identity).toBe("lf-1 name");
        expect(back.toState()).toEqual(state);
      }),
    ));

  /** Returns a map with the keys that the service shows beside the declared ones, for maps that are compared key by key. */
  function withLiveKeys(declared: JsonMap, answer: JsonMap): JsonMap {
    return "keyed" in declared
      ? { ...declared, keyed: { ...(answer["keyed"] as JsonMap), ...(declared["keyed"] as JsonMap) } }
      : declared;
  }

  test("unfinished inputs, the duplicate and notes survive", () => {
    const object = objectOf({ hidden: 1 }, {});
    object.reapply("hidden");
    object.duplicateId = "other";
    object.notes = { texts: { a: "{{b}}" } };
    const back = ObjectState.fromState(definition, "id", object.toState());
    expect([...back.unfinished.keys()]).toEqual(["hidden"]);
    expect(back.duplicateId).toBe("other");
    expect(back.notes).toEqual({ texts: { a: "{{b}}" } });
    expect(changesBetween(definition, back, { hidden: 1 })).toMatchObject([{ field: "hidden", kind: "again" }]);
  });
});

describe("diff", () => {
  const plain = declarations.map(({ keyed, ...rest }) => rest);

  test("the same inputs are no change, and a change names exactly the fields that differ", () =>
    fc.assert(
      fc.property(plain, plain, answers, (then, now, answer) => {
        const object = ObjectState.fromState(definition, "id", objectOf(then, answer).toState());
        expect(diffOf(definition, object, then)).toEqual({ changes: false, replaces: [] });
        const changed = changesBetween(definition, object, now).map(({ field }) => field);
        const differing = FIELDS.filter((field) => JSON.stringify(then[field]) !== JSON.stringify(now[field]));
        for (const field of changed) expect(differing).toContain(field);
      }),
    ));

  test("an unknown is a change, and never replaces or is refused", () =>
    fc.assert(
      fc.property(plain, answers, fc.constantFrom(...FIELDS), (then, answer, field) => {
        const object = ObjectState.fromState(definition, "id", objectOf(then, answer).toState());
        for (const value of [UNKNOWN, [UNKNOWN], { deep: [{ er: UNKNOWN }] }] as Json[])
          expect(diffOf(definition, object, { ...then, [field]: value })).toMatchObject({
            changes: true,
            replaces: [],
          });
      }),
    ));

  test("of a map the keys that differ are sent, and no others", () =>
    fc.assert(
      fc.property(map, map, (then, now) => {
        const changed = changedKeys(then, now);
        expect({ ...now, ...changed }).toEqual(now);
        for (const key of Object.keys(now)) if (!(key in changed)) expect(now[key]).toEqual(then[key]);
        expect(changedKeys(now, now)).toEqual({});
      }),
    ));
});

test("a marker is found in any name that carries it, folded or trimmed, and tells stack, resource and inputs", () =>
  fc.assert(
    fc.property(text, text, json, (name, logical, inputs) => {
      const identity = identityFor(`urn:pulumi:dev::project::type::${logical}`);
      expect(nameIn(identity)).toBe(logical);
      const marker = markerOf(identity, inputs);
      fc.pre(markerIn(name) === undefined);
      const marked = markedName(name, marker);
      for (const seen of [marked, marked.toUpperCase(), marked.trim(), `  ${marked}  (site)`])
        expect(markerIn(seen)).toBe(marker.full);
      expect(marker.full.startsWith(marker.resourceKey)).toBe(true);
      expect(marker.resourceKey.startsWith(marker.stack)).toBe(true);
      expect(markerOf(identity, [inputs]).resourceKey).toBe(marker.resourceKey);
    }),
  ));

test("the nearest word is one of the candidates, the word itself first", () => {
  const word = fc.stringMatching(/^[a-z]{3,12}$/);
  fc.assert(
    fc.property(word, fc.uniqueArray(word, { maxLength: 20 }), (wanted, candidates) => {
      const found = nearest(wanted, candidates, 3);
      for (const one of found) expect(candidates).toContain(one);
      expect(found.length).toBeLessThanOrEqual(3);
      if (candidates.includes(wanted)) expect(found[0]).toBe(wanted);
      expect(nearest(wanted.toUpperCase(), [wanted, ...candidates])[0]).toBe(wanted);
    }),
  );
});

describe("variables", () => {
  const name = fc.stringMatching(/^[A-Za-z_][\w.-]{0,8}$/);
  const variables = fc.dictionary(name, text);

  test("what has no placeholder stays as it is, and a value is inserted as it is", () =>
    fc.assert(
      fc.property(text, name, text, variables, (around, key, value, others) => {
        fc.pre(!/[{}]/.test(around));
        expect(render(around, others)).toBe(around);
        const all = { ...others, [key]: value };
        expect(render(`${around}{{${key}}}|{{ ${key} }}`, all)).toBe(`${around}${value}|${value}`);
        expect(mentions(`{{${key}}}`, all)).toBe(true);
        expect(placeholdersIn(`{{ ${key} }}${around}`)).toEqual([key]);
      }),
    ));

  test("updates bring the page from what was declared then to what is declared now, and no more", () => {
    const template = fc
      .array(fc.oneof(fc.constantFrom("{{a}}", "{{ b }}", "{{c}}"), fc.stringMatching(/^[a-z ]*$/)))
      .map((parts) => parts.join(""));
    const texts = fc.dictionary(fc.constantFrom("k1", "k2", "k3"), template);
    const values = fc.dictionary(fc.constantFrom("a", "b", "c"), fc.stringMatching(/^[x-z]{1,3}$/));
    const shown = (content: JsonMap, having: JsonMap): JsonMap =>
      Object.fromEntries(Object.entries(content).map(([key, value]) => [key, render(value, having)]));
    const sent = (content: JsonMap, variables: JsonMap, contentNow: JsonMap, variablesNow: JsonMap): JsonMap => {
      const object = new ObjectState(page, "p1");
      object.declare("content", content);
      object.declare("variables", variables);
      const now = page.inputs.parse({ content: contentNow, variables: variablesNow });
      return planWrites({ now, changed: new Set(["content", "variables"]), removed: new Set(), object }).content;
    };
    fc.assert(
      fc.property(texts, texts, values, values, (contentThen, contentNow, variablesThen, variablesNow) => {
        const before = shown(contentThen, variablesThen);
        const updates = sent(contentThen, variablesThen, contentNow, variablesNow);
        // A variable that is no longer declared stays as it is, whatever happens to the texts.
        const known = { ...variablesThen, ...variablesNow };
        const wanted = Object.entries(contentNow).map(([key, value]) => [key, render(value, known)]);
        expect({ ...before, ...updates }).toMatchObject(Object.fromEntries(wanted));
        for (const key of Object.keys(updates)) expect(Object.keys(contentNow)).toContain(key);
        expect(sent(contentNow, variablesNow, contentNow, variablesNow)).toEqual({});
      }),
    );
  });
});

test.each([
  "array-key-value",
  "array-id-text",
  "nested-groups",
  "map-scalars",
  "map-objects",
  "array-raw-html",
] as const)("a content map as %s shows every key with its value, byte for byte", (shape) => {
  const key = fc.stringMatching(/^[a-z][a-z0-9_]{0,6}\.[a-z][a-z0-9_]{0,6}$/);
  const field = fc.record({ key, value: text.filter((value) => value !== ""), label: text, nodeId: key });
  fc.assert(
    fc.property(fc.uniqueArray(field, { selector: (one) => one.key }), (fields) => {
      const encoded = encodeFields(fields.map((one) => ({ ...one, type: "text" })) as never, shape);
      const read = new ContentFields(JSON.parse(JSON.stringify(encoded)));
      for (const one of fields) {
        expect(read.has(one.key)).toBe(true);
        expect(read.value(one.key)).toBe(one.value);
      }
      expect(read.has("no.such.key.at.all")).toBe(false);
      expect(new Set(read.keys())).toEqual(new Set(fields.map((one) => one.key)));
    }),
  );
});
