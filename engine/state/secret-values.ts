import { type Json, SECRET_SIG, SIG_KEY } from "../model/types.ts";
import { containsSecret } from "../model/values.ts";
import { CorruptCheckpointError, DecryptionError, MissingPassphraseError } from "./errors.ts";
import type { SecretsManager } from "./types.ts";

/** Secrets are clear (`value`) in memory and encrypted (`ciphertext`) on disk. Every other special value passes unchanged. */
export interface SecretCodec {
  open(ciphertext: string, location: string): string;
  /** Called after `open`, with the plaintext in the form that `seal` will get. */
  remember?(plaintext: string, ciphertext: string, location: string): void;
  /** Returns the fields that stand for this plaintext on disk. */
  seal(plaintext: string, location: string): { ciphertext: string } | { plaintext: string };
}

/** Encrypts with the stack's key. An unchanged secret at the same place keeps its ciphertext, so an unchanged stack is an unchanged file. */
export class ManagedSecrets implements SecretCodec {
  readonly #writer: SecretsManager | undefined;
  readonly #reader: SecretsManager | undefined;
  readonly #ciphertexts = new Map<string, string>();

  /** `reader` is for a checkpoint whose salt is not the one to write with. */
  constructor(writer: SecretsManager | undefined, reader = writer) {
    this.#writer = writer;
    this.#reader = reader;
  }

  open(ciphertext: string, location: string): string {
    if (this.#reader === undefined) throw new MissingPassphraseError(`${location} is a secret`);
    try {
      return this.#reader.decrypt(ciphertext);
    } catch (error) {
      throw error instanceof DecryptionError ? new DecryptionError(location) : error;
    }
  }

  remember(plaintext: string, ciphertext: string, location: string): void {
    if (this.#reader === this.#writer) this.#ciphertexts.set(`${location}\0${plaintext}`, ciphertext);
  }

  seal(plaintext: string, location: string): { ciphertext: string } {
    if (this.#writer === undefined)
      throw new MissingPassphraseError(`${location} is a secret, which is stored encrypted only`);
    const key = `${location}\0${plaintext}`;
    const ciphertext = this.#ciphertexts.get(key) ?? this.#writer.encrypt(plaintext);
    this.#ciphertexts.set(key, ciphertext);
    return { ciphertext };
  }
}

/** Writes readable secrets, as `pulumi stack export --show-secrets` does. */
export const shownSecrets: SecretCodec = {
  open: (ciphertext) => ciphertext,
  seal: (plaintext) => ({ plaintext }),
};

/** Pulumi encrypts an outer secret as a whole. A secret inside it stays marked, and its "ciphertext" is plain. */
const innerSecrets: SecretCodec = {
  open: (ciphertext) => ciphertext,
  seal: (plaintext) => ({ ciphertext: plaintext }),
};

export function decodeValue(stored: Json, location: string, codec: SecretCodec): Json {
  return containsSecret(stored) ? decodeParts(stored, location, codec) : stored;
}

function decodeParts(stored: Json, location: string, codec: SecretCodec): Json {
  if (Array.isArray(stored)) return stored.map((item, index) => decodeParts(item, `${location}[${index}]`, codec));
  if (stored === null || typeof stored !== "object") return stored;
  if (stored[SIG_KEY] === SECRET_SIG) return decodeSecret(stored, location, codec);
  return Object.fromEntries(
    Object.entries(stored).map(([key, value]) => [key, decodeParts(value, `${location}.${key}`, codec)]),
  );
}

/** Sorts the keys, as Pulumi does. */
export function encodeValue(value: Json, location: string, codec: SecretCodec): Json {
  if (Array.isArray(value)) return value.map((item, index) => encodeValue(item, `${location}[${index}]`, codec));
  if (Object.is(value, -0)) return NEGATIVE_ZERO;
  if (value === null || typeof value !== "object") return value;
  if (value[SIG_KEY] === SECRET_SIG) {
    return { [SIG_KEY]: SECRET_SIG, ...codec.seal(plaintextOf(value["value"] ?? null, location), location) };
  }
  return Object.fromEntries(
    Object.keys(value)
      .sort()
      .map((key) => [key, encodeValue(value[key] ?? null, `${location}.${key}`, codec)]),
  );
}

/** Pulumi writes it and reads it back; `JSON.stringify` would make it 0. */
const NEGATIVE_ZERO = (Reflect.get(JSON, "rawJSON") as (text: string) => Json)("-0");

function decodeSecret(stored: { [key: string]: Json }, location: string, codec: SecretCodec): Json {
  const { ciphertext, plaintext } = stored;
  let text: string;
  if (typeof ciphertext === "string" && plaintext === undefined) text = codec.open(ciphertext, location);
  else if (typeof plaintext === "string" && ciphertext === undefined) text = plaintext;
  else
    throw new CorruptCheckpointError(
      `${location} is marked as a secret but has not exactly one of "ciphertext" and "plaintext"; restore the checkpoint from its backup`,
    );
  const value = decodeValue(parsePlaintext(text, location), location, innerSecrets);
  if (typeof ciphertext === "string") codec.remember?.(plaintextOf(value, location), ciphertext, location);
  return { [SIG_KEY]: SECRET_SIG, value };
}

function plaintextOf(value: Json, location: string): string {
  return JSON.stringify(encodeValue(value, location, innerSecrets));
}

function parsePlaintext(text: string, location: string): Json {
  try {
    return JSON.parse(text) as Json;
  } catch (error) {
    throw new CorruptCheckpointError(
      `${location} is a secret that does not hold JSON; restore the checkpoint from its backup`,
      { cause: error },
    );
  }
}
