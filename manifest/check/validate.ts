/** Reads a manifest from its file to its declarations, and collects all its errors. It sends nothing. */
import { isScalar } from "yaml";
import { checkAccounts, readAccount, checkKey, readEntry, type EntryContext } from "../declare/entries.ts";
import { addressOf, sections } from "../language/addresses.ts";
import { checkEntries, refuseKeys } from "../declare/faults.ts";
import { Diagnostics, type Diagnostic, unlessTold } from "../source/diagnostics.ts";
import { withReleases, inOrder } from "../declare/order.ts";
import { logicalName } from "../declare/expand.ts";
import { load } from "../declare/load.ts";
import type { Declared, Loaded, Manifest, OutputEntry, VacantEntry } from "../declare/model.ts";
import { checkComments, readLint } from "./settings.ts";
import { Resolver } from "../declare/resolver.ts";
import { Exhausted } from "../source/reader.ts";
import { didYouMean } from "../../provider/values/nearest.ts";

export interface ValidateOptions {
  /** Paths and file names in messages are relative to this folder. Default: the process's working directory. */
  readonly cwd?: string;
}

export interface Validation {
  readonly diagnostics: readonly Diagnostic[];
  /** Undefined when there are errors. */
  readonly manifest: Manifest | undefined;
  /** The manifest as it is written; undefined if it can't be read. */
  readonly loaded: Loaded | undefined;
}

export function validate(path: string, options: ValidateOptions = {}): Validation {
  const diagnostics = new Diagnostics();
  const { loaded, manifest } = unlessTold(() => read(path, options.cwd ?? process.cwd(), diagnostics), Exhausted) ?? {};
  return { diagnostics: diagnostics.list(), manifest: diagnostics.failed ? undefined : manifest, loaded };
}

function read(path: string, cwd: string, diagnostics: Diagnostics): { loaded: Loaded; manifest: Manifest } | undefined {
  const loaded = load(path, cwd, diagnostics);
  if (!loaded) return undefined;
  const sourceLocale = readSourceLocale(declaredIn(loaded, "copy"), diagnostics);
  const context = { ...contextOf(loaded, diagnostics), sourceLocale };
  const accounts = declaredIn(loaded, "accounts").map((declared) => readAccount(declared, context));
  const entries = [...sections].flatMap(([section, { kind, definition }]) =>
    declaredIn(loaded, section).map((declared) => readEntry(kind, definition, declared, context)),
  );
  const outputs = declaredIn(loaded, "outputs").flatMap((declared) => outputOf(declared, context) ?? []);
  checkAccounts(entries, context);
  refuseKeys({ accounts, entries, outputs }, diagnostics);
  checkEntries(entries, diagnostics);
  const { root, files, data, name } = loaded;
  const ordered = inOrder(withReleases(entries, diagnostics), diagnostics);
  const lint = readLint(declaredIn(loaded, "lint"), diagnostics);
  checkComments(files, diagnostics);
  const declared = { accounts, entries: ordered, outputs, vacant: vacantIn(loaded), lint, sourceLocale };
  return { loaded, manifest: { root, files, data: data.sources, name, ...declared } };
}

function contextOf({ data, parts, groups }: Loaded, diagnostics: Diagnostics): EntryContext {
  const keys = new Map(
    [...parts].map(([part, entries]) => [part, new Map([...entries].map(([key, { keyPlace }]) => [key, keyPlace]))]),
  );
  const resolver = new Resolver(diagnostics, keys, groups);
  const accounts = [...(keys.get("accounts")?.keys() ?? [])];
  return { data, diagnostics, resolver, accounts };
}

function declaredIn({ parts }: Loaded, part: string): Declared[] {
  return [...(parts.get(part)?.values() ?? [])];
}

function vacantIn({ groups }: Loaded): VacantEntry[] {
  return [...sections].flatMap(([section, { definition }]) =>
    [...(groups.get(section) ?? [])].flatMap(([key, rows]) =>
      rows?.size === 0 ? [{ address: addressOf(section, key), definition, prefix: logicalName(key, "") }] : [],
    ),
  );
}

function outputOf(
  { reader, key, keyPlace, value }: Declared,
  { diagnostics, resolver }: EntryContext,
): OutputEntry | undefined {
  const at = { input: [], path: `outputs.${key}`, place: reader.place(value, keyPlace) };
  checkKey(key, at, diagnostics);
  if (isScalar(value) && typeof value.value === "string") {
    const found = resolver.outputs(value.value, at) ?? resolver.output(value.value, "json", at);
    return found === undefined ? undefined : { name: key, value: found };
  }
  const hint = "Write section.key.output, such as pages.offer.url.";
  diagnostics.fault("invalid-value", at, " takes the path of an output", hint);
}

function readSourceLocale(declared: readonly Declared[], diagnostics: Diagnostics): string | undefined {
  let source: string | undefined;
  for (const { reader, key, keyPlace, value } of declared) {
    const path = `copy.${key}`;
    if (key !== "source") {
      const message = `copy has no property "${key}"${didYouMean(key, ["source"])}`;
      diagnostics.error("unknown-property", keyPlace, message, { path, hint: "Known is source." });
    } else if (isScalar(value) && typeof value.value === "string" && /^[\w-]+$/.test(value.value)) source = value.value;
    else {
      const about = { place: reader.place(value, keyPlace), path };
      diagnostics.fault("invalid-value", about, " takes a language", "Write its tag, such as en or pt-BR.");
    }
  }
  return source;
}
