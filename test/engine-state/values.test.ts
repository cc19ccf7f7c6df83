import { isDeepStrictEqual } from "node:util";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { MissingPassphraseError, PassphraseSecrets } from "../../engine/index.ts";
import { type Json, type ResourceState, SIG_KEY } from "../../engine/model/types.ts";
import { decodeResource, encodeResource } from "../../engine/state/resources.ts";
import { decodeValue, encodeValue, ManagedSecrets, shownSecrets } from "../../engine/state/secret-values.ts";
import { makeSecret as secret } from "../../engine/model/values.ts";
import { page, passphrase, sharedSecrets } from "./fixtures.ts";

const { value: anyValue } = fc.letrec<{ value: Json }>((tie) => ({
  value: fc.oneof(
    { depthSize: "small" },
    fc.string({ unit: "binary" }),
    fc.double({ noNaN: true, noDefaultInfinity: true }).map((number) => (Object.is(number, -0) ? 0 : number)),
    fc.boolean(),
    fc.constant(null),
    fc.array(tie("value"), { maxLength: 4 }),
    fc.dictionary(fc.string(), tie("value"), { maxKeys: 4, noNullPrototype: true }),
    tie("value").map(secret),
    fc.constant({ [SIG_KEY]: "c44067f5952c0a294b673a41bacd8c17", hash: "ab", text: "an asset" }),
  ),
}));

describe("property values", () => {
  it("come back from disk as they were, secrets in secrets included", async () => {
    const secrets = await sharedSecrets();
    fc.assert(
      fc.property(anyValue, (value) => {
        const stored = JSON.parse(JSON.stringify(encodeValue(value, "x", new ManagedSecrets(secrets)))) as Json;
        expect(isDeepStrictEqual(decodeValue(stored, "x", new ManagedSecrets(secrets)), value)).toBe(true);
      }),
    );
  });

  it("show no secret on disk, and all of them in a readable export", async () => {
    const codec = new ManagedSecrets(await sharedSecrets());
    const value = { list: [secret({ inner: secret("hush") })] };
    expect(JSON.stringify(encodeValue(value, "x", codec))).not.toContain("hush");
    const shown = encodeValue(value, "x", shownSecrets);
    expect(JSON.stringify(shown)).toContain("hush");
    expect(decodeValue(shown, "x", codec)).toStrictEqual(value);
  });

  it("keep the ciphertext of a secret that did not change, and only there", async () => {
    const secrets = await sharedSecrets();
    const original = page("a", { inputs: { k: secret("1 < 2"), l: secret("x") } });
    const stored = encodeResource(original, new ManagedSecrets(secrets));
    const codec = new ManagedSecrets(secrets);
    const state = decodeResource(stored, codec);
    expect(encodeResource(structuredClone(state), codec)).toStrictEqual(stored);
    const changed = encodeResource({ ...state, inputs: { k: secret("1 < 3"), l: secret("x") } }, codec);
    expect(changed.inputs?.["l"]).toStrictEqual(stored.inputs?.["l"]);
    expect(changed.inputs?.["k"]).not.toStrictEqual(stored.inputs?.["k"]);
    const moved = encodeResource({ ...state, inputs: { other: secret("x") } }, codec);
    expect(moved.inputs?.["other"]).not.toStrictEqual(stored.inputs?.["l"]);
  });

  it("are refused without a passphrase where they are secret, with the place and the remedy", () => {
    const encoded = () => encodeResource(page("a"), new ManagedSecrets(undefined));
    expect(encoded).toThrow(MissingPassphraseError);
    expect(encoded).toThrow(/outputs\.key.*PULUMI_CONFIG_PASSPHRASE/s);
  });

  it("are refused where they were encrypted with another key, naming the place", async () => {
    const other = await PassphraseSecrets.create(passphrase);
    const stored = encodeResource(page("a"), new ManagedSecrets(other));
    const codec = new ManagedSecrets(await sharedSecrets());
    expect(() => decodeResource(stored, codec)).toThrow(/Page::a \(id-a\) outputs\.key cannot be decrypted/);
  });
});

describe("resources", () => {
  it("keep fields that this version does not know, and lose empty ones", async () => {
    const codec = new ManagedSecrets(await sharedSecrets());
    const future = { ...page("a"), dependencies: [], protect: false, futureField: { deep: [1] } } as ResourceState;
    const read = decodeResource(encodeResource(future, codec), codec);
    const stored = encodeResource({ ...read, inputs: { changed: true } }, codec);
    expect(stored).toMatchObject({ futureField: { deep: [1] }, inputs: { changed: true } });
    expect(Object.keys(stored).join(" ")).toBe("urn custom id type inputs outputs parent provider futureField");
  });
});
