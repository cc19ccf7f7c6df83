/** How a kind takes part in a preview of its program, which touches nothing that isn't its own. */
import type { LandformApi } from "../api/index.ts";
import type { Json } from "../values/json.ts";
import { digest } from "../ledger/identity.ts";

/** Where the preview is, for the inputs that say where an object is. */
export interface PreviewPlace {
  readonly prefix: string;
  readonly slugStyle: SlugStyle;
  /** Of the objects that stand for all of a kind, by kind. */
  readonly named: Readonly<Record<string, string>>;
  /** What tells a path from another page's, by its slug. */
  readonly mark: (slug: string | undefined) => string | undefined;
}

/** What an input is in a preview; undefined where it is not declared. */
export type Placed = (value: Json | undefined, place: PreviewPlace) => Json | undefined;

export interface InPreview {
  /**
   * `made`: the preview's own. `base's`: that of the base stands for it, and is only read. `left out`: nothing is done,
   * since it would change what is shared. `asked for`: left out unless the user asks for such things.
   */
  readonly becomes: "made" | "base's" | "left out" | "asked for";
  /** Of what stands for others: the public address of what is on it, with a slash at its end. */
  readonly root?: (api: LandformApi, id: string) => Promise<string | undefined>;
  /** Of what is left out: the input that is the id of what it is about. */
  readonly about?: string;
  /** The input by which an object is made as a copy of another one, and those that can't stand beside it. */
  readonly copies?: { readonly by: string; readonly without: readonly string[] };
  /** What an adopted one is made with anew where the program doesn't say it, because no read of the API shows it. */
  readonly anew?: (declared: Readonly<Record<string, unknown>>) => Readonly<Record<string, Json>>;
  /** Inputs that say where an object is, or properties of such inputs. */
  readonly places?: Readonly<Record<string, Placed | Readonly<Record<string, Placed>>>>;
  /** Inputs that make it public. */
  readonly publishes?: readonly string[];
}

/** Its name tells whose it is, and nothing else changes. */
export const MADE: InPreview = { becomes: "made" };

export const placedSlug: Placed = (said, { prefix, slugStyle, mark }) => {
  const slug = typeof said === "string" ? said : undefined;
  return previewSlug(prefix, slug, slugStyle, mark(slug));
};

/** The object of this kind that stands for all of them, where one was named. */
export function placedAt(kind: string): Placed {
  return (id, { named }) => named[kind] ?? id;
}

/** How the prefix stands before a path: as a folder of its own, or with dashes, for sites that allow no folders. */
export type SlugStyle = "path" | "dash";

export const SLUG_STYLES = ["path", "dash"] as const satisfies readonly SlugStyle[];

/** A page at the root of its site has no path to put the prefix before, and the site's root is never taken. */
const ROOT = "index";
const LONGEST_SLUG = 100;
const HASH_LENGTH = 8;

/** Lower-case letters and digits that nobody mistakes for one another: ten of them are 49 bits. */
const LETTERS = "abcdefghjkmnpqrstuvwxyz23456789";
export const TOKEN_LENGTH = 10;

/** What makes a preview's addresses unguessable. */
export function tokenFrom(random: Uint8Array): string {
  return [...random.slice(0, TOKEN_LENGTH)].map((byte) => LETTERS[byte % LETTERS.length] ?? "").join("");
}

/** Before every path and every name of an environment. Nobody else has it, so that it tells whose an object is. */
export function prefixOf(environment: string, token: string): string {
  return `${environment}-${token}`;
}

/** Where a page of the base at `slug` is in the preview; `mark` tells it from another one that would be there, too. */
export function previewSlug(prefix: string, slug: string | undefined, style: SlugStyle, mark?: string): string {
  const said = (slug ?? "").replace(/^\/+|\/+$/g, "");
  const path = said || ROOT;
  // That of the site's root is taken.
  const apart = mark ?? (said.toLowerCase() === ROOT ? digest(said.toLowerCase(), HASH_LENGTH) : undefined);
  const placed = style === "path" ? `${prefix}/${path}` : `${prefix}-${path.replaceAll("/", "-")}`;
  const whole = apart === undefined ? placed : `${placed}-${apart}`;
  if (whole.length <= LONGEST_SLUG) return whole;
  const kept = whole.slice(0, LONGEST_SLUG - HASH_LENGTH - 1).toWellFormed();
  return `${kept.replace(/[-/\ufffd]+$/, "")}-${digest(whole.toLowerCase(), HASH_LENGTH)}`;
}

/** Whether a stack's name is one that an environment gets. */
export function isEnvironmentName(stack: string): boolean {
  return /^(?:pr-[1-9]\d*|br-[a-z0-9][a-z0-9-]*-[0-9a-f]{6})$/.test(stack);
}

const LONGEST_NAME = 50;

/** Whether it can stand before paths. */
export function isPrefixable(environment: string): boolean {
  return environment.length <= LONGEST_NAME && /^[a-z0-9][a-z0-9-]*$/.test(environment);
}

/** Of a stack that is called as people call stacks. */
export function environmentOfStack(stack: string): string {
  if (isPrefixable(stack)) return stack;
  const plain = stack
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/g, "-")
    .replace(/^-+/, "")
    .slice(0, LONGEST_NAME - HASH_LENGTH - 1)
    .replace(/-+$/, "");
  return `${plain || "preview"}-${digest(stack, HASH_LENGTH)}`;
}

export function previewName(prefix: string, name: string): string {
  return `${prefix} ${name}`;
}

/** Whether an object of this name is the environment's own. Services fold and trim names. */
export function isNamedBy(prefix: string, name: string): boolean {
  const folded = name.trim().toLowerCase();
  return folded === prefix || folded.startsWith(`${prefix} `);
}

const PREFIXED = new RegExp(`^((?:pr-\\d+|br-[a-z0-9-]+-[0-9a-f]{6})-[${LETTERS}]{${TOKEN_LENGTH}}) `, "i");

/** The prefix that a name begins with, if it looks like that of an environment. */
export function prefixIn(name: string): string | undefined {
  return PREFIXED.exec(name.trim())?.[1]?.toLowerCase();
}
