/**
 * What a run keeps of the account is sealed with a key of the run's own (AES-256-GCM, compressed before), so that every
 * process of the run can write it and only who can read the stack's secrets can read it.
 */
import { createCipheriv, createDecipheriv, createHmac, randomBytes } from "node:crypto";
import { gunzipSync, gzipSync } from "node:zlib";

const ALGORITHM = "aes-256-gcm";
const [KEY_BYTES, NONCE_BYTES, TAG_BYTES] = [32, 12, 16];

/** In base64. */
export function newKey(): string {
  return randomBytes(KEY_BYTES).toString("base64");
}

/** A key that whoever has `secret`, which can't be guessed, makes again. */
export function keyFrom(secret: string, purpose: string): string {
  return createHmac("sha256", secret).update(purpose).digest("base64");
}

export function seal(key: string, value: unknown): string {
  const nonce = randomBytes(NONCE_BYTES);
  const cipher = createCipheriv(ALGORITHM, Buffer.from(key, "base64"), nonce);
  const plain = gzipSync(JSON.stringify(value));
  return Buffer.concat([nonce, cipher.update(plain), cipher.final(), cipher.getAuthTag()]).toString("base64");
}

/** Throws where the key is another, or the text isn't whole. */
export function unseal(key: string, sealed: string): unknown {
  const bytes = Buffer.from(sealed, "base64");
  const decipher = createDecipheriv(ALGORITHM, Buffer.from(key, "base64"), bytes.subarray(0, NONCE_BYTES));
  decipher.setAuthTag(bytes.subarray(-TAG_BYTES));
  const plain = Buffer.concat([decipher.update(bytes.subarray(NONCE_BYTES, -TAG_BYTES)), decipher.final()]);
  return JSON.parse(gunzipSync(plain).toString("utf8"));
}
