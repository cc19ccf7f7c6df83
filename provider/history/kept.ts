/** The values that a run keeps of an object before it writes over it or deletes it, and that an undo puts back. Data alone. */
import { createCipheriv, createDecipheriv, createHmac, randomBytes } from "node:crypto";
import { gunzipSync, gzipSync } from "node:zlib";
import type { JsonMap } from "../values/json.ts";
import { appendDurably, Flushes, lineOf } from "../ledger/owned-files.ts";
import type { ObjectKey } from "../ledger/identity.ts";

export interface Held {
  /** Inputs as the object had them right before. For a map that is compared key by key: the keys that are written. */
  readonly then: JsonMap;
  /** The values that were about to be written in their place; nothing for a deletion. */
  readonly sent: JsonMap;
  /** Inputs whose old value nobody can know: the service doesn't show it, and nobody had declared it. */
  readonly hidden: readonly string[];
  /** Content keys whose value no visitor got: an edit in the draft of a published page. */
  readonly unpublished?: readonly string[];
  /** Texts by content key that were in the draft alone, beside those of `then`, if the content map shows the published texts. */
  readonly draft?: JsonMap;
  /** Content keys whose text in the draft was another one that isn't known. */
  readonly draftUnknown?: readonly string[];
  /** Edits of others that go out with the write, in words, where nobody knows what visitors got before. They stay public. */
  readonly included?: readonly string[];
  /** True if the program's last change was held back: visitors had the revision before. */
  readonly waited?: true;
}

export interface Kept extends Held {
  /** STACK and OWN of the resource's identity. */
  readonly resourceKey: string;
  readonly kind: string;
  readonly id: string;
  readonly step: "update" | "adopt" | "delete";
  readonly account?: string;
  /** The reason why the object could not be read. The values are then those of the state. */
  readonly unread?: string;
}

export interface Keeper {
  /** Resolves when the entry is durable. */
  keep(kept: Kept): Promise<void>;
}

/** The values that an undo writes beyond the declared ones. */
export interface Restore {
  /** For objects that exist. */
  readonly objects: Readonly<Record<ObjectKey, RestoredObject>>;
  /** By OWN, inputs of objects that are made anew. */
  readonly anew: Readonly<Record<string, JsonMap>>;
  /** By OWN, the values that were only in the drafts of these objects. */
  readonly anewDrafts: Readonly<Record<string, JsonMap>>;
  /** By object that the undo makes anew, the OWN of its resource. */
  readonly successors: Readonly<Record<ObjectKey, string>>;
}

export interface RestoredObject {
  readonly values: JsonMap;
  /** Inputs to write when the object is published: they were in its draft alone, and stay there. */
  readonly draft?: JsonMap;
  /** Outputs that the state records as they were before: they had drifted then, and the drift is reported again. */
  readonly recorded: JsonMap;
  /** The resource goes and the object stays, since a run had adopted it. */
  readonly letGo?: true;
}

/**
 * A run seals the values that it keeps with a key of its own (AES-256-GCM, compressed before). Every process of the run can write them, and
 * only a person who can read the stack's secrets can read them.
 */
const ALGORITHM = "aes-256-gcm";
const [KEY_BYTES, NONCE_BYTES, TAG_BYTES] = [32, 12, 16];

export function newKey(): string {
  return randomBytes(KEY_BYTES).toString("base64");
}

/** Returns a key that everyone who has `secret` can make again. The secret can't be guessed. */
export function keyFrom(secret: string, purpose: string): string {
  return createHmac("sha256", secret).update(purpose).digest("base64");
}

export function seal(key: string, value: unknown): string {
  const nonce = randomBytes(NONCE_BYTES);
  const cipher = createCipheriv(ALGORITHM, Buffer.from(key, "base64"), nonce);
  const plain = gzipSync(JSON.stringify(value));
  return Buffer.concat([nonce, cipher.update(plain), cipher.final(), cipher.getAuthTag()]).toString("base64");
}

/** Throws if the key is another one, or if the text isn't whole. */
export function unseal(key: string, sealed: string): unknown {
  const bytes = Buffer.from(sealed, "base64");
  const decipher = createDecipheriv(ALGORITHM, Buffer.from(key, "base64"), bytes.subarray(0, NONCE_BYTES));
  decipher.setAuthTag(bytes.subarray(-TAG_BYTES));
  const plain = Buffer.concat([decipher.update(bytes.subarray(NONCE_BYTES, -TAG_BYTES)), decipher.final()]);
  return JSON.parse(gunzipSync(plain).toString("utf8"));
}

/**
 * The file of a run, to which the provider's host writes one line per object. The command line writes to the same file, so lines are only
 * ever added. Each line has a line break before it, too, so that a line that a kill broke off spoils no other.
 */

/** `landform`, `history` in it, and the folder of the stack. */
export const OWN_FOLDERS = 3;

export class KeptFile implements Keeper {
  readonly #path: string;
  readonly #key: string;
  #waiting: string[] = [];
  readonly #flushes = new Flushes(() => this.#flush());

  constructor(path: string, key: string) {
    this.#path = path;
    this.#key = key;
  }

  keep(kept: Kept): Promise<void> {
    this.#waiting.push(lineOf({ kept: seal(this.#key, kept) }));
    return this.#flushes.next();
  }

  async #flush(): Promise<void> {
    const lines = this.#waiting;
    this.#waiting = [];
    await appendDurably(this.#path, lines.join(""), OWN_FOLDERS);
  }
}
