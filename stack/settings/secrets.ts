/** Collects every secret that this process knows, so that none is ever shown. */
import {
  type SecretsManager,
  stackSecrets,
  UnsupportedBackendError,
  UnsupportedSecretsError,
} from "../../engine/index.ts";
import { openBackend, openSecrets } from "../engines/place.ts";
import type { StackFolder } from "../project/open.ts";

export async function secretsOf(folder: StackFolder): Promise<string[]> {
  const fromEnvironment = Object.entries(process.env).filter(([name]) => NAMES.test(name));
  const keys = fromEnvironment.flatMap(([, value]) => value ?? []);
  return [...keys, ...signInAt(process.env["PULUMI_BACKEND_URL"]), ...(await configured(folder))];
}

const NAMES = /^(PULUMI_ACCESS_TOKEN|LANDFORM_.*KEY.*|.*_API_KEY)$/;

/** The sign-in for the state's database, with the user. The password alone may be any word. */
function signInAt(backend: string | undefined): string[] {
  const { username = "", password = "", searchParams } = (backend && URL.parse(backend)) || {};
  const setting = searchParams?.get("password") ?? "";
  return [...(password === "" ? [] : [`${username}:${password}@`]), ...(setting === "" ? [] : [`password=${setting}`])];
}

async function configured(folder: StackFolder): Promise<string[]> {
  const { config } = folder;
  if (!JSON.stringify(config.record()).includes('"secure"')) return [];
  const secrets = await readableSecrets(folder).catch(() => undefined);
  return secrets === undefined ? [] : config.keys().flatMap((key) => secretTexts(folder, key, secrets));
}

/** Returns undefined if only Pulumi's own engine knows the secrets provider. */
export async function readableSecrets(folder: StackFolder): Promise<SecretsManager | undefined> {
  try {
    return await secretsFor(folder);
  } catch (error) {
    if (error instanceof UnsupportedSecretsError || error instanceof UnsupportedBackendError) return undefined;
    throw error;
  }
}

/** Opens the secrets of the stack's settings. If the state is in no folder, it uses the salt in the settings. */
export async function secretsFor(folder: StackFolder): Promise<SecretsManager> {
  try {
    return await openSecrets(folder, await openBackend(folder));
  } catch (error) {
    if (!(error instanceof UnsupportedBackendError)) throw error;
    const { config } = folder;
    const secrets = config.encryptionSalt === undefined ? undefined : await stackSecrets(config, process.env);
    if (secrets !== undefined) return secrets;
    throw new UnsupportedBackendError(
      `Pulumi keeps the secrets of ${folder.project.name}/${folder.stack}, because its state is in no folder, and ${config.encryptionSalt === undefined ? `${config.file} has no salt yet` : "PULUMI_CONFIG_PASSPHRASE is not set"}. Set the passphrase, or use \`pulumi config\``,
      { cause: error },
    );
  }
}

function secretTexts({ config }: StackFolder, key: string, secrets: SecretsManager): string[] {
  if (!JSON.stringify(config.record()[key] ?? null).includes('"secure"')) return [];
  const value = config.get(key, secrets);
  return [typeof value === "string" ? value : JSON.stringify(value)];
}
