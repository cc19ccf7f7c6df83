/** A struct that keeps its bytes says what the SDK's own says, byte for byte and value for value. */
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { runInNewContext } from "node:vm";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { FRAMES_VARIABLE } from "../../engine/sdk/framed-client.ts";
import { quickStructs } from "../../engine/sdk/quick-structs.ts";
import { rewriteOf } from "../../engine/sdk/rewrites.ts";
import { decoded, encoded } from "../../engine/sdk/struct-codec.ts";

interface Struct {
  serializeBinary(): Uint8Array;
  toJavaScript(): unknown;
  toObject(): unknown;
  getFieldsMap(): { getLength(): number };
  clearFieldsMap(): void;
}

interface StructClass {
  fromJavaScript(values: object): Struct;
  deserializeBinary(bytes: Uint8Array): Struct;
}

const sdk = createRequire(import.meta.resolve("@pulumi/pulumi"));
const FILE = sdk.resolve("google-protobuf/google/protobuf/struct_pb.js");

/** Returns the SDK's module in a realm of its own, since it finds itself by a global name. */
function moduleOf(source: string): StructClass {
  const module = { exports: {} as { Struct: StructClass } };
  const realm = { [Symbol.for("landform.sdk")]: { quickStructs } };
  const run = runInNewContext(`(module, exports, require) => {${source}}`, realm) as (...given: unknown[]) => void;
  run(module, module.exports, createRequire(FILE));
  return module.exports.Struct;
}

const SOURCE = readFileSync(FILE, "utf8");
const theirs = moduleOf(SOURCE);
const ours = moduleOf(rewriteOf(FILE)?.(SOURCE) ?? SOURCE);

const text = fc.oneof(
  fc.string({ unit: "grapheme" }),
  fc.string({ unit: "binary" }),
  fc.constantFrom("", "__proto__", "10", "é", "😀"),
);
const value = fc.letrec((tie) => ({
  json: fc.oneof(
    { maxDepth: 4 },
    fc.oneof(text, fc.double(), fc.boolean(), fc.constant(null), fc.constantFrom(0, -0, 1e300, "x".repeat(20_000))),
    fc.array(tie("json"), { maxLength: 4 }),
    fc.dictionary(text, tie("json"), { maxKeys: 5 }),
  ),
})).json;
const values = fc.dictionary(text, value, { maxKeys: 8 });

describe("a struct that keeps its bytes", () => {
  test("is read by the SDK as the SDK's own is", () =>
    fc.assert(
      fc.property(values, (given) => {
        const bytes = ours.fromJavaScript(given).serializeBinary();
        const own = theirs.fromJavaScript(given).serializeBinary();
        expect(theirs.deserializeBinary(bytes).toJavaScript()).toEqual(theirs.deserializeBinary(own).toJavaScript());
        expect(bytes.length).toBe(own.length);
      }),
    ));

  test("reads what the SDK has written, with its keys in the same order", () =>
    fc.assert(
      fc.property(values, (given) => {
        const bytes = theirs.fromJavaScript(given).serializeBinary();
        const [read, own] = [ours, theirs].map((Class) => Class.deserializeBinary(bytes).toJavaScript());
        expect(read).toEqual(own);
        expect(JSON.stringify(read)).toBe(JSON.stringify(own));
        expect(Buffer.from(ours.deserializeBinary(bytes).serializeBinary())).toEqual(Buffer.from(bytes));
      }),
    ));

  test("shows its tree to who looks into it", () => {
    const given = { a: { b: [1, "two", null] }, c: true };
    const struct = ours.deserializeBinary(ours.fromJavaScript(given).serializeBinary());
    expect(struct.toObject()).toEqual(theirs.fromJavaScript(given).toObject());
    expect(struct.getFieldsMap().getLength()).toBe(2);
    expect(struct.toJavaScript()).toEqual(given);
    struct.clearFieldsMap();
    expect(struct.toJavaScript()).toEqual({});
    const untouched = ours.fromJavaScript(given);
    untouched.clearFieldsMap();
    expect([untouched.toJavaScript(), untouched.serializeBinary().length]).toEqual([{}, 0]);
  });

  test("refuses what the SDK refuses, in its words, and when it is made", () => {
    for (const strange of [undefined, () => 1, Symbol("x"), 1n, [1, undefined]])
      for (const Class of [ours, theirs])
        expect(() => Class.fromJavaScript({ strange })).toThrow("Unexpected struct type.");
    for (const odd of [new Date(0), new Uint8Array([1, 2]), new String("x"), Object.create({ inherited: 1 }) as object])
      expect(ours.fromJavaScript({ odd }).toJavaScript()).toEqual(theirs.fromJavaScript({ odd }).toJavaScript());
  });

  test("is whole if an object makes another one when it is read", () => {
    const given = {
      a: "first",
      get b() {
        return ours.fromJavaScript({ inner: "x".repeat(100_000) }).serializeBinary().length;
      },
      c: "last",
    };
    const { b, ...read } = ours.fromJavaScript(given).toJavaScript() as typeof given;
    expect([read, b > 100_000]).toEqual([{ a: "first", c: "last" }, true]);
  });

  test("leaves half a surrogate pair to the SDK", () => {
    const given = { text: "half of \ud83d" };
    expect(encoded(given)).toBeUndefined();
    expect(encoded({ "\udc00": 1 })).toBeUndefined();
    const [bytes, own] = [ours, theirs].map((Class) => Buffer.from(Class.fromJavaScript(given).serializeBinary()));
    expect(bytes).toEqual(own);
    expect(ours.deserializeBinary(theirs.fromJavaScript(given).serializeBinary()).toJavaScript()).toBeDefined();
  });

  test("leaves bytes of another form to the SDK, and never runs past their end", () => {
    const whole = theirs.fromJavaScript({ a: "text", b: [1, { c: false }], d: null, e: 2 }).serializeBinary();
    for (let length = 1; length < whole.length; length++) {
      const part = whole.subarray(0, length);
      const read = decoded(part);
      if (read !== undefined) expect(theirs.deserializeBinary(part).toJavaScript()).toEqual(read);
    }
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 40 }), (bytes) => {
        const read = decoded(bytes);
        if (read !== undefined) expect(theirs.deserializeBinary(bytes).toJavaScript()).toEqual(read);
      }),
      { numRuns: 2_000 },
    );
    // An entry without a value.
    expect(decoded(Uint8Array.of(0x0a, 3, 0x0a, 1, 0x61))).toBeUndefined();
  });

  test("makes a tree for the embedded engine alone", () => {
    expect((ours.fromJavaScript({ a: 1 }) as Struct & { toArray(): unknown[] }).toArray()).toEqual([]);
    process.env[FRAMES_VARIABLE] = "127.0.0.1:1";
    try {
      const struct = ours.fromJavaScript({ a: 1 }) as Struct & { toArray(): unknown[] };
      struct.serializeBinary();
      expect(struct.toArray()).toEqual((theirs.fromJavaScript({ a: 1 }) as typeof struct).toArray());
    } finally {
      Reflect.deleteProperty(process.env, FRAMES_VARIABLE);
    }
  });
});
