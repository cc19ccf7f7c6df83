import { SECRET_SIG, SIG_KEY, type SecretsManager, type StoredDeployment } from "../../engine/index.ts";

/** The texts of all secrets in a state or a saved plan. Those that can't be decrypted are left out. */
export function secretTextsIn(value: unknown, secrets: SecretsManager | undefined): string[] {
  if (Array.isArray(value)) return value.flatMap((item) => secretTextsIn(item, secrets));
  if (typeof value !== "object" || value === null) return [];
  const { [SIG_KEY]: signature, ciphertext, ...rest } = value as Record<string, unknown>;
  if (signature !== SECRET_SIG) return Object.values(value).flatMap((item) => secretTextsIn(item, secrets));
  const known = typeof ciphertext === "string" ? decrypted(ciphertext, secrets) : rest;
  return textsIn(known);
}

function decrypted(ciphertext: string, secrets: SecretsManager | undefined): unknown {
  try {
    return secrets === undefined ? undefined : JSON.parse(secrets.decrypt(ciphertext));
  } catch {
    return undefined;
  }
}

function textsIn(value: unknown): string[] {
  if (typeof value === "string") return [value];
  return typeof value === "object" && value !== null ? Object.values(value).flatMap(textsIn) : [];
}

/** What decrypts a state, which may have been written with another salt than the stack's. */
export async function managerFor(
  stored: StoredDeployment | undefined,
  secrets: SecretsManager | undefined,
): Promise<SecretsManager | undefined> {
  const provider = stored?.secrets_providers;
  if (provider === undefined || secrets === undefined) return secrets;
  return secrets.forProvider(provider).catch(() => undefined);
}
