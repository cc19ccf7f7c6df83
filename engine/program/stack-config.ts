import { realpath, stat } from "node:fs/promises";
import { isAbsolute, relative, sep } from "node:path";
import { isMap, isScalar } from "yaml";
import type { Pair } from "yaml";
import type { Json, SecretsProvider } from "../model/types.ts";
import type { OperationRequest } from "../request.ts";
import { ProjectFileError, UnsupportedSecretsError } from "../state/errors.ts";
import { findLink, ifThere, readIfThere, writeAtomic } from "../state/files.ts";
import { passphraseFromEnvironment, passphraseSalt, PassphraseSecrets } from "../state/secrets.ts";
import type { ConfigRecord, SecretsManager } from "../state/types.ts";
import { asText, coerce, decryptSecure, hasSecure, isSecure, matchesType, pathOfKey } from "./config-values.ts";
import { badKey, fullKey, type Project, type ProjectConfigEntry, stackConfigFile } from "./project.ts";
import { YamlFile } from "./yaml-file.ts";

interface KeyOptions {
  /** True if the key's name is a path into an object, such as `a.b[0]`. */
  path?: boolean;
}

interface SetOptions extends KeyOptions {
  readonly secret?: SecretsManager;
  readonly plaintext?: boolean;
}

/** Pulumi.<stack>.yaml. A key `name` belongs to the project. Changes stay in memory until `write`, which keeps comments and order. */
export class StackConfig {
  readonly project: Project;
  readonly stack: string;
  readonly #yaml: YamlFile;

  private constructor(project: Project, stack: string, yaml: YamlFile) {
    this.project = project;
    this.stack = stack;
    this.#yaml = yaml;
  }

  /** Reads the file. A missing file is an empty configuration. */
  static async read(project: Project, stack: string): Promise<StackConfig> {
    const file = stackConfigFile(project, stack);
    const yaml = new YamlFile(file, (await readIfThere(file))?.toString("utf8") ?? "");
    const { contents } = yaml.document;
    if (contents !== null && !isMap(contents)) throw yaml.error("the settings of a stack are a map", contents);
    return new StackConfig(project, stack, yaml);
  }

  get file(): string {
    return this.#yaml.file;
  }

  /** True if values come from Pulumi ESC, too, which only Pulumi's own engine reads. */
  get hasEnvironment(): boolean {
    const environment = this.#yaml.document.get("environment", true);
    return environment !== undefined && this.#yaml.plain(environment) !== null;
  }

  /** Undefined if a passphrase keeps the secrets. */
  get otherSecretsProvider(): string | undefined {
    const provider = this.#yaml.document.get("secretsprovider");
    return typeof provider === "string" && provider !== "" && provider !== "passphrase" ? provider : undefined;
  }

