/** The words of check for every way in which a schema can refuse a value: our words, never zod's. */
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { Json, JsonMap } from "../../provider/values/json.ts";
import handlers from "../../provider/pulumi/dynamic.ts";
import { type Kind, registry } from "../../provider/kinds/registry.ts";
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
    for (const field of Object.keys(registry[kind].schema.shape))
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
  });
});
