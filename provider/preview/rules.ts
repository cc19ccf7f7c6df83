/** How a kind takes part in a preview of its program, which touches nothing that isn't its own. */
import type { LandformApi } from "../api/index.ts";
import type { Json } from "../values/json.ts";
import { previewSlug, type SlugStyle } from "./names.ts";

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
