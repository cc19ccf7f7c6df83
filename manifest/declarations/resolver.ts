/** Finds what references point at: the entries of all files, by section and key. */
import { didYouMean } from "../../provider/lifecycle/nearest.ts";
import { registry, type Kind } from "../../provider/registry.ts";
import { addressOf, parsePath, readable, sections } from "../language/addresses.ts";
import type { Diagnostics } from "../diagnostics/diagnostics.ts";
import { coerce, type Wanted } from "../language/forms.ts";
import { Deferred, type At } from "./model.ts";
import type { Place } from "../source/file.ts";

export class Resolver {
  readonly #diagnostics: Diagnostics;
  /** Keys by section, with the place of each. */
  readonly #keys: ReadonlyMap<string, ReadonlyMap<string, Place>>;

  constructor(diagnostics: Diagnostics, keys: ReadonlyMap<string, ReadonlyMap<string, Place>>) {
    this.#diagnostics = diagnostics;
    this.#keys = keys;
  }

  /** The id of the resource with that key. */
  reference(kind: Kind, key: string, at: At): Deferred | undefined {
    const { section } = registry[kind];
    if (!this.#has(section, key)) {
      const existing = " An existing one is named with { id: … } or { lookup: { name: … } }.";
      this.#unknown(section, key, at, `${at.path}: there is no ${kind} "${key}"`, existing);
      return undefined;
    }
    return new Deferred(
      { from: "resource", target: addressOf(section, key), property: ["id"] },
      "text",
      at.place,
      at.path,
    );
  }

  /** Whether the manifest declares one of that kind and key. */
  declares(kind: Kind, key: string): boolean {
    return this.#has(registry[kind].section, key);
  }

  /** An output such as `pages.offer.url`. */
  output(path: string, wanted: Wanted, at: At): Deferred | undefined {
    const [section, key, property, ...rest] = parsePath(path) ?? [];
    if (section === undefined || key === undefined || property === undefined) {
      this.#error(
        at,
        `${at.path}: "${path}" doesn't name an output`,
        "Write section.key.output, such as pages.offer.url.",
      );
      return undefined;
    }
    if (!this.#isThere(section, key, at)) return undefined;
    const definition = sections.get(section)?.definition;
    const known = definition ? readable(definition) : [];
    if (!known.includes(property)) {
      const message = `${at.path}: ${addressOf(section, key)} has no output "${property}"${didYouMean(property, known)}`;
      this.#error(at, message, `Known are ${known.join(", ")}.`);
      return undefined;
    }
    const origin = { from: "resource", target: addressOf(section, key), property: [property, ...rest] } as const;
    return new Deferred(origin, wanted, at.place, at.path);
  }

  /** The address of a resource such as `pages.offer`. */
  resource(path: string, at: At): string | undefined {
    const [section, key, ...rest] = parsePath(path) ?? [];
    if (section === undefined || key === undefined || rest.length > 0) {
      this.#error(at, `${at.path}: "${path}" doesn't name a resource`, "Write section.key, such as pages.offer.");
      return undefined;
    }
    return this.#isThere(section, key, at) ? addressOf(section, key) : undefined;
  }

  /** A text from outside as the field takes it. */
  coerced(text: string, wanted: Wanted, at: At, what: string): string | number | boolean | undefined {
    const value = coerce(text, wanted);
    if (value === undefined) {
      this.#diagnostics.error("invalid-value", at.place, `${at.path} takes a ${wanted}, and ${what} is none`, {
        path: at.path,
      });
    }
    return value;
  }

  #isThere(section: string, key: string, at: At): boolean {
    if (!sections.has(section)) {
      const message = `${at.path}: there is no section "${section}"${didYouMean(section, sections.keys())}`;
      this.#error(at, message, `Sections are ${[...sections.keys()].join(", ")}.`);
      return false;
    }
    if (this.#has(section, key)) return true;
    this.#unknown(section, key, at, `${at.path}: there is no ${addressOf(section, key)}`);
    return false;
  }

  #unknown(section: string, key: string, at: At, message: string, existing = ""): void {
    const keys = [...(this.#keys.get(section)?.keys() ?? [])];
    const elsewhere = [...this.#keys].filter(([name, known]) => name !== section && known.has(key));
    const suggestion = didYouMean(key, keys);
    const [other] = elsewhere.map(([name]) => addressOf(name, key));
    this.#error(
      at,
      message + suggestion,
      other !== undefined && suggestion === ""
        ? `${other} is another kind of thing.`
        : keys.length === 0
          ? `Declare it under ${section}.${existing}`
          : `Keys of ${section}: ${listed(keys)}.${existing}`,
    );
  }

  #has(section: string, key: string): boolean {
    return this.#keys.get(section)?.has(key) ?? false;
  }

  #error(at: At, message: string, hint: string): void {
    this.#diagnostics.error("unknown-reference", at.place, message, { path: at.path, hint });
  }
}

function listed(keys: readonly string[]): string {
  return keys.length > 12 ? `${keys.slice(0, 12).join(", ")} and ${keys.length - 12} more` : keys.join(", ");
}
