/** Finds the texts of secrets in a state, so that none is ever shown. */
import { isMap } from "../../provider/values/json.ts";
import { SECRET_SIG, type SecretsManager, SIG_KEY, type StoredDeployment } from "../../engine/index.ts";

/**
 * Returns the texts of all secrets in a state or a saved plan. It leaves out secrets that can't be decrypted, and ids of resources: a list
 * is secret as a whole if one item is, but the ids in it are in the state openly.
 */
export function secretTextsIn(value: unknown, secrets: SecretsManager | undefined): string[] {
  const found: Found = { certain: [], perhaps: [] };
  findIn(value, secrets, found);
  const ids = new Set(idsIn(value));
  const certain = found.certain.filter((text) => !ids.has(text));
  const { perhaps } = found;
  if (perhaps.length === 0) return certain;
  // A name, or a text of another page. Hiding it would protect nothing and spoil every message that has it.
  const open = new Set(openTextsIn(value));
  return [...certain, ...perhaps.filter((text) => !open.has(text))];
}

interface Found {
  readonly certain: string[];
  /** Texts that may be secret. A failed run leaves inputs that don't tell everything that it sent. */
  readonly perhaps: string[];
}

const DECLARED = "__declared";

function findIn(value: unknown, secrets: SecretsManager | undefined, found: Found): void {
  if (Array.isArray(value)) {
    for (const item of value) findIn(item, secrets, found);
    return;
  }
  if (typeof value !== "object" || value === null) return;
  if (isSecret(value)) {
    addTexts(opened(value, secrets), found.certain);
    return;
  }
  const aside = declaredAside(value);
  if (aside !== undefined) {
    findIn(aside.rest, secrets, found);
    findAside(opened(aside.declared, secrets), aside.inputs, found);
    return;
  }
  for (const [key, item] of Object.entries(value)) {
    // A saved plan has outputs without the inputs that tell which of them are secret.
    if (key === DECLARED) findAside(opened(item, secrets), undefined, found);
    else findIn(item, secrets, found);
  }
}

type Fields = Record<string, unknown>;

/** Splits off the values in a resource's state that may be secret. Its inputs tell which of them were declared secret. */
function declaredAside(value: object): { declared: unknown; inputs: unknown; rest: unknown } | undefined {
  const { inputs, outputs } = value as { inputs?: unknown; outputs?: unknown };
  if (!isMap(inputs) || !isMap(outputs) || outputs[DECLARED] === undefined) return undefined;
  const { inputs: _, outputs: __, ...state } = value as Fields;
  const { [DECLARED]: declared, ...shown } = outputs;
  return { declared, inputs, rest: [state, inputs, shown] };
}

/** Notes beside the fields belong to the page and not to the program. */
function findAside(aside: unknown, inputs: unknown, found: Found): void {
  if (!isMap(aside)) {
    addTexts(aside, found.perhaps);
    return;
  }
  // The inputs of a drifted resource are what somebody made of it. Both engines keep the mark of a secret there.
  findBeside(aside["fields"], inputs, found);
  // A public text that nobody declares is the template's, with values of variables. If no input is secret, none of them is.
  if (!isMap(inputs) || JSON.stringify(inputs).includes(SECRET_SIG)) findBeside(aside["published"], inputs, found);
  for (const [field, last] of Object.entries(isMap(aside["written"]) ? aside["written"] : {}))
    for (const part of Object.values(isMap(last) ? last : {}))
      findBeside(part, isMap(inputs) ? inputs[field] : undefined, found);
}

function findBeside(value: unknown, input: unknown, found: Found): void {
  if (input === undefined) {
    addTexts(value, found.perhaps);
    return;
  }
  if (isMap(value) && isMap(input) && !isSecret(input)) {
    for (const [key, item] of Object.entries(value)) findBeside(item, input[key], found);
  } else if (JSON.stringify(input).includes(SECRET_SIG)) addTexts(value, found.certain);
}

/** Returns the program's open texts and the names of its resources. An answer of the service proves nothing. */
function openTextsIn(value: unknown): string[] {
  if (typeof value === "string") return value.startsWith("urn:") ? [value, ...value.split("::").slice(-1)] : [value];
  if (typeof value !== "object" || value === null || isSecret(value)) return [];
  return Object.entries(value).flatMap(([key, item]) => (key === "outputs" ? [] : openTextsIn(item)));
}

function idsIn(value: unknown): string[] {
  if (Array.isArray(value)) return value.flatMap(idsIn);
  if (!isMap(value) || typeof value["urn"] !== "string") return [];
  return typeof value["id"] === "string" ? [value["id"]] : [];
}

function isSecret(value: unknown): boolean {
  return isMap(value) && value[SIG_KEY] === SECRET_SIG;
}

/** Returns undefined if it can't be decrypted. */
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

function addTexts(value: unknown, texts: string[]): void {
  if (typeof value === "string") texts.push(value);
  else if (typeof value === "object" && value !== null) for (const item of Object.values(value)) addTexts(item, texts);
}

/** Returns the manager that decrypts a state, which may have another salt than the stack. */
export async function managerFor(
  stored: StoredDeployment | undefined,
  secrets: SecretsManager | undefined,
): Promise<SecretsManager | undefined> {
  const provider = stored?.secrets_providers;
  if (provider === undefined || secrets === undefined) return secrets;
  return secrets.forProvider(provider).catch(() => undefined);
}
