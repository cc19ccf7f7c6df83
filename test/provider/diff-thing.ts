/** A kind with another rule for every input, and objects of it, for the tests of the diff. */
import { z } from "zod";
import { type AnyDefinition, defineResource } from "../../provider/definition/define.ts";
import type { FieldRule } from "../../provider/definition/field-rule.ts";
import type { JsonMap } from "../../provider/values/json.ts";
import { ObjectState } from "../../provider/reconcile/object-state.ts";
import { MADE } from "../../provider/definition/in-preview.ts";

const notNeeded = (): never => {
  throw new Error("not part of this test");
};
export const rules: Readonly<Record<string, FieldRule>> = {
  plain: {},
  fixed: { onChange: "replace" },
  blind: { onChange: "replace", shownValue: () => undefined },
  refused: { onChange: "refuse" },
  local: { onChange: "none" },
  cleared: { cleared: "" },
  gone: { removalReplaces: true, cleared: "none" },
  needed: { removalRefused: "it is needed", cleared: null },
  shown: { shownValue: (answer) => answer["shown"] },
  counted: { shownValue: (answer) => answer["counted"], proxyOutput: "count" },
  onceShown: { shownValue: (answer) => answer["onceShown"], shownOnWrites: true },
  shownFixed: { shownValue: (answer) => answer["shownFixed"], onChange: "refuse" },
  unseen: { shownValue: () => undefined, cleared: "" },
  keyed: { perKey: true, shownValue: (answer) => answer["keyed"] },
  patched: { perKey: true, shownValue: (answer) => answer["patched"], merges: (value) => value !== "whole" },
};
const shape = Object.fromEntries(Object.keys(rules).map((field) => [field, z.json()]));

export function definitionWith(more: Partial<AnyDefinition> = {}): AnyDefinition {
  return defineResource({
    kind: "thing",
    section: "things",
    doc: "",
    named: false,
    inputs: z.object(shape),
    outputs: z.object(shape),
    rules,
    calls: { create: [], adopt: [], update: [], delete: [] },
    inPreview: MADE,
    limits: [],
    plan: { refusal: "it can't be changed" },
    create: notNeeded,
    read: notNeeded,
    apply: notNeeded,
    delete: notNeeded,
    ...more,
  });
}
export const thing = definitionWith();

/** Makes an object from its declaration and the service's answer. Default: the service shows it as declared. */
export function made(declared: JsonMap, answer: JsonMap = declared): ObjectState {
  const object = new ObjectState(thing, "thing_1");
  object.identity = "lf-1-2 mug";
  object.learn(answer);
  for (const [field, value] of Object.entries(declared)) object.declare(field, value);
  return object;
}

export const SAME = { changes: false, replaces: [] };
export const UPDATE = { changes: true, replaces: [] };
export const replaces = (...fields: string[]) => ({ changes: true, replaces: fields });