  /** Refuses by name the features of Pulumi's own engine: another secrets provider, an ESC environment. */
  refuseUnsupported(): void {
    const provider = this.otherSecretsProvider;
    if (provider !== undefined)
      throw new UnsupportedSecretsError(
        `${this.file}: the secrets provider "${provider}" is not supported by the embedded engine. Run with --engine pulumi, or run \`pulumi stack change-secrets-provider passphrase\``,
      );
    if (this.hasEnvironment)
      throw this.#yaml.error(
        "`environment` (Pulumi ESC) is not supported by the embedded engine; run with --engine pulumi",
        this.#yaml.document.get("environment", true),
      );
  }

  get encryptionSalt(): string | undefined {
    const salt = this.#yaml.document.get("encryptionsalt");
    return typeof salt === "string" && salt !== "" ? salt : undefined;
  }

  setEncryptionSalt(salt: string): void {
    this.#yaml.document.set("encryptionsalt", salt);
  }

  /** Returns the decrypted value; undefined if this stack doesn't set the key. */
  get(key: string, secrets?: SecretsManager, options: KeyOptions = {}): Json | undefined {
    const { name, inner } = this.#locate(key, options);
    const root = this.#value(name);
    const value = inner.reduce<Json | undefined>(memberOf, root);
    return value === undefined ? undefined : decryptSecure(value, key, secrets);
  }

  /** Sets a value. With `secret`, it encrypts the text. `plaintext` is needed to keep a secret in clear. */
  set(key: string, value: Json, options: SetOptions = {}): void {
    const { name, inner } = this.#locate(key, options);
    const before = inner.reduce<Json | undefined>(memberOf, this.#value(name));
    if (!options.secret && options.plaintext !== true && before !== undefined && hasSecure(before))
      throw this.#yaml.error(
        `${key} is a secret, and the new value would stand here unencrypted. Nothing was written: add --secret to encrypt it, or --plaintext if it is none any more`,
      );
    const stored = options.secret
      ? { secure: options.secret.encrypt(asText(value)) }
      : inner.length > 0
        ? coerce(value)
        : value;
    const { document } = this.#yaml;
    if (!isMap(document.get("config", true))) document.set("config", document.createNode({}));
    this.#refuseToDescend(name, inner);
    document.setIn(["config", this.#pair(name)?.key ?? name, ...inner], document.createNode(stored));
  }

  /** Returns false if there was nothing to remove. */
  remove(key: string, options: KeyOptions = {}): boolean {
    const { name, inner } = this.#locate(key, options);
    const pair = this.#pair(name);
    return pair !== undefined && this.#yaml.document.deleteIn(["config", pair.key, ...inner]);
  }

  keys(): string[] {
    return this.#pairs().map(([key]) => key);
  }

  /** Returns the stack's values and the project's defaults, decrypted and checked against the project's types. The order is Pulumi's. */
  resolve(secrets?: SecretsManager): OperationRequest["config"] {
    this.#checkRequired();
    const merged = Object.entries(this.record()).sort(([a], [b]) => (a < b ? -1 : 1));
    for (const entry of this.project.config) this.#checkEntry(entry, secrets);
    return {
      values: Object.fromEntries(merged.map(([key, value]) => [key, asText(decryptSecure(value, key, secrets))])),
      secretKeys: merged.filter(([, value]) => hasSecure(value)).map(([key]) => key),
    };
  }

  /** Returns the same with secrets still encrypted, as the history keeps it. */
  record(): ConfigRecord {
    const defaults = this.project.config.map(({ key, value = null }): [string, Json] => [key, value]);
    const merged = new Map(defaults.filter(([, value]) => value !== null));
    for (const [key] of this.#pairs()) merged.set(key, this.#value(key) ?? null);
    return Object.fromEntries([...merged].map(([key, value]) => [key, isObject(value) ? value : asText(value)]));
  }

  async write(): Promise<void> {
    const place = await placeWithin(this.project.root, this.file);
    const mode = (await ifThere(stat(place)))?.mode ?? SHARED;
    await writeAtomic(place, this.#yaml.document.toString({ lineWidth: 0 }), mode & 0o777);
  }

  #locate(key: string, options: KeyOptions): { name: string; inner: (string | number)[] } {
    const full = fullKey(this.project, key);
    if (full === undefined) throw badKey(this.#yaml, key);
    if (options.path !== true) return { name: full, inner: [] };
    const colon = full.indexOf(":") + 1;
    const [first, ...inner] = pathOfKey(full.slice(colon));
    return { name: full.slice(0, colon) + first, inner };
  }

  /** Refuses a path that doesn't lead through objects and lists. */
  #refuseToDescend(name: string, inner: (string | number)[]): void {
    for (let depth = 0; depth < inner.length; depth++) {
      const value = inner.slice(0, depth).reduce(memberOf, this.#value(name));
      if (value === undefined) return;
      if (!isObject(value) || isSecure(value))
        throw this.#yaml.error(
          `${[name, ...inner.slice(0, depth)].join(".")} is a plain value or a secret, so nothing can be set inside it; remove it first`,
          this.#pair(name)?.value,
        );
    }
  }

  #pairs(): [string, Pair][] {
    const config = this.#yaml.document.get("config", true);
    if (!isMap(config)) return [];
    return config.items.map((pair) => {
      const written = String(isScalar(pair.key) ? pair.key.value : pair.key);
      const key = fullKey(this.project, written);
      if (key === undefined || !written.includes(":")) throw badKey(this.#yaml, written, pair.key);
      return [key, pair];
    });
  }

  #pair(name: string): Pair | undefined {
    return this.#pairs().find(([key]) => key === name)?.[1];
  }

  #value(name: string): Json | undefined {
    const pair = this.#pair(name);
    if (pair === undefined) return undefined;
    // A number alone is passed on as text, so it may have any length.
    if (isScalar(pair.value) && typeof pair.value.value === "bigint") return String(pair.value.value);
    return this.#yaml.plain(pair.value);
  }

  #checkRequired(): void {
    const own = this.project.config.filter(({ key }) => key.startsWith(`${this.project.name}:`));
    const missing = own.filter(({ key, value }) => (value ?? null) === null && this.#pair(key) === undefined);
    if (missing.length === 0) return;
    const keys = missing.map(({ key }) => key).join(", ");
    throw this.#yaml.error(
      `the stack ${this.stack} has no value for ${keys}, which ${this.project.file ?? "the project"} asks for; set it with \`pulumi config set\` or write it under \`config\``,
    );
  }

  #checkEntry(entry: ProjectConfigEntry, secrets: SecretsManager | undefined): void {
    const pair = this.#pair(entry.key);
    const value = this.#value(entry.key);
    if (pair === undefined || value === undefined) return;
    if (entry.secret === true && !hasSecure(value))
      throw this.#yaml.error(
        `${entry.key} has to be a secret (${entry.where}); set it with \`pulumi config set --secret\``,
        pair.value,
      );
    if (entry.type !== undefined && !matchesType(decryptSecure(value, entry.key, secrets), entry.type))
      throw this.#yaml.error(`${entry.key} has to be of type ${entry.type} (${entry.where})`, pair.value);
  }
}

