/** One resource of the manifest: its inputs, and the settings beside them. */
import { isMap, isScalar } from "yaml";
import { z } from "zod";
import type { AnyDefinition } from "../../provider/definition/define.ts";
import { propertyPath, unknownAt, valueAt } from "../../provider/values/paths.ts";
import { problemOf } from "../../provider/values/problems.ts";
import { didYouMean } from "../../provider/values/nearest.ts";
import { inputWording } from "../../provider/values/wording.ts";
import type { Kind } from "../../provider/kinds/registry.ts";
import { addressOf } from "../language/addresses.ts";
import type { Diagnostics } from "../source/diagnostics.ts";
import { type Field, type Fields, fieldsOf, inInputWords, isKey } from "../language/fields.ts";
import { writingHint } from "./faults.ts";
import { type AccountEntry, type At, type Declared, Deferred, deferredIn, type Entry } from "./model.ts";
import type { EntryOptions, Spot } from "./model.ts";
import type { Resolver } from "./resolver.ts";
import type { DataFiles } from "../data/files.ts";
import type { MapEntry } from "../source/reader.ts";
import type { EntryReading } from "./fill.ts";
import { readFields, readValue } from "./inputs.ts";

export const entryOptions = z.strictObject({
  protect: z.boolean().optional().describe("Landform refuses to delete or replace this resource."),
  retainOnDelete: z.boolean().optional().describe("The object stays in the account if the resource is removed."),
  dependsOn: z.array(z.string()).optional().describe("More resources to wait for, such as pages.offer."),
  ignoreChanges: z
    .array(z.string())
    .optional()
    .describe('Properties whose changes Landform ignores, such as content["hero.title"].'),
  aliases: z.array(z.string()).optional().describe("Earlier keys of this resource, or whole URNs."),
});

export interface EntryContext {
  readonly data: DataFiles;
  readonly diagnostics: Diagnostics;
  readonly resolver: Resolver;
  readonly accounts: readonly string[];
  readonly sourceLocale?: string | undefined;
}

const NO_OPTIONS: EntryOptions = { dependsOn: [], ignoreChanges: [], aliases: [] };

/** The keys that every entry takes beside the inputs of its kind. */
const BESIDE = ["options", "account", "each", "rows"] as const;

export function readEntry(kind: Kind, definition: AnyDefinition, declared: Declared, context: EntryContext): Entry {
  const { key, keyPlace, one } = declared;
  const address = addressOf(definition.section, key);
  const at: At = { input: [], path: address, place: keyPlace };
  checkKey(key, at, context.diagnostics);
  const reading = readingOf(declared, context);
  const entries = fieldsGiven(declared, at, context.diagnostics);
  const beside = (name: string): MapEntry | undefined => entries.find((entry) => entry.key === name);
  const own = entries.filter((entry) => !BESIDE.some((name) => name === entry.key));
  const inputs = readFields(reading, own, knownFields(definition), at);
  return {
    address,
    kind,
    definition,
    key,
    one,
    place: keyPlace,
    inputs: definition.named ? { name: key, ...inputs } : inputs,
    options: optionsOf(beside("options"), reading, address, definition.inputs),
    account: accountOf(beside("account"), address, context),
    places: reading.spots,
    localized: reading.localized,
  };
}

function readingOf(
  { reader, one }: Declared,
  { data, diagnostics, resolver, sourceLocale }: EntryContext,
): EntryReading {
  const nothing = { spots: new Map<string, Spot>(), localized: [], translated: new Set<Spot>() };
  return { reader, data, diagnostics, resolver, sourceLocale, row: one?.row, ...nothing };
}

/** An entry without anything below its key declares the defaults. */
function fieldsGiven({ reader, value, keyPlace }: Declared, at: At, diagnostics: Diagnostics): MapEntry[] {
  if (isMap(value)) return reader.entries(value);
  const about = { place: reader.place(value, keyPlace), path: at.path };
  if (value !== null && !(isScalar(value) && value.value === null))
    diagnostics.fault("invalid-value", about, " takes a map", "Write its properties below it, each as name: value.");
  return [];
}

/** Adds `options` and `account`, so that the check reports a misspelt one. */
function knownFields(definition: AnyDefinition): Fields {
  const nothing: Omit<Field, "name" | "input"> = { schema: z.unknown().optional(), reference: undefined };
  const fields = new Map(fieldsOf(definition.schema));
  for (const name of BESIDE) fields.set(name, { name, input: name, ...nothing });
  return fields;
}

export function checkKey(key: string, at: At, diagnostics: Diagnostics): void {
  const [written] = /\$\{[^}]*\}/.exec(key) ?? [];
  const [message, hint] = isKey(key)
    ? [
        `a key can't have ${written ?? ""}`,
        "Keys make logical names. To repeat an entry for each row of a list, use each.",
      ]
    : [`"${key}" can't be a logical name`, "Leave out ::, control characters, and spaces at the ends."];
  if (!isKey(key) || written !== undefined)
    diagnostics.error("invalid-key", at.place, message, { path: at.path, hint });
}

