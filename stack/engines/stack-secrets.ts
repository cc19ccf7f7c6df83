/** The passphrase of a stack in a folder. */
import { resolve } from "node:path";
import {
  type FileBackend,
  passphraseFromEnvironment,
  type PassphraseSecrets,
  projectWithoutFile,
  type SecretsProvider,
  StackConfig,
  stackSecrets,
  WrongPassphraseError,
} from "../../engine/index.ts";
import { UsageError } from "../exit/codes.ts";
import type { StackFolder } from "../project/open.ts";
import { lastName } from "../project/stack-name.ts";
import { refOf } from "./backend.ts";

/**
 * Begins to make the key of the stack, which takes another thread a fifth of a second: before the project is read, where its
 * stack has a salt beside it. Resolves when that is under way. What is wrong is told by who opens the secrets.
 */
export async function beginSecrets(dir: string, stack: string): Promise<void> {
  try {
    const config = await StackConfig.read(projectWithoutFile(resolve(dir), "any"), lastName(stack));
    await beginKey(config, process.env);
  } catch {
    return;
  }
}

async function beginKey(config: StackConfig, variables: NodeJS.ProcessEnv): Promise<void> {
  if (config.encryptionSalt === undefined) return;
  const env = await passphraseEnvironment(variables);
  void stackSecrets(config, env.variables).catch(() => undefined);
}

/** The stack's secrets. Where no passphrase is set, the empty one is taken. `begun`: the secrets that a new stack begins with. */
export async function openSecrets(
  folder: StackFolder,
  backend: FileBackend,
  variables: NodeJS.ProcessEnv = process.env,
  begun?: SecretsProvider,
): Promise<PassphraseSecrets> {
  const env = await passphraseEnvironment(variables);
  const ref = refOf(folder);
  // The state nearly always has the same salt.
  await beginKey(folder.config, variables);
  const stored = (await backend.exists(ref)) ? (await backend.readStored(ref)).secrets_providers : begun;
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
