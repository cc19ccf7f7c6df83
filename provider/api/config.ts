/** The settings of the client, each checked before anything is sent. An `ApiKey` shows itself to nothing but the client. */
import { inspect } from "node:util";
import { ConfigurationError } from "./errors.ts";

export interface ApiConfig {
  /** Ends with the version segment: `https://host/v1`. */
  readonly baseUrl: string;
  readonly apiKey: string | ApiKey;
  /** For a whole call: its retries, the waits between them and the answer's body. 60,000 when absent. */
  readonly timeoutMs?: number;
  /** The most calls under way at the same time. 16 when absent. */
  readonly maxConcurrency?: number;
  /** The most calls that start in a second. No limit when absent. */
  readonly requestsPerSecond?: number;
  /** The largest answer that is read; 16 MiB when absent. */
  readonly maxResponseBytes?: number;
}

/** Settings that were checked, defaults filled in. */
export interface CheckedConfig extends Required<Omit<ApiConfig, "apiKey" | "requestsPerSecond">> {
  readonly apiKey: ApiKey;
  readonly requestsPerSecond: number | undefined;
}

/** As Pulumi's stack configuration holds them: any of them may be text. */
export type StackConfig = { readonly [Setting in SettingName]?: unknown };

const variables = {
  baseUrl: "LANDFORM_BASE_URL",
  apiKey: "LANDFORM_API_KEY",
  timeoutMs: "LANDFORM_TIMEOUT_MS",
  maxConcurrency: "LANDFORM_MAX_CONCURRENCY",
  requestsPerSecond: "LANDFORM_REQUESTS_PER_SECOND",
} as const;
type SettingName = keyof typeof variables;

/** The variable with the key of the default account. */
export const keyVariable: string = variables.apiKey;

/** Returns the key as text, to compare it or to make another secret of it. */
export function revealed({ apiKey }: ApiConfig): string {
  return apiKey instanceof ApiKey ? apiKey.reveal() : apiKey;
}

/** A key that no inspection, serialization or template prints. */
export class ApiKey {
  readonly #value: string;
  /** The variable to set where another key is needed. */
  readonly variable: string;

  constructor(value: string, variable: string = variables.apiKey) {
    this.#value = value;
    this.variable = variable;
  }

  reveal(): string {
    return this.#value;
  }

  toString(): string {
    return "[API key]";
  }

  toJSON(): string {
    return "[API key]";
  }

  [inspect.custom](): string {
    return "[API key]";
  }
}

const baseUrlExample = "https://HOST/v1";
const mebibyte = 1024 * 1024;

export const apiDefaults = { timeoutMs: 60_000, maxConcurrency: 16, maxResponseBytes: 16 * mebibyte } as const;

interface Setting {
  readonly name: string;
  readonly value: unknown;
}

/** Returns the settings in force. Throws a ConfigurationError that names the variable or the stack setting at fault. */
export function resolveConfig(
  env: Readonly<Record<string, string | undefined>>,
  stack: StackConfig = {},
): CheckedConfig {
  return check((key) => settingInForce(env, stack, key), apiDefaults.maxResponseBytes);
}

/** Returns the settings of an account that a program declares. The program holds all of them but the key, which is in a variable of its own. */
export function accountConfig(
  env: Readonly<Record<string, string | undefined>>,
  keyVariable: string,
  settings: StackConfig,
): CheckedConfig {
  const find = (key: SettingName): Setting =>
    key === "apiKey"
      ? { name: keyVariable, value: env[keyVariable] }
      : { name: `${key} of the account whose key is in ${keyVariable}`, value: settings[key] };
  const checked = check(find, apiDefaults.maxResponseBytes);
  return { ...checked, apiKey: new ApiKey(checked.apiKey.reveal(), keyVariable) };
}

/** Checks settings that a program hands over. */
export function checkConfig(config: ApiConfig): CheckedConfig {
  return check((name) => ({ name, value: config[name] }), config.maxResponseBytes ?? apiDefaults.maxResponseBytes);
}

