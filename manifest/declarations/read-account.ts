/** The section `accounts`: further accounts of the service, for entries that name one. */
import { isMap } from "yaml";
import { z } from "zod";
import { inputWording } from "../../provider/messages/wording.ts";
import { unknownAt } from "../../provider/values/unknown.ts";
import type { EntryContext } from "./read-resource.ts";
import { fieldsOf } from "../language/fields.ts";
import type { Declared } from "./declared.ts";
import { Deferred, deferredIn, type AccountEntry, type Entry } from "./model.ts";
import { Translator } from "./translate.ts";

export const accountSettings = z.strictObject({
  baseUrl: z.string().min(1).describe("Base URL of the API, with its version segment."),
  apiKeyEnv: z.string().min(1).describe("Name of the environment variable that holds the account's API key."),
  timeoutMs: z.number().int().min(1).optional().describe("Deadline of a call in milliseconds, its retries included."),
  maxConcurrency: z.number().int().min(1).optional().describe("Calls under way at the same time."),
  requestsPerSecond: z.number().min(0.001).optional().describe("No more calls than that are started in a second."),
});

export function readAccount(declared: Declared, context: EntryContext): AccountEntry {
  const { reader, key, keyPlace, value, one } = declared;
  const at = { input: [], path: `accounts.${key}`, place: keyPlace };
  const translator = new Translator(reader, context.data, context.diagnostics, context.resolver, one?.row);
  const settings = translator.fields(
    isMap(value) ? reader.entries(value).filter((entry) => entry.key !== "each") : [],
    fieldsOf(accountSettings),
    at,
  );
  const result = accountSettings.safeParse(settings, { error: inputWording });
  for (const issue of result.error?.issues ?? []) {
    const [property = ""] = issue.path.map(String);
    if (settings[property] instanceof Deferred || unknownAt(settings, issue.path)) continue;
    const place = translator.spots.get(property)?.place ?? keyPlace;
    const path = `${at.path}.${property}`;
    context.diagnostics.error("invalid-value", place, `${path} ${issue.message}`, { path });
  }
  for (const { origin, place, path } of deferredIn(settings)) {
    if (["env", "config", "stack", "text"].includes(origin.from)) continue;
    const message = `${path}: an account is set up before any resource, so it takes { env: } or { config: } only`;
    context.diagnostics.error("invalid-value", place, message, { path });
  }
  return { key, place: keyPlace, settings };
}

/** An id of one account means nothing in another. */
export function checkAccounts(entries: readonly Entry[], { diagnostics }: EntryContext): void {
  const accounts = new Map(entries.map(({ address, account }) => [address, account]));
  for (const entry of entries) {
    for (const { origin, place, path } of deferredIn(entry.inputs)) {
      if (origin.from !== "resource" || origin.property.join() !== "id") continue;
      const other = accounts.get(origin.target);
      if (other === entry.account) continue;
      const message = `${path}: ${origin.target} is in ${called(other)}, and ${entry.address} in ${called(entry.account)}`;
      diagnostics.error("wrong-account", place, message, { path, hint: "Declare it once in each account." });
    }
  }
}

function called(account: string | undefined): string {
  return account === undefined ? "the default account" : `account "${account}"`;
}
