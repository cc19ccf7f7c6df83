/** Writes values into the manifest that declares them, as the app or an earlier run has them. The rest of the manifest stays untouched. */
import { existsSync } from "node:fs";
import { dirname, join } from "node:path";
import { isMap, type Json } from "../../provider/values/json.ts";
import { kindOf, type Kind } from "../../provider/kinds/registry.ts";
import { Deferred, type Entry, type Manifest, targetOf, type Tree } from "../declare/model.ts";
import { targetsOf } from "../language/fields.ts";
import { ExportError, textFilesIn, writeFiles } from "../write/files.ts";
import { readExisting, textsOf } from "./existing.ts";
import { mergeManifest, type Written } from "../write/manifest.ts";
import type { Sharing } from "../write/shared.ts";
import { addressOf, Elsewhere, isPlainMap, Reference } from "../match/model.ts";
import type { Inputs, Resource, Value } from "../match/model.ts";
import { outsideValues, type OutsideSources } from "../match/spelling.ts";

export interface LiveField {
  readonly path: readonly (string | number)[];
  readonly value: Json | undefined;
}

/** The live values of a resource, by its type and logical name in Pulumi. */
export interface LiveValues {
  readonly type: string;
  readonly name: string;
  /** The id of the object that the entry adopts from now on. */
  readonly id?: string | undefined;
  readonly fields: readonly LiveField[];
}

interface LiveSettings {
  readonly outside: OutsideSources;
  /** Returns the resource that has an id, among the kinds that the id may belong to. */
  readonly owner: (id: string, kinds: readonly Kind[]) => { readonly type: string; readonly name: string } | undefined;
  readonly sharing?: Sharing | undefined;
}

export interface LiveTexts extends Pick<Written, "shared"> {
  /** The new texts of the files, by path relative to the manifest's folder. */
  readonly files: ReadonlyMap<string, string>;
  readonly base: ReadonlyMap<string, string>;
  /** `pages.offer.content.hero.title` */
  readonly updated: readonly string[];
  readonly kept: readonly string[];
}

/** Returns the new texts and writes nothing: see `writeLiveTexts`. */
export function liveTexts(path: string, live: readonly LiveValues[], settings: LiveSettings): LiveTexts {
  const folder = dirname(path);
  const existing = readExisting(folder);
  if (!existing) throw new ExportError(`there is no ${path} to write into`);
  const entries = new Map(existing.entries.map((entry) => [entry.address, entry]));
  const kept: string[] = [];
  const resources = live.flatMap((one) => {
    const kind = kindOf(one.type);
    const entry = kind && entries.get(addressOf({ kind, key: one.name }));
    if (entry) return [changedIn(entry, one, { entries, settings, kept })];
    kept.push(`${one.type} ${one.name} (not declared in this file)`);
    return [];
  });
  const model = { title: "", name: "", resources, leftOut: [], copy: false, warnings: [] };
  const around = { taken: textFilesIn(folder), outside: outsideValues(settings.outside), sharing: settings.sharing };
  const written = mergeManifest(model, existing, { ...around, gone: [] });
  const due = [...written.files].filter(([file]) => !(written.standIns.has(file) && existsSync(join(folder, file))));
  const { updated, shared } = written;
  return { files: new Map(due), base: textsOf(existing), updated, kept: [...kept, ...written.kept], shared };
}

/** Returns the written files. It doesn't write over a file that somebody has changed meanwhile. */
export function writeLiveTexts(path: string, { files, base }: LiveTexts): string[] {
  return writeFiles(dirname(path), files, base);
}

interface Around {
  readonly entries: ReadonlyMap<string, Entry>;
  readonly settings: LiveSettings;
  readonly kept: string[];
}

/** Returns the changed fields of an entry, each with its whole value. */
function changedIn(
  { kind, key, address, inputs: declared }: Entry,
  { id, fields }: LiveValues,
  { entries, settings, kept }: Around,
): Resource {
  const inputs: Inputs = {};
  let name: string | undefined;
  const before = (field: string): Value => inputs[field] ?? valueOf(declared[field] ?? null, entries);
  const [gone, shown] = [fields.filter(isGoneOfList), fields.filter((one) => !isGoneOfList(one))];
  for (const { path, value } of shown) {
    const [first = "", ...rest] = path;
    const field = String(first);
    if (value === undefined) kept.push(`${address}.${path.join(".")} (it is gone; take it out by hand)`);
    else if (field === "name") name = typeof value === "string" ? value : JSON.stringify(value);
    else if (field === "content") {
      const content = valueOf(declared[field] ?? null, entries);
      inputs[field] = { ...(inputs[field] as Inputs | undefined), ...textsIn(content, rest, value) };
    } else {
      const lastName = path.findLast((step) => typeof step === "string") ?? "";
      inputs[field] = patched(before(field), rest, referring(value, lastName, settings));
    }
  }
  // Goes from the end of a list, so that a removed item moves only the items behind it.
  for (const { path } of gone.toReversed()) {
    const [field = "", ...rest] = path.map(String);
    inputs[field] = without(before(field), rest);
  }
  return { kind, key, id, name, inputs, notes: [] };
}