function accountOf(entry: MapEntry | undefined, address: string, context: EntryContext): string | undefined {
  if (!entry) return undefined;
  const name = isScalar(entry.value) ? String(entry.value.value) : "";
  if (context.accounts.includes(name)) return name;
  const message = `: there is no account "${name}"${didYouMean(name, context.accounts)}`;
  const hint =
    context.accounts.length === 0 ? "Declare it under accounts." : `Accounts: ${context.accounts.join(", ")}.`;
  const about = { place: entry.keyPlace, path: `${address}.account` };
  context.diagnostics.fault("unknown-reference", about, message, hint);
  return undefined;
}

function optionsOf(
  entry: MapEntry | undefined,
  reading: EntryReading,
  address: string,
  inputs: z.ZodObject,
): EntryOptions {
  if (!entry) return NO_OPTIONS;
  const { diagnostics, resolver, spots } = reading;
  const path = `${address}.options`;
  const found = readValue(reading, entry.value, entryOptions, { input: ["options"], path, place: entry.keyPlace });
  const result = entryOptions.safeParse(found, { error: inputWording });
  if (!result.success) {
    for (const issue of result.error.issues) {
      const option = propertyPath(["options", ...issue.path]);
      const place = spots.get(option)?.place ?? entry.keyPlace;
      const input = valueAt(found, issue.path);
      const hint = writingHint(problemOf(issue, input), input);
      diagnostics.error("invalid-value", place, `${address}.${option} ${issue.message}`, { path, hint });
    }
    return NO_OPTIONS;
  }
  const { dependsOn = [], ignoreChanges = [], aliases = [], ...flags } = result.data;
  const placeOf = (name: string, index: number): At => ({
    input: [],
    path: `${path}.${name}[${index}]`,
    place: spots.get(`options.${name}[${index}]`)?.place ?? entry.keyPlace,
  });
  return {
    ...flags,
    dependsOn: dependsOn.flatMap((target, index) => resolver.resource(target, placeOf("dependsOn", index)) ?? []),
    ignoreChanges: ignoreChanges.map((name, index) =>
      ignored(name, inputs, placeOf("ignoreChanges", index), diagnostics),
    ),
    aliases,
  };
}

function ignored(property: string, inputs: z.ZodObject, at: At, diagnostics: Diagnostics): string {
  const fields = fieldsOf(inputs);
  const [first = ""] = /^\w*/.exec(property) ?? [];
  if (!fields.has(first)) {
    const message = `: there is no property "${first}"${didYouMean(first, fields.keys())}`;
    diagnostics.fault("unknown-reference", at, message, `Known are ${[...fields.keys()].join(", ")}.`);
  }
  return inInputWords(property, inputs);
}

export const accountSettings = z.strictObject({
  baseUrl: z.string().min(1).describe("Base URL of the API, with its version segment."),
  apiKeyEnv: z.string().min(1).describe("Name of the environment variable that holds the account's API key."),
  timeoutMs: z.number().int().min(1).optional().describe("Limit for a call and its retries, in milliseconds."),
  maxConcurrency: z.number().int().min(1).optional().describe("Calls under way at the same time."),
  requestsPerSecond: z.number().min(0.001).optional().describe("The most calls that start in a second."),
});

export function readAccount(declared: Declared, context: EntryContext): AccountEntry {
  const { reader, key, keyPlace, value } = declared;
  const at = { input: [], path: `accounts.${key}`, place: keyPlace };
  const reading = readingOf(declared, context);
  const own = isMap(value) ? reader.entries(value).filter((entry) => entry.key !== "each") : [];
  const settings = readFields(reading, own, fieldsOf(accountSettings), at);
  const result = accountSettings.safeParse(settings, { error: inputWording });
  for (const issue of result.error?.issues ?? []) {
    const [property = ""] = issue.path.map(String);
    if (settings[property] instanceof Deferred || unknownAt(settings, issue.path)) continue;
    const place = reading.spots.get(property)?.place ?? keyPlace;
    context.diagnostics.fault("invalid-value", { place, path: `${at.path}.${property}` }, ` ${issue.message}`);
  }
  for (const { origin, place, path } of deferredIn(settings)) {
    if (["env", "config", "stack", "text"].includes(origin.from)) continue;
    const message = ": an account is set up before any resource, so it takes { env: } or { config: } only";
    context.diagnostics.fault("invalid-value", { place, path }, message);
  }
  return { key, place: keyPlace, settings };
}

/** Refuses references between accounts: an id of one account means nothing in another. */
export function checkAccounts(entries: readonly Entry[], { diagnostics }: EntryContext): void {
  const accounts = new Map(entries.map(({ address, account }) => [address, account]));
  for (const entry of entries) {
    for (const { origin, place, path } of deferredIn(entry.inputs)) {
      if (origin.from !== "resource" || origin.property.join() !== "id") continue;
      const other = accounts.get(origin.target);
      if (other === entry.account) continue;
      const message = `: ${origin.target} is in ${called(other)}, and ${entry.address} in ${called(entry.account)}`;
      diagnostics.fault("wrong-account", { place, path }, message, "Declare it once in each account.");
    }
  }
}

function called(account: string | undefined): string {
  return account === undefined ? "the default account" : `account "${account}"`;
}
