/** The rules of a definition for an object that is written down as code. The manifest's export works on any definition. */
import type { LandformApi } from "../api/index.ts";
import type { Json, JsonMap } from "../values/json.ts";

declare const placeholder: unique symbol;

/** Stands for a value that is not there as it is: a reference, a setting, or a value that a person has to fill in. */
export interface Standing {
  readonly [placeholder]: true;
}

export abstract class Placeholder implements Standing {
  declare readonly [placeholder]: true;
}

export type ExportedValue = Json | Standing | ExportedValue[] | { [key: string]: ExportedValue };
export type ExportedInputs = Record<string, ExportedValue>;

/** A comment in the place of something that can't be written as an input. */
export interface Note {
  /** The missing input; absent for a note about the resource as a whole. */
  readonly field?: string;
  readonly text: string;
}

/** An object without `name` and `adoptId`. It has everything that is visible, null and defaults included. */
export interface Exported {
  readonly inputs: ExportedInputs;
  readonly notes: readonly Note[];
}

export interface Exporting {
  readonly key: string;
  /** True if the export leaves out ids of existing objects, to make copies of them. */
  readonly asNew: boolean;
  /** Returns a reference if the object is part of the export, and its id otherwise. `what` is the word of its collection. */
  readonly ref: (what: string, id: string | null) => ExportedValue;
  readonly isExported: (what: string, id: string) => boolean;
  /** Returns a value that a copy needs and the API doesn't show. The export writes it where nothing is declared. */
  readonly standIn: (value: Json) => Standing;
  /** Returns a value of the configuration, for something that only the user can tell. */
  readonly setting: (what: string) => Standing;
  /** Ids of templates that the user has named, by page key. The key "" is for all other pages. */
  readonly templates: ReadonlyMap<string, string>;
}

export interface ExportRules<Row, Details> {
  /** Returns an object as inputs. `shown`: every input that is also an output. Default: `shown`. */
  readonly of?: (row: Row, around: Exporting, shown: ExportedInputs, details: Details) => Exported;
  /** False if an export has it only on request. */
  readonly byDefault?: boolean;
  /** Values that the API never shows, so that no export has them. */
  readonly hidden?: {
    readonly text: string;
    readonly ofCopy?: string;
    /** The text is shown only if this input is absent. */
    readonly unless?: string;
  };
  /** A new object is found by its name, so copies of two objects with one name need two names. */
  readonly nameIsUnique?: boolean;
  readonly leftOut?: (row: Row) => string | undefined;
  /** A further read of each object. The export leaves out an object that is gone meanwhile. */
  readonly details?: {
    readonly plural: string;
    readonly read: (api: LandformApi, row: Row) => Promise<Details>;
  };
  /** Returns the time of its publication. If two have one address, the later one is there. */
  readonly publishedAt?: (row: Row) => string | null;
  /** Tells if a draft that is newer than the public version may be shown. `last`: the answer that the last run got. */
  readonly mayBeDraft?: (row: Row, rows: readonly Row[], last: JsonMap | undefined) => boolean;
  /** Tells if a value needs no mention, since an object has it anyway. Default: the empty text. */
  readonly isDefault?: (field: string, value: unknown) => boolean;
}
