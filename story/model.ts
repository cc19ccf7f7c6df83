/** A story: all that a person is told of a report, in order, and in no form. Printers know nothing of pages and plans. Pure. */
import type { Json } from "../engine/index.ts";
import type { Advice } from "../stack/report/model.ts";
import type { Ending, Mark } from "../stack/report/words.ts";

export interface Story {
  /** Undefined where it is a part of something. */
  readonly about?: { readonly command: string; readonly project: string; readonly stack: string };
  readonly title: string;
  readonly verdict: Sentence;
  readonly ending: Ending;
  /** The first says what it is about. */
  readonly facts: readonly Sentence[];
  readonly milliseconds: number;
  readonly findings: readonly Finding[];
  /** One row a resource, with its fields. */
  readonly resources: Section;
  readonly sections: readonly Section[];
  readonly advice: readonly Advice[];
}

/** A piece of a sentence. */
type Inline = string | { readonly code: string } | { readonly strong: string } | { readonly link: string };
export type Sentence = string | readonly Inline[];

/** Of a sentence, its words. */
export function plain(sentence: Sentence): string {
  if (typeof sentence === "string") return sentence;
  return sentence.map((part) => (typeof part === "string" ? part : Object.values(part).join(""))).join("");
}

export interface Finding {
  readonly weight: "failure" | "warning" | "note";
  /** One word for programs. */
  readonly name?: string;
  readonly text: Sentence;
  readonly items?: readonly string[];
  /** file:line:column. */
  readonly source?: string | undefined;
  readonly guide?: string | undefined;
  /** Of a resource's row. */
  readonly of?: string | undefined;
  /** People on a terminal were told when the run began. */
  readonly isEarly?: true;
}

export interface Section {
  readonly id: string;
  readonly title: string;
  readonly rows: readonly Row[];
  /** Sentences below the rows. */
  readonly notes?: readonly string[];
  /** Where there is little room, it gets most of it. */
  readonly isMain?: true;
  /** Short words, which stand in one line. */
  readonly isLine?: true;
  /** On a terminal, a plan is told before the run and what came of it after. */
  readonly of?: "plan" | "run";
}

export interface Row {
  readonly mark?: Mark | undefined;
  readonly text: Sentence;
  readonly key?: string;
  readonly id?: string | undefined;
  readonly link?: string | undefined;
  readonly edit?: string | undefined;
  /** How far it came, or how it is. */
  readonly state?: string | undefined;
  readonly notes?: readonly string[];
  readonly values?: readonly Value[];
  /** Of `values`, those that are told better as visitors see them. */
  readonly seen?: readonly Value[];
  readonly rows?: readonly Row[];
  readonly steps?: readonly Step[];
  readonly value?: Json | undefined;
  /** Lines as they are. */
  readonly block?: string;
  /** By the name of a filter. */
  readonly tags?: Readonly<Record<string, readonly string[]>>;
}

/** What such a row is about is its address, and the text stands behind it. */
export function isOfAddress({ mark, link, values }: Row): boolean {
  return mark !== undefined && mark.word !== "" && link !== undefined && values === undefined;
}

/** One after another, they make a flow. */
export interface Step {
  readonly title: string;
  readonly kind: string;
  readonly mark?: Mark | undefined;
}

export interface Value {
  /** Whole, and as it is read. */
  readonly path: string;
  readonly short: string;
  readonly note?: string | undefined;
  /** The note is why the resource is replaced. */
  readonly replaces?: true;
  /** Line of a data file. */
  readonly place?: string | undefined;
  /** From the oldest to the newest; `undefined`: nothing was there. One side alone did not change. */
  readonly sides: readonly Side[];
}

export interface Side {
  /** None of an old and a new value. */
  readonly label?: string;
  readonly value: Json | undefined;
}