function check(find: (key: SettingName) => Setting, maxResponseBytes: number): CheckedConfig {
  return {
    baseUrl: parseBaseUrl(find("baseUrl")),
    apiKey: parseKey(find("apiKey")),
    timeoutMs: parseNumber(find("timeoutMs"), { least: 1, whole: true }) ?? apiDefaults.timeoutMs,
    maxConcurrency: parseNumber(find("maxConcurrency"), { least: 1, whole: true }) ?? apiDefaults.maxConcurrency,
    requestsPerSecond: parseNumber(find("requestsPerSecond"), { least: 0.001, whole: false }),
    maxResponseBytes,
  };
}

/** Absolute, http or https, nothing but host, port and path; plain http to this machine only. */
function parseBaseUrl({ name, value }: Setting): string {
  const text = typeof value === "string" ? value.trim() : "";
  if (text === "") throw new ConfigurationError(name, "is not set", `Set it to the API's address, ${baseUrlExample}.`);
  const url = URL.parse(text);
  if (url === null || !["http:", "https:"].includes(url.protocol)) {
    throw new ConfigurationError(name, "is not an http or https URL", `Set it to an address like ${baseUrlExample}.`);
  }
  if (url.username !== "" || url.password !== "") {
    throw new ConfigurationError(name, "holds a user name or password", "Remove it; the API key is set on its own.");
  }
  if (/[?#]/.test(text)) {
    throw new ConfigurationError(name, "holds a query or a fragment", "Keep only what comes before ? and #.");
  }
  if (url.protocol === "http:" && !isLoopback(url.hostname)) {
    throw new ConfigurationError(name, `would send the key to ${url.host} in the clear`, "Use https.");
  }
  return url.href.replace(/\/+$/, "");
}

/** Visible ASCII only: anything else could end the header that carries the key. The key is in no message. */
function parseKey({ name, value }: Setting): ApiKey {
  if (value instanceof ApiKey) return value;
  if (typeof value !== "string" || value.trim() === "") {
    throw new ConfigurationError(name, "is not set", "Create a key in the app's API key settings and set it.");
  }
  if (!/^[\x21-\x7e]+$/.test(value)) {
    throw new ConfigurationError(
      name,
      "holds a space, a line break or another character that no key has",
      "Copy the key again, without anything around it.",
    );
  }
  return new ApiKey(value);
}

function parseNumber(
  { name, value }: Setting,
  { least, whole }: { least: number; whole: boolean },
): number | undefined {
  if (value === undefined || value === null || value === "") return undefined;
  const number = typeof value === "string" ? Number(value.trim() || Number.NaN) : value;
  const isUsable = whole ? Number.isInteger(number) : Number.isFinite(number);
  if (typeof number === "number" && isUsable && number >= least) return number;
  const remedy = `Set it to ${whole ? "a whole number" : "a number"} of at least ${least}.`;
  throw new ConfigurationError(name, "is not a number that Landform can use", remedy);
}

export function isLoopback(host: string): boolean {
  return host === "localhost" || host.endsWith(".localhost") || /^127(\.\d+){3}$|^(::1|\[::1\])$/.test(host);
}

function settingInForce(
  env: Readonly<Record<string, string | undefined>>,
  stack: StackConfig,
  key: SettingName,
): Setting {
  const variable = variables[key];
  const value = env[variable];
  if (value !== undefined && value !== "") return { name: variable, value };
  const fromStack = stack[key];
  return fromStack === undefined ? { name: variable, value: undefined } : { name: `landform:${key}`, value: fromStack };
}

const ON = new Set(["1", "true", "yes", "on"]);
const OFF = new Set(["", "0", "false", "no", "off"]);

/** Returns undefined for a word that is neither. */
export function yesOrNo(value: unknown): boolean | undefined {
  if (typeof value === "boolean" || value === undefined) return value ?? false;
  if (typeof value !== "string") return undefined;
  const word = value.trim().toLowerCase();
  if (ON.has(word)) return true;
  return OFF.has(word) ? false : undefined;
}

export function isOn(variable: string, env: NodeJS.ProcessEnv = process.env): boolean {
  const isYes = yesOrNo(env[variable]);
  if (isYes !== undefined) return isYes;
  throw new ConfigurationError(variable, `is ${JSON.stringify(env[variable])}`, "Set it to true or false.");
}

/** A command that only reads sets this variable for all its processes. They then send no call that changes something. */
export const READ_ONLY_VARIABLE = "LANDFORM_READ_ONLY";
