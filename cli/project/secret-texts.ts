import { SECRET_SIG, SIG_KEY, type SecretsManager, type StoredDeployment } from "../../engine/index.ts";

/** The texts of all secrets in a state or a saved plan. Those that can't be decrypted are left out. */
export function secretTextsIn(value: unknown, secrets: SecretsManager | undefined): string[] {
  const { certain, perhaps } = foundIn(value, secrets);
  if (perhaps.length === 0) return certain;
  // A name, or a text of another page: to blot it out would hide nothing, and tear up every message that has it.
  const open = new Set(openTextsIn(value));
  return [...certain, ...perhaps.filter((text) => !open.has(text))];
}

interface Found {
  readonly certain: string[];
  /** Kept secret only in case that it is. A run that failed leaves inputs that don't tell of all that it sent. */
  readonly perhaps: string[];
}

const DECLARED = "__declared";

function foundIn(value: unknown, secrets: SecretsManager | undefined): Found {
  // A saved plan has outputs without the inputs that tell what of them is secret.
  const ofPlan = (declared: unknown): Found => foundAside(opened(declared, secrets), undefined);
  if (Array.isArray(value)) return joined(value.map((item) => foundIn(item, secrets)));
  if (typeof value !== "object" || value === null) return joined([]);
  const aside = declaredAside(value);
  if (aside !== undefined)
    return joined([foundIn(aside.rest, secrets), foundAside(opened(aside.declared, secrets), aside.inputs)]);
  if (!isSecret(value))
    return joined(
      Object.entries(value).map(([key, item]) => (key === DECLARED ? ofPlan(item) : foundIn(item, secrets))),
    );
  return { certain: textsIn(opened(value, secrets)), perhaps: [] };
}

function joined(found: readonly Found[]): Found {
  return { certain: found.flatMap(({ certain }) => certain), perhaps: found.flatMap(({ perhaps }) => perhaps) };
}

type Fields = Record<string, unknown>;

/** Of a resource's state, what is kept secret in case that it is: its inputs tell what of it was declared so. */
function declaredAside(value: object): { declared: unknown; inputs: unknown; rest: unknown } | undefined {
  const { inputs, outputs, ...state } = value as { inputs?: unknown; outputs?: unknown };
  if (!isMap(inputs) || !isMap(outputs) || outputs[DECLARED] === undefined) return undefined;
  const { [DECLARED]: declared, ...shown } = outputs;
  return { declared, inputs, rest: [state, inputs, shown] };
}

/** The notes beside the fields are of the page, and not the program's. */
function foundAside(aside: unknown, inputs: unknown): Found {
  if (!isMap(aside)) return { certain: [], perhaps: textsIn(aside) };
  // The inputs of what drifted are what somebody made of it.
  return joined([foundBeside(aside["fields"], inputs), { certain: [], perhaps: textsIn(aside["written"]) }]);
}

function foundBeside(value: unknown, input: unknown): Found {
  if (input === undefined) return { certain: [], perhaps: textsIn(value) };
  if (isMap(value) && isMap(input) && !isSecret(input))
    return joined(Object.entries(value).map(([key, item]) => foundBeside(item, input[key])));
  return { certain: JSON.stringify(input).includes(SECRET_SIG) ? textsIn(value) : [], perhaps: [] };
}

/** What the program has openly, with the names of its resources; what a service answers proves nothing. */
function openTextsIn(value: unknown): string[] {
  if (typeof value === "string") return value.startsWith("urn:") ? [value, ...value.split("::").slice(-1)] : [value];
  if (typeof value !== "object" || value === null || isSecret(value)) return [];
  return Object.entries(value).flatMap(([key, item]) => (key === "outputs" ? [] : openTextsIn(item)));
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
