/** What a definition says of an object that is written down as code. The manifest's export works on any definition. */
import type { LandformApi } from "../api/index.ts";
import type { Json, JsonMap } from "../values/json.ts";

declare const placeholder: unique symbol;

/** Stands for a value that is not there as it is: a reference, a setting, what a person has to fill in. */
export interface Standing {
  readonly [placeholder]: true;
}

export abstract class Placeholder implements Standing {
  declare readonly [placeholder]: true;
}

export type ExportedValue = Json | Standing | ExportedValue[] | { [key: string]: ExportedValue };
export type ExportedInputs = Record<string, ExportedValue>;

/** Something that can't be written as an input: a comment at its place. */
export interface Note {
  /** The input that is missing; the resource as a whole without it. */
  readonly field?: string;
  readonly text: string;
}

/** Without `name` and `adoptId`. Everything that is visible, null and defaults included. */
export interface Exported {
  readonly inputs: ExportedInputs;
  readonly notes: readonly Note[];
}

/** What is around an object that is written down. */
export interface Exporting {
  /** Its logical key. */
  readonly key: string;
  /** Without ids of existing objects, to make copies of them. */
  readonly asNew: boolean;
  /** A reference where the object is part of the export, otherwise its id. `what` is the word of its collection. */
  readonly ref: (what: string, id: string | null) => ExportedValue;
  readonly isExported: (what: string, id: string) => boolean;
  /** What a copy needs and the API doesn't show: written where nothing is declared. */
  readonly standIn: (value: Json) => Standing;
  /** The same, where only the user can tell: a value of the configuration. */
  readonly setting: (what: string) => Standing;
  /** Ids of templates that the user has named, by page key; under "" of all other pages. */
  readonly templates: ReadonlyMap<string, string>;
}

/** What an export has to know of a kind beyond its inputs and outputs. */
export interface ExportRules<Row, Details> {
  /** An object as inputs. `shown`: every input that is an output, too. Default: these. */
  readonly of?: (row: Row, around: Exporting, shown: ExportedInputs, details: Details) => Exported;
  /** False: only when it is asked for. */
  readonly byDefault?: boolean;
  /** What the API never shows, so that no export has it. */
  readonly hidden?: {
    readonly text: string;
    /** Said of a copy instead. */
    readonly ofCopy?: string;
    /** Said only where this input is not there. */
    readonly unless?: string;
  };
  /** A new one is found by its name, so that copies of two of one name need two. */
  readonly nameIsUnique?: boolean;
  /** Why an object is not written down. */
  readonly leftOut?: (row: Row) => string | undefined;
  /** A further read of each object; one that is gone meanwhile is left out. */
  readonly details?: {
    /** For progress: content maps. */
    readonly plural: string;
    /** Throws where the object is gone. */
    readonly read: (api: LandformApi, row: Row) => Promise<Details>;
  };
  /** When it was published: of two at one address, the later one is there. */
  readonly publishedAt?: (row: Row) => string | null;
  /**
   * Whether what is shown of it may be a draft that is newer than what visitors get. `rows`: all that were listed with it;
   * `last`: what the last run was answered.
   */
  readonly mayBeDraft?: (row: Row, rows: readonly Row[], last: JsonMap | undefined) => boolean;
  /** Values that need no mention, since an object has them anyway. Default: the empty text. */
  readonly isDefault?: (field: string, value: unknown) => boolean;
}
