import { SECRET_SIG, SIG_KEY, type SecretsManager, type StoredDeployment } from "../../engine/index.ts";

/** The texts of all secrets in a state or a saved plan. Those that can't be decrypted are left out. */
export function secretTextsIn(value: unknown, secrets: SecretsManager | undefined): string[] {
  if (Array.isArray(value)) return value.flatMap((item) => secretTextsIn(item, secrets));
  if (typeof value !== "object" || value === null) return [];
  const aside = declaredAside(value);
  if (aside !== undefined)
    return [...secretTextsIn(aside.rest, secrets), ...textsOfAside(opened(aside.declared, secrets), aside.inputs)];
  if (!isSecret(value)) return Object.values(value).flatMap((item) => secretTextsIn(item, secrets));
  return textsIn(opened(value, secrets));
}

type Fields = Record<string, unknown>;

/** Of a resource's state, what is kept secret in case that it is: its inputs tell what of it was declared so. */
function declaredAside(value: object): { declared: unknown; inputs: unknown; rest: unknown } | undefined {
  const { inputs, outputs, ...state } = value as { inputs?: unknown; outputs?: unknown };
  if (!isMap(inputs) || !isMap(outputs) || outputs["__declared"] === undefined) return undefined;
  const { __declared: declared, ...shown } = outputs;
  return { declared, inputs, rest: [state, inputs, shown] };
}

/** The notes beside the fields are of the page, and not the program's. */
function textsOfAside(aside: unknown, inputs: unknown): string[] {
  return isMap(aside) ? textsBeside(aside["fields"], inputs) : textsIn(aside);
}

function textsBeside(value: unknown, input: unknown): string[] {
  if (input === undefined || isSecret(input)) return textsIn(value);
  if (isMap(value) && isMap(input))
    return Object.entries(value).flatMap(([key, item]) => textsBeside(item, input[key]));
  return JSON.stringify(input).includes(SECRET_SIG) ? textsIn(value) : [];
}

function isMap(value: unknown): value is Fields {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function isSecret(value: unknown): boolean {
  return isMap(value) && value[SIG_KEY] === SECRET_SIG;
}

/** Undefined where it can't be decrypted. */
function opened(value: unknown, secrets: SecretsManager | undefined): unknown {
  if (!isMap(value) || !isSecret(value)) return value;
  const { [SIG_KEY]: _, ciphertext, plaintext, ...rest } = value;
  if (typeof plaintext === "string") return JSON.parse(plaintext);
  return typeof ciphertext === "string" ? decrypted(ciphertext, secrets) : rest;
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