function textsIn(content: Value, [key, ...rest]: readonly (string | number)[], value: Json): Inputs {
  if (key === undefined) return isMap(value) ? value : {};
  return { [key]: patched(isPlainMap(content) ? content[key] : undefined, rest, value) };
}

function valueOf(tree: Tree, entries: ReadonlyMap<string, Entry>): Value {
  if (Array.isArray(tree)) return tree.map((item) => valueOf(item, entries));
  if (!(tree instanceof Deferred)) {
    if (typeof tree !== "object" || tree === null) return tree;
    return Object.fromEntries(Object.entries(tree).map(([key, item]) => [key, valueOf(item, entries)]));
  }
  const target = entries.get(targetOf(tree) ?? "");
  const isId = tree.origin.from === "resource" && tree.origin.property.join() === "id";
  return target && isId ? new Reference(target.kind, target.key) : new Elsewhere();
}

/** Tells if a list has lost an item. The code declares a list as a whole, so it must lose the item, too. */
function isGoneOfList({ path, value }: LiveField): boolean {
  return value === undefined && path.slice(1).some((step) => typeof step === "number");
}

/** Removes a value. An item goes with its last value. */
function without(whole: Value, [step = "", ...rest]: readonly string[]): Value {
  if (Array.isArray(whole)) {
    const index = Number(step);
    const item = rest.length === 0 ? {} : without(whole[index] ?? null, rest);
    const isLeft = !isMap(item) || Object.keys(item).length > 0;
    return whole.toSpliced(index, 1, ...(isLeft ? [item] : []));
  }
  if (!isMap(whole)) return whole;
  const { [step]: inner = null, ...others } = whole;
  return rest.length === 0 ? others : { ...others, [step]: without(inner, rest) };
}

function referring(value: Json, field: string, settings: LiveSettings): Value {
  if (Array.isArray(value))
    return value.map((item) => (typeof item === "string" ? item : referring(item, field, settings)));
  if (!isMap(value)) return typeof value === "string" ? named(value, field, settings) : value;
  const entries = Object.entries(value).map(([name, item]): [string, Value] => [name, referring(item, name, settings)]);
  return Object.fromEntries(entries);
}

/** Names the owner of an id, if the field is a reference. A text may look like an id by accident. */
function named(value: string, field: string, { owner }: LiveSettings): Value {
  const kinds = targetsOf(field).flatMap(({ kind }) => kind ?? []);
  const found = kinds.length === 0 ? undefined : owner(value, kinds);
  if (found === undefined) return value;
  const kind = kindOf(found.type);
  return kind === undefined ? value : new Reference(kind, found.name);
}

function patched(whole: Value | undefined, path: readonly (string | number)[], value: Value): Value {
  const [step, ...rest] = path;
  if (step === undefined) return value;
  if (typeof step === "number") {
    const list = Array.isArray(whole) ? [...whole] : [];
    list[step] = patched(list[step], rest, value);
    return list;
  }
  const map: Inputs = isMap(whole) ? whole : {};
  return { ...map, [step]: patched(map[step], rest, value) };
}

interface WrittenIds {
  readonly files: readonly string[];
  /** The reasons why other ids were not written. */
  readonly kept: readonly string[];
}

/** `ids`: by address (`pages.offer`). An entry keeps the id that it has already. */
export function writeAdoptIds({ entries, root }: Manifest, ids: ReadonlyMap<string, string>): WrittenIds {
  const live = entries
    .filter(({ address, inputs }) => ids.has(address) && inputs["adoptId"] === undefined)
    .map(({ definition, key, address }) => ({ type: definition.type, name: key, id: ids.get(address), fields: [] }));
  const texts = liveTexts(root.path, live, { outside: { env: {} }, owner: () => undefined });
  return { files: writeLiveTexts(root.path, texts), kept: texts.kept };
}
