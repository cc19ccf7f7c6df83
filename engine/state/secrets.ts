import {
  createCipheriv,
  createDecipheriv,
  createHmac,
  createSecretKey,
  type KeyObject,
  pbkdf2,
  randomBytes,
} from "node:crypto";
import { readFile } from "node:fs/promises";
import { promisify } from "node:util";
import type { SecretsProvider } from "../model/types.ts";
import { DecryptionError, MissingPassphraseError, UnsupportedSecretsError, WrongPassphraseError } from "./errors.ts";
import type { SecretsManager } from "./types.ts";

/**
 * Pulumi's passphrase encryption: AES-256-GCM with a key from PBKDF2 (SHA-256, one million rounds) over an 8 byte salt. A value is
 * `v1:<nonce>:<ciphertext and tag>`. The salt of a stack is `v1:<salt>:<the encrypted word "pulumi">`, which tells a wrong passphrase from a damaged
 * value.
 */
export class PassphraseSecrets implements SecretsManager {
  readonly #key: KeyObject;
  readonly #passphrase: string;
  readonly salt: string;

  private constructor(key: KeyObject, passphrase: string, salt: string) {
    this.#key = key;
    this.#passphrase = passphrase;
    this.salt = salt;
  }

  static async create(passphrase: string): Promise<PassphraseSecrets> {
    const salt = randomBytes(SALT_BYTES);
    const key = await deriveKey(passphrase, salt);
    return new PassphraseSecrets(key, passphrase, `v1:${salt.toString("base64")}:${seal(key, CHECK_WORD)}`);
  }

  static async fromSalt(salt: string, passphrase: string): Promise<PassphraseSecrets> {
    const match = /^v1:([^:]+):(v1:.+)$/.exec(salt);
    if (match?.[1] === undefined || match[2] === undefined)
      throw new UnsupportedSecretsError(
        `the encryption salt "${salt}" is not of the known form v1:<salt>:v1:<nonce>:<check>; restore encryptionsalt in Pulumi.STACK.yaml from version control`,
      );
    const key = await deriveKey(passphrase, Buffer.from(match[1], "base64"));
    if (tryOpen(key, match[2]) !== CHECK_WORD) throw new WrongPassphraseError();
    return new PassphraseSecrets(key, passphrase, salt);
  }

  get provider(): SecretsProvider {
    return { type: PASSPHRASE, state: { salt: this.salt } };
  }

  encrypt(plaintext: string): string {
    return seal(this.#key, plaintext);
  }

  decrypt(ciphertext: string): string {
    const plaintext = tryOpen(this.#key, ciphertext);
    if (plaintext === undefined) throw new DecryptionError();
    return plaintext;
  }

  digest(plaintext: string): string {
    const key = createHmac("sha256", this.#key).update("landform: digests of a plan").digest();
    return createHmac("sha256", key).update(plaintext).digest("base64url");
  }

  async forProvider(provider: SecretsProvider): Promise<PassphraseSecrets> {
    const salt = passphraseSalt(provider);
    return salt === this.salt ? this : PassphraseSecrets.fromSalt(salt, this.#passphrase);
  }
}

/** Returns the salt in a checkpoint's `secrets_providers`, or throws a refusal that names the provider. */
export function passphraseSalt(provider: SecretsProvider): string {
  const state = provider.state;
  if (provider.type !== PASSPHRASE)
    throw new UnsupportedSecretsError(
      `the stack's secrets are encrypted by the provider "${provider.type}"; the embedded engine knows "passphrase" only. Run with --engine pulumi, or run \`pulumi stack change-secrets-provider passphrase\``,
    );
  if (state === null || typeof state !== "object" || Array.isArray(state) || typeof state["salt"] !== "string")
    throw new UnsupportedSecretsError(
      "the checkpoint's secrets provider carries no salt; restore the checkpoint from its backup",
    );
  return state["salt"];
}

/** Returns PULUMI_CONFIG_PASSPHRASE (which may be empty), or else the trimmed content of PULUMI_CONFIG_PASSPHRASE_FILE. */
export async function passphraseFromEnvironment(env: NodeJS.ProcessEnv): Promise<string | undefined> {
  if (env["PULUMI_CONFIG_PASSPHRASE"] !== undefined) return env["PULUMI_CONFIG_PASSPHRASE"];
  const file = env["PULUMI_CONFIG_PASSPHRASE_FILE"];
  if (file === undefined || file === "") return undefined;
  try {
    return (await readFile(file, "utf8")).trim();
  } catch (error) {
    throw new MissingPassphraseError(
      `PULUMI_CONFIG_PASSPHRASE_FILE names ${file}, which cannot be read: ${error instanceof Error ? error.message : String(error)}`,
    );
  }
}

const PASSPHRASE = "passphrase";
const CHECK_WORD = "pulumi";
const SALT_BYTES = 8;
const NONCE_BYTES = 12;
const TAG_BYTES = 16;
const ROUNDS = 1_000_000;

/** The keys of this process: a command opens the secrets of its stack at several places, and each key takes a fifth of a second. */
const derived = new Map<string, Promise<KeyObject>>();

function deriveKey(passphrase: string, salt: Buffer): Promise<KeyObject> {
  const of = JSON.stringify([passphrase, salt.toString("base64")]);
  // Node opens a key object in a quarter of the time that bytes take.
  const key = derived.get(of) ?? promisify(pbkdf2)(passphrase, salt, ROUNDS, 32, "sha256").then(createSecretKey);
  derived.set(of, key);
  return key;
}

function seal(key: KeyObject, plaintext: string): string {
  const nonce = randomBytes(NONCE_BYTES);
  const cipher = createCipheriv("aes-256-gcm", key, nonce);
  const sealed = Buffer.concat([cipher.update(plaintext, "utf8"), cipher.final(), cipher.getAuthTag()]);
  return `v1:${nonce.toString("base64")}:${sealed.toString("base64")}`;
}

function tryOpen(key: KeyObject, ciphertext: string): string | undefined {
  const [version, nonceText, sealedText, ...rest] = ciphertext.split(":");
  if (version !== "v1" || nonceText === undefined || sealedText === undefined || rest.length > 0) return undefined;
  const nonce = Buffer.from(nonceText, "base64");
  const sealed = Buffer.from(sealedText, "base64");
  if (nonce.length !== NONCE_BYTES || sealed.length < TAG_BYTES) return undefined;
  const decipher = createDecipheriv("aes-256-gcm", key, nonce);
  decipher.setAuthTag(sealed.subarray(-TAG_BYTES));
  try {
    return Buffer.concat([decipher.update(sealed.subarray(0, -TAG_BYTES)), decipher.final()]).toString("utf8");
  } catch {
    return undefined;
  }
}