/**
 * Returns the secrets of a stack with the passphrase of the environment. Returns undefined without one, which is an error only if the run meets a
 * secret. If neither the stack's file nor its checkpoint has a salt, the file gets one.
 */
export async function stackSecrets(
  config: StackConfig,
  env: NodeJS.ProcessEnv,
  checkpoint?: SecretsProvider,
): Promise<PassphraseSecrets | undefined> {
  config.refuseUnsupported();
  const passphrase = await passphraseFromEnvironment(env);
  if (passphrase === undefined) return undefined;
  if (config.encryptionSalt !== undefined) return PassphraseSecrets.fromSalt(config.encryptionSalt, passphrase);
  const secrets = checkpoint
    ? await PassphraseSecrets.fromSalt(passphraseSalt(checkpoint), passphrase)
    : await PassphraseSecrets.create(passphrase);
  config.setEncryptionSalt(secrets.salt);
  await config.write();
  return secrets;
}

/**
 * Checks the passphrase for another engine, which would take any passphrase and write its salt into a file that has none. It refuses a passphrase
 * that doesn't open the salt of the file or the checkpoint, and copies the checkpoint's salt into the file.
 */
export async function provePassphrase(
  config: StackConfig,
  env: NodeJS.ProcessEnv,
  checkpoint: () => Promise<SecretsProvider | undefined>,
): Promise<void> {
  const passphrase = await passphraseFromEnvironment(env);
  if (passphrase === undefined || config.otherSecretsProvider !== undefined) return;
  const known = config.encryptionSalt;
  const stored = known === undefined ? await checkpoint() : undefined;
  const salt = known ?? (stored?.type === "passphrase" ? passphraseSalt(stored) : undefined);
  if (salt === undefined) return;
  await PassphraseSecrets.fromSalt(salt, passphrase);
  if (known !== undefined) return;
  config.setEncryptionSalt(salt);
  await config.write();
}

function memberOf(value: Json | undefined, accessor: string | number): Json | undefined {
  if (value === null || typeof value !== "object" || isSecure(value)) return undefined;
  if (Array.isArray(value)) return typeof accessor === "number" ? value[accessor] : undefined;
  return Object.hasOwn(value, accessor) ? value[accessor] : undefined;
}

function isObject(value: Json): boolean {
  return value !== null && typeof value === "object";
}

/** Everybody who reads the repository may read this file. */
const SHARED = 0o644;

/** Returns the real place of a file that may be a link. The link must stay inside the project, so that its author can't write elsewhere. */
async function placeWithin(folder: string, file: string): Promise<string> {
  if ((await findLink([file])) === undefined) return file;
  const target = await ifThere(realpath(file));
  const way = target === undefined ? ".." : relative(await realpath(folder), target);
  if (target !== undefined && way.split(sep)[0] !== ".." && !isAbsolute(way)) return target;
  throw new ProjectFileError(
    `${file} is a symbolic link ${target === undefined ? "to a file that isn't there" : `to ${target}, outside of the project`}, and nothing is written through it. Put the file itself there, or change the one that it leads to`,
  );
}
