/** A text that is to be translated, or has been: what goes out to translators, and comes back. */
import type { Place } from "../source/file.ts";

export interface Unit {
  /** Address of what it is a text of (`pages.offer-de`). */
  readonly of: string;
  /** Content key. */
  readonly key: string;
  readonly source: string;
  /** Undefined where there is none yet. */
  readonly target: string | undefined;
  /** The translation is of an earlier source, or not finished. */
  readonly unfinished: boolean;
  /** Most characters. */
  readonly limit?: number | undefined;
  /** Where visitors see it. */
  readonly address?: string | undefined;
  /** For the translator. */
  readonly note?: string | undefined;
}

/** As it came back. `source` is what was translated, where the file says so. */
export interface ReadUnit {
  readonly of: string;
  readonly key: string;
  readonly source: string | undefined;
  readonly target: string | undefined;
  /** `as-sent`: it went out with that state, and is finished once it says something else. */
  readonly unfinished: boolean | "as-sent";
  readonly place: Place;
}

export interface Languages {
  readonly source: string;
  readonly target: string;
}

export interface CameBack {
  readonly units: readonly ReadUnit[];
  /** As the file says, where it does. */
  readonly language: string | undefined;
}
