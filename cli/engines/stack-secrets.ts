/** The passphrase of a stack in a folder. */
import {
  type FileBackend,
  passphraseFromEnvironment,
  type PassphraseSecrets,
  stackSecrets,
  WrongPassphraseError,
} from "../../engine/index.ts";
import { UsageError } from "../exit/codes.ts";
import type { StackFolder } from "../project/open.ts";
import { refOf } from "./backend.ts";

/** The stack's secrets. Where no passphrase is set, the empty one is taken. */
export async function openSecrets(
  folder: StackFolder,
  backend: FileBackend,
  variables: NodeJS.ProcessEnv = process.env,
): Promise<PassphraseSecrets> {
  const env = await passphraseEnvironment(variables);
  const ref = refOf(folder);
  // The key takes a fifth of a second, and another thread: it begins before the state is read, which nearly always has its salt.
  if (folder.config.encryptionSalt !== undefined)
    void stackSecrets(folder.config, env.variables).catch(() => undefined);
  const stored = (await backend.exists(ref)) ? (await backend.readStored(ref)).secrets_providers : undefined;
  try {
    const secrets = await stackSecrets(folder.config, env.variables, stored);
    if (secrets === undefined) throw new UsageError("PULUMI_CONFIG_PASSPHRASE can't be read");
    return secrets;
  } catch (error) {
    if (!(error instanceof WrongPassphraseError) || env.given) throw error;
    throw new UsageError(
      `the secrets of ${ref.project}/${ref.stack} need a passphrase, and none is set. Set PULUMI_CONFIG_PASSPHRASE, or PULUMI_CONFIG_PASSPHRASE_FILE`,
    );
  }
}

async function passphraseEnvironment(
  variables: NodeJS.ProcessEnv,
): Promise<{ given: boolean; variables: NodeJS.ProcessEnv }> {
  if ((await passphraseFromEnvironment(variables)) !== undefined) return { given: true, variables };
  return { given: false, variables: { PULUMI_CONFIG_PASSPHRASE: "" } };
}
