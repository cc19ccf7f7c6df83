import { createCipheriv, createDecipheriv, pbkdf2Sync, randomBytes } from "node:crypto";

// A second implementation of Pulumi's passphrase encryption: the comparison must not read secrets with the code that it tests.

const keys = new Map<string, Buffer>();
const salt = randomBytes(8).toString("base64");

function keyFor(passphrase: string, saltBase64: string): Buffer {
  const name = `${saltBase64} ${passphrase}`;
  const key = keys.get(name) ?? pbkdf2Sync(passphrase, Buffer.from(saltBase64, "base64"), 1_000_000, 32, "sha256");
  keys.set(name, key);
  return key;
}

/** Returns `v1:nonce:ciphertext` under this process' salt. */
export function encryptSecret(plaintext: string, passphrase: string): string {
  const nonce = randomBytes(12);
  const cipher = createCipheriv("aes-256-gcm", keyFor(passphrase, salt), nonce);
  const sealed = Buffer.concat([cipher.update(plaintext, "utf8"), cipher.final(), cipher.getAuthTag()]);
  return `v1:${nonce.toString("base64")}:${sealed.toString("base64")}`;
}

/** Returns a stack file's `encryptionsalt`: the salt and a known word to test a passphrase. */
export const encryptionSalt = (passphrase: string): string => `v1:${salt}:${encryptSecret("pulumi", passphrase)}`;

/** Opens a `v1:nonce:ciphertext` of a checkpoint whose secrets provider state is `v1:salt:…`. */
export function decryptSecret(ciphertext: string, passphrase: string, state: string): string {
  const [, nonce = "", sealedBase64 = ""] = ciphertext.split(":");
  const sealed = Buffer.from(sealedBase64, "base64");
  const decipher = createDecipheriv(
    "aes-256-gcm",
    keyFor(passphrase, state.split(":")[1] ?? ""),
    Buffer.from(nonce, "base64"),
  );
  decipher.setAuthTag(sealed.subarray(-16));
  return decipher.update(sealed.subarray(0, -16), undefined, "utf8") + decipher.final("utf8");
}
