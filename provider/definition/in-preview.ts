/** How a kind takes part in a preview of its program. A preview touches nothing that isn't its own. */
import type { LandformApi } from "../api/index.ts";
import { type Json, type JsonMap, mapBy } from "../values/json.ts";
import { digest } from "../ledger/identity.ts";

/** The place of the preview, for the inputs that say where an object is. */
export interface PreviewPlace {
  readonly prefix: string;
  readonly slugStyle: SlugStyle;
  /** By kind, the id of the object that stands for all objects of the kind. */
  readonly named: Readonly<Record<string, string>>;
  /** Returns a mark that tells a path from another page's, by its slug. */
  readonly mark: (slug: string | undefined) => string | undefined;
}

/** Returns the value of an input in a preview; undefined if the input is not declared. */
export type Placed = (value: Json | undefined, place: PreviewPlace) => Json | undefined;

export interface InPreview {
  /**
   * `made`: the preview makes its own. `base's`: the base's object stands for it, and is only read. `left out`: nothing is done, since it
   * would change something shared. `asked for`: left out unless the user asks for such objects.
   */
  readonly becomes: "made" | "base's" | "left out" | "asked for";
  /** Reads the public address of the things on it, with a slash at its end. For an object that stands for others. */
  readonly root?: (api: LandformApi, id: string) => Promise<string | undefined>;
  /** For a kind that is left out: the input with the id of the object that it is about. */
  readonly about?: string;
  /** The input that makes an object as a copy of another one, and the inputs that can't stand beside it. */
  readonly copies?: { readonly by: string; readonly without: readonly string[] };
  /** Returns the inputs that an adopted object is made anew with. The program doesn't declare them, because no read of the API shows them. */
  readonly anew?: (declared: Readonly<Record<string, unknown>>) => Readonly<Record<string, Json>>;
  /** Inputs, or properties of inputs, that say where an object is. */
  readonly places?: Readonly<Record<string, Placed | Readonly<Record<string, Placed>>>>;
  /** The input with texts by key. A preview changes the one for search engines. */
  readonly hides?: string;
  readonly publishes?: readonly string[];
}

/** The name tells that the object is the preview's. Nothing else changes. */
export const MADE: InPreview = { becomes: "made" };

export const placedSlug: Placed = (said, { prefix, slugStyle, mark }) => {
  const slug = typeof said === "string" ? said : undefined;
  return previewSlug(prefix, slug, slugStyle, mark(slug));
};

export function placedAt(kind: string): Placed {
  return (id, { named }) => named[kind] ?? id;
}

const NOINDEX = "noindex";

function hidden(key: string): string | undefined {
  return /(?:^|[._-])robots$/i.test(key) ? NOINDEX : undefined;
}

/** `texts`: by key, in a program perhaps not yet known. */
export function hiddenTexts(texts: unknown): unknown {
  if (typeof texts !== "object" || texts === null) return texts;
  return Object.fromEntries(Object.entries(texts).map(([key, text]) => [key, hidden(key) ?? (text as unknown)]));
}

/** Returns these texts of a preview's page, by the content keys that it has. */
export function hidingTexts(keys: readonly string[]): JsonMap {
  return mapBy(keys, hidden);
}

/** How the prefix and a path are joined: as a folder, or with dashes for sites that allow no folders. */
export type SlugStyle = "path" | "dash";

export const SLUG_STYLES = ["path", "dash"] as const satisfies readonly SlugStyle[];

/** A page at the root of its site has no path to put the prefix before, and a preview never takes the site's root. */
const ROOT = "index";
const LONGEST_SLUG = 100;
const HASH_LENGTH = 8;

/** Lower-case letters and digits that nobody mistakes for one another. Ten of them are 49 bits. */
const LETTERS = "abcdefghjkmnpqrstuvwxyz23456789";
export const TOKEN_LENGTH = 10;

/** Returns the text that makes a preview's addresses unguessable. */
export function tokenFrom(random: Uint8Array): string {
  return [...random.slice(0, TOKEN_LENGTH)].map((byte) => LETTERS[byte % LETTERS.length] ?? "").join("");
}

/** Returns the text before every path and every name of an environment. Nobody else has it, so it tells whose an object is. */
export function prefixOf(environment: string, token: string): string {
  return `${environment}-${token}`;
}

/** Returns the slug in the preview for a page of the base at `slug`. `mark` tells it from another page that would be there, too. */
export function previewSlug(prefix: string, slug: string | undefined, style: SlugStyle, mark?: string): string {
  const said = (slug ?? "").replace(/^\/+|\/+$/g, "");
  const path = said || ROOT;
  // The page at the site's root takes the plain path.
  const apart = mark ?? (said.toLowerCase() === ROOT ? digest(said.toLowerCase(), HASH_LENGTH) : undefined);
  const placed = style === "path" ? `${prefix}/${path}` : `${prefix}-${path.replaceAll("/", "-")}`;
  const whole = apart === undefined ? placed : `${placed}-${apart}`;
  if (whole.length <= LONGEST_SLUG) return whole;
  const kept = whole.slice(0, LONGEST_SLUG - HASH_LENGTH - 1).toWellFormed();
  return `${kept.replace(/[-/\ufffd]+$/, "")}-${digest(whole.toLowerCase(), HASH_LENGTH)}`;
}

/** Tells if a stack's name is one that an environment gets. */
export function isEnvironmentName(stack: string): boolean {
  return /^(?:pr-[1-9]\d*|br-[a-z0-9][a-z0-9-]*-[0-9a-f]{6})$/.test(stack);
}

export function previewName(prefix: string, name: string): string {
  return `${prefix} ${name}`;
}
