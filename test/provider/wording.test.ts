/** The words of check for every way in which a schema can refuse a value: our words, never zod's. */
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { z } from "zod";
import { accountSettings, entryOptions } from "../../manifest/declare/entries.ts";
import { forms } from "../../manifest/language/forms.ts";
import type { Json, JsonMap } from "../../provider/values/json.ts";
import handlers from "../../provider/pulumi/dynamic.ts";
import { type Kind, registry } from "../../provider/kinds/registry.ts";
import { inputWording } from "../../provider/values/wording.ts";
import { neededBy } from "./needed.ts";

/** Phrases of zod's English locale. */
const ZODS = /invalid|unrecognized|too (small|big)|expected|received|>=|<=/i;

let count = 0;

async function told(kind: Kind, inputs: JsonMap): Promise<string[]> {
  const identity = `wording-${++count}`.padEnd(16, "0");
  const { failures } = await handlers[kind].check(
    {},
    { ...neededBy(kind), ...inputs, __identity: identity, __provider: "" },
  );
  return failures.map(({ property, reason }) => (property === "" ? reason : `${property}: ${reason}`));
}

describe("the check handler", () => {
  // The messages repeat names, so the names are words that zod doesn't use.
  const name = fc.stringMatching(/^[a-z]{1,5}$/);
  const { json } = fc.letrec<{ json: Json }>((tie) => ({
    json: fc.oneof(
      { maxDepth: 3 },
      fc.constantFrom(null, true, false),
      fc.double({ noNaN: true, noDefaultInfinity: true }),
      fc.string(),
      fc.array(tie("json"), { maxLength: 4 }),
      fc.dictionary(name, tie("json"), { maxKeys: 4 }),
    ),
  }));
  test.each(Object.keys(registry) as Kind[])("%s: whatever is given, no phrase of zod's is told", async (kind) => {
    for (const field of Object.keys(registry[kind].schema.shape)) {
      await fc.assert(
        fc.asyncProperty(json, async (value) => {
          for (const message of await told(kind, { [field]: value })) {
            const said = message.replaceAll(/"(?:[^"\\]|\\.)*"/g, "");
            expect(said).not.toMatch(ZODS);
            expect(said).not.toMatch(/undefined|\[object|NaN/);
          }
        }),
        { numRuns: 30 },
      );
    }
  });
});

/** A new kind of schema needs its words, and a line in the table. */
test("the schemas are made of what the tables show", () => {
  const found = new Set<string>();
  const offered = [...Object.values(registry).map(({ schema }) => schema), ...Object.values(forms)];
  for (const schema of [...offered, accountSettings, entryOptions]) partsOf(schema, found);
  expect([...found].sort()).toEqual([
    "array",
    "boolean",
    "check custom",
    "check greater_than",
    "check less_than",
    "check min_length",
    "check number_format",
    "enum",
    "lazy",
    "number",
    "object",
    "optional",
    "record",
    "string",
    "union",
  ]);
});

function partsOf(schema: z.ZodType, found: Set<string>): void {
  const { def } = schema as unknown as { def: Record<string, unknown> & { type: string } };
  found.add(def.type);
  for (const check of (def["checks"] ?? []) as { _zod: { def: { check: string } } }[]) {
    found.add(`check ${check._zod.def.check}`);
  }
  if (def.type === "lazy") return; // any JSON, which is all that arrives
  const inner = [def["element"], def["innerType"], def["keyType"], def["valueType"], ...((def["options"] ?? []) as [])];
  const shape = Object.values(def["shape"] ?? {}) as unknown[];
  for (const part of [...inner, ...shape]) if (part instanceof z.ZodType) partsOf(part, found);
}

test.each([
  [z.number().int(), 1.5, "takes a whole number, and this is 1.5"],
  [z.string().min(5), "four", "takes text of at least 5 characters, and this is 4 long"],
  [z.array(z.string()).max(1), ["a", "b"], "takes a list of at most 1 item, and this is 2 long"],
  [z.number().gt(0), 0, "takes a number of more than 0, and this is 0"],
  [z.number().lt(9), 9, "takes a number of less than 9, and this is 9"],
  [z.union([z.string(), z.number()]), [], "takes text or a number, and this is a list"],
  [z.strictObject({}), { a: 1, b: 2 }, 'has the unknown properties "a", "b"'],
  [z.string().regex(/x/), "y", "has a value that is not taken here"],
])("in general: %#", (schema, value, message) => {
  const { error } = schema.safeParse(value, { error: inputWording });
  expect(error?.issues.map((issue) => issue.message)).toEqual([message]);
});
