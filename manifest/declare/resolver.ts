/** Resolves references: finds the entries of all files by section and key. */
import { listed } from "../../provider/values/wording.ts";
import { didYouMean } from "../../provider/values/nearest.ts";
import { registry, type Kind } from "../../provider/kinds/registry.ts";
import { addressOf, parsePath, readable, sections } from "../language/addresses.ts";
import type { Diagnostics } from "../source/diagnostics.ts";
import { spellingsOf } from "../language/fields.ts";
import { coerce, type Wanted } from "../language/forms.ts";
import { type Groups, Deferred, type At, type Tree } from "./model.ts";
import type { Place } from "../source/file.ts";

export class Resolver {
  readonly #diagnostics: Diagnostics;
  /** Keys by section, with the place of each. */
  readonly #keys: ReadonlyMap<string, ReadonlyMap<string, Place>>;
  readonly #groups: Groups;

  constructor(diagnostics: Diagnostics, keys: ReadonlyMap<string, ReadonlyMap<string, Place>>, groups: Groups) {
    this.#diagnostics = diagnostics;
    this.#keys = keys;
    this.#groups = groups;
  }

  /** Returns the id of the resource with that key: `offer`, or `offer["riga"]` of an entry with `each`. */
  reference(kind: Kind, key: string, at: At): Deferred | undefined {
    const { section } = registry[kind];
    const message = `there is no ${kind} "${key}"`;
    const existing = " For one that the code does not manage, write { id: … } or { lookup: { name: … } }.";
    const other = this.declares(kind, key) ? undefined : this.#otherField(key, at);
    if (other !== undefined) return this.#error(at, message, `It is a ${other.kind}. Write ${other.name}: ${key}.`);
    const steps = this.#has(section, key) ? [key] : (parsePath(key) ?? [key]);
    const [name, ...rest] = this.#found(section, steps, at, message, existing) ?? [];
    if (name === undefined) return undefined;
    if (rest.length > 0) return this.#unknown(section, key, at, message, existing);
    const origin = { from: "resource", target: addressOf(section, name), property: ["id"] } as const;
    return new Deferred(origin, "text", at.place, at.path);
  }

