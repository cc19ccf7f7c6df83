/** Opens the values of runs with the stack's secrets, or with a key of the machine. */
import { randomUUID } from "node:crypto";
import { linkSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import {
  passphraseFromEnvironment,
  type SecretsManager,
  stackSecrets,
  UnsupportedSecretsError,
} from "../../engine/index.ts";
import { newKey, seal, unseal } from "../../provider/history/kept.ts";
import { isThere } from "../../provider/ledger/owned-files.ts";
import { ledgerFolderOfMachine } from "../../provider/ledger/place.ts";
import { openSecrets, stateHome } from "../engines/place.ts";
import type { Engine } from "../engines/contract.ts";
import type { StackFolder } from "../project/open.ts";
import { UsageError } from "../exit/codes.ts";
import { openValues, type RunRecord, type RunValues, type SealedKey } from "./run-file.ts";

export class KeyRing {
  readonly #folder: StackFolder;
  #secrets: Promise<SecretsManager | undefined> | undefined;

  constructor(folder: StackFolder, { secrets }: Pick<Engine, "secrets"> = {}) {
    this.#folder = folder;
    this.#secrets = secrets && Promise.resolve(secrets);
  }

  async seal(key: string): Promise<SealedKey> {
    const secrets = await this.#stackSecrets();
    return secrets ? { by: "stack", key: secrets.encrypt(key) } : { by: "machine", key: seal(machineKey(), key) };
  }

  /** Returns undefined if this passphrase, or this machine, doesn't open the key. */
  async open({ by, key }: SealedKey): Promise<string | undefined> {
    try {
      if (by === "machine") return unseal(machineKey(), key) as string;
      return (await this.#stackSecrets())?.decrypt(key);
    } catch {
      return undefined;
    }
  }

  #stackSecrets(): Promise<SecretsManager | undefined> {
    this.#secrets ??= secretsOf(this.#folder);
    return this.#secrets;
  }
}

/** Returns the values in a run's file. Throws with the reason if they can't be read. */
export async function valuesOf(record: RunRecord, keys: KeyRing): Promise<RunValues> {
  const { id } = record.start;
  const key = await keys.open(record.start.key);
  if (key === undefined)
    throw new UsageError(`the values of run ${id} are sealed with ${CANT_OPEN[record.start.key.by]}`);
  try {
    return openValues(record, key);
  } catch (error) {
    const text = `the values of run ${id} are damaged: its file was changed, or is not whole. Other runs can be undone`;
    throw new UsageError(text, { cause: error });
  }
}

const CANT_OPEN: Readonly<Record<SealedKey["by"], string>> = {
  machine: "a key of the machine that ran it, and this is another",
  stack:
    "the stack's secrets, which this passphrase doesn't open. Set PULUMI_CONFIG_PASSPHRASE to the one of that run; if the stack's passphrase was changed since (pulumi stack change-secrets-provider), undo can't take back earlier runs",
};

/** Returns undefined if another secrets provider than a passphrase encrypts the stack. */
async function secretsOf(folder: StackFolder): Promise<SecretsManager | undefined> {
  try {
    const { files: backend } = await stateHome(folder);
    if (backend !== undefined) return await openSecrets(folder, backend);
    const known =
      folder.config.encryptionSalt !== undefined && (await passphraseFromEnvironment(process.env)) !== undefined;
    return known ? await stackSecrets(folder.config, process.env) : undefined;
  } catch (error) {
    if (error instanceof UnsupportedSecretsError) return undefined;
    throw error;
  }
}

/** Returns the machine's key, and makes it when it is first needed. Only its owner can read it. */
export function machineKey(env: NodeJS.ProcessEnv = process.env): string {
  const file = join(ledgerFolderOfMachine(env), "history.key");
  if (keyIn(file) === undefined) makeKey(file);
  const key = keyIn(file);
  if (key === undefined) throw new UsageError(`${file} holds no key, though it was written just now`);
  return key;
}

function keyIn(file: string): string | undefined {
  return isThere(file) ? readFileSync(file, "utf8") : undefined;
}

/** Writes the key under another name first, so that it is whole or not there. If several processes make one at once, all take the first. */
function makeKey(file: string): void {
  mkdirSync(dirname(file), { recursive: true, mode: 0o700 });
  const made = `${file}.${randomUUID()}`;
  try {
    writeFileSync(made, newKey(), { mode: 0o600, flag: "wx", flush: true });
    putInPlace(made, file);
  } finally {
    rmSync(made, { force: true });
  }
}

function putInPlace(made: string, file: string): void {
  try {
    linkSync(made, file);
  } catch {
    // Somebody was faster, or this disk has no links.
    if (keyIn(file) === undefined) renameSync(made, file);
  }
}