  /** The row keys of an entry with `each`. */
  #group(section: string, key: string): readonly string[] | undefined {
    const groups = this.#groups.get(section);
    return groups?.has(key) && !this.#has(section, key) ? [...(groups.get(key)?.keys() ?? [])] : undefined;
  }

  /** Returns the logical names of all rows of an entry with `each`; undefined if the key belongs to no such entry. */
  all(kind: Kind | undefined, key: string): readonly string[] | undefined {
    const section = kind ? registry[kind].section : "";
    const rows = this.#has(section, key) ? undefined : this.#groups.get(section)?.get(key);
    return rows && [...rows.values()];
  }

  declares(kind: Kind, key: string): boolean {
    const { section } = registry[kind];
    const [group = "", row] = parsePath(key) ?? [];
    const groups = this.#groups.get(section);
    return this.#has(section, key) || groups?.has(key) === true || (row !== undefined && groups?.has(group) === true);
  }

  /** Returns an output of all rows of an entry with `each` (`pages.offer.url`) by their keys; undefined for other entries. */
  outputs(path: string, at: At): Tree | undefined {
    const [section = "", key = "", ...rest] = parsePath(path) ?? [];
    const rows = this.#group(section, key);
    if (!rows || rest.length === 0 || rows.includes(rest[0] ?? "")) return undefined;
    const found = rows.map((row) => [row, this.#output(section, [key, row, ...rest], "json", at)] as const);
    return Object.fromEntries(found.flatMap(([row, value]) => (value ? [[row, value] as const] : [])));
  }

  /** Returns an output such as `pages.offer.url`. */
  output(path: string, wanted: Wanted, at: At): Deferred | undefined {
    const [section, ...steps] = parsePath(path) ?? [];
    if (section === undefined || steps.length < 2)
      return this.#error(at, `"${path}" doesn't name an output`, "Write section.key.output, such as pages.offer.url.");
    return this.#output(section, steps, wanted, at);
  }

  #output(section: string, steps: readonly string[], wanted: Wanted, at: At): Deferred | undefined {
    const [key, property = "", ...rest] = this.#entry(section, steps, at) ?? [];
    if (key === undefined) return undefined;
    const target = addressOf(section, key);
    const definition = sections.get(section)?.definition;
    const known = definition ? readable(definition) : [];
    if (!known.includes(property)) {
      const message = `${target} has no output "${property}"${didYouMean(property, known)}`;
      return this.#error(at, message, `Known are ${known.join(", ")}.`);
    }
    const origin = { from: "resource", target, property: [property, ...rest] } as const;
    return new Deferred(origin, wanted, at.place, at.path);
  }

  /** Returns the address of a resource such as `pages.offer`. */
  resource(path: string, at: At): string | undefined {
    const [section = "", ...steps] = parsePath(path) ?? [];
    const isName = steps.length === 1 || (steps.length === 2 && this.#group(section, steps[0] ?? ""));
    if (!isName) return this.#error(at, `"${path}" doesn't name a resource`, "Write section.key, such as pages.offer.");
    const [key] = this.#entry(section, steps, at) ?? [];
    return key === undefined ? undefined : addressOf(section, key);
  }

  coerced(text: string, wanted: Wanted, at: At, what: string): string | number | boolean | undefined {
    const value = coerce(text, wanted);
    const { place, path } = at;
    if (value === undefined)
      this.#diagnostics.fault("invalid-value", { place, path }, ` takes a ${wanted}, and ${what} is none`);
    return value;
  }

  /** Returns the logical name that the first steps lead to, and the steps that are left. */
  #entry(section: string, steps: readonly string[], at: At): readonly [string, ...string[]] | undefined {
    if (sections.has(section))
      return this.#found(section, steps, at, `there is no ${addressOf(section, steps[0] ?? "")}`);
    const known = [...sections.keys()];
    const message = `there is no section "${section}"${didYouMean(section, known)}`;
    return this.#error(at, message, `Sections are ${known.join(", ")}.`);
  }

  /** `absent`: the message if there is no such key. `existing`: a hint on resources that nobody declares. */
  #found(
    section: string,
    [key = "", ...rest]: readonly string[],
    at: At,
    absent: string,
    existing = "",
  ): readonly [string, ...string[]] | undefined {
    if (this.#has(section, key)) return [key, ...rest];
    const groups = this.#groups.get(section);
    if (!groups?.has(key)) return this.#unknown(section, key, at, absent, existing);
    const rows = groups.get(key);
    // The reason for missing rows is reported already.
    if (!rows) return undefined;
    const [row, ...further] = rest;
    const name = row === undefined ? undefined : rows.get(row);
    if (name !== undefined) return [name, ...further];
    const address = addressOf(section, key);
    const message =
      row === undefined
        ? `${address} stands for several entries, one for each row`
        : `there is no ${address}[${JSON.stringify(row)}]${didYouMean(row, rows.keys())}`;
    const [first] = rows.keys();
    const named = `Name one row: ${key}[${JSON.stringify(first)}], of ${listed([...rows.keys()])}.`;
    return this.#error(at, message, first === undefined ? "It has no rows." : named);
  }

  /** If an input may refer to several kinds, returns the field for the kind that has the key. */
  #otherField(key: string, at: At): { name: string; kind: Kind } | undefined {
    const fields = spellingsOf(String(at.input.at(-1)));
    return fields.flatMap(({ name, reference }) => {
      const kind = reference?.kind;
      return kind !== undefined && this.declares(kind, key) ? [{ name, kind }] : [];
    })[0];
  }

  #unknown<Found>(section: string, key: string, at: At, message: string, existing: string): Found | undefined {
    const keys = [...(this.#keys.get(section)?.keys() ?? [])];
    const [other] = [...this.#keys].flatMap(([name, known]) => (name !== section && known.has(key) ? [name] : []));
    const suggestion = didYouMean(key, keys);
    const own = keys.length === 0 ? `Declare it under ${section}.` : `Keys of ${section}: ${listed(keys)}.`;
    const isElsewhere = other !== undefined && suggestion === "";
    const hint = isElsewhere ? `${addressOf(other, key)} is another kind of thing.` : own + existing;
    return this.#error(at, message + suggestion, hint);
  }

  #has(section: string, key: string): boolean {
    return this.#keys.get(section)?.has(key) ?? false;
  }

  #error<Found>(at: At, message: string, hint: string): Found | undefined {
    this.#diagnostics.fault("unknown-reference", at, `: ${message}`, hint);
    return undefined;
  }
}
