/** A story: everything that a person is told about a report, in order and without a form. Printers know nothing about pages and plans. Pure. */
import type { Json } from "../engine/index.ts";
import type { Advice, Change, Finding as Found } from "../stack/report/model.ts";
import type { Ending } from "../stack/report/verdict.ts";
import { apartSecrets } from "../stack/report/text.ts";
import { type Mark, markOf, type Sign } from "../stack/report/words.ts";

export interface Story {
  /** Undefined if the story is a part of another text. */
  readonly about?: { readonly command: string; readonly project: string; readonly stack: string };
  readonly title: string;
  readonly verdict: Sentence;
  readonly ending: Ending;
  /** The first fact says what the story is about. */
  readonly facts: readonly Sentence[];
  readonly milliseconds: number;
  /** Told before the changes: what stops the run, and what it holds back. */
  readonly urgent: readonly Finding[];
  /** The changes as people approve them: losses, prices, texts. */
  readonly summary: readonly Section[];
  readonly findings: readonly Finding[];
  /** One row for each resource, with its fields. */
  readonly resources: Section;
  readonly sections: readonly Section[];
  readonly advice: readonly Advice[];
}

type Inline = string | { readonly code: string } | { readonly strong: string } | { readonly link: string };
export type Sentence = string | readonly Inline[];

/** `index`: the place of the words in the sentence. */
type Forms<Out> = Readonly<Record<"text" | "code" | "strong" | "link", (words: string, index: number) => Out>>;

/** Returns the parts of a sentence, each in the form of a printer. */
export function partsOf<Out>(sentence: Sentence, forms: Forms<Out>): Out[] {
  return (typeof sentence === "string" ? [sentence] : sentence).map((part, index) => {
    if (typeof part === "string") return forms.text(part, index);
    if ("code" in part) return forms.code(part.code, index);
    return "link" in part ? forms.link(part.link, index) : forms.strong(part.strong, index);
  });
}

const asIs = (words: string): string => words;
export const PLAIN: Forms<string> = { text: asIs, code: asIs, strong: asIs, link: asIs };

export function plain(sentence: Sentence): string {
  return partsOf(sentence, PLAIN).join("");
}

export interface Finding {
  readonly weight: "failure" | "warning" | "note";
  /** One word, for programs. */
  readonly name?: string;
  readonly text: string;
  readonly items?: readonly string[];
  /** file:line:column. */
  readonly source?: string | undefined;
  readonly guide?: string | undefined;
  readonly of?: string | undefined;
  /** The check that refuses the plan. */
  readonly check?: string | undefined;
  readonly tells?: readonly Found[];
  /** True if people on a terminal were told when the run began. */
  readonly isEarly?: boolean;
}

/** The lines of a finding, its items behind a bullet. */
export function linesOf({ text, items = [], source, guide }: Finding, bullet: string): string[] {
  const title = `${source === undefined ? "" : `${source}: `}${text}${items.length === 0 ? "" : ":"}`;
  return [title, ...items.map((item) => `${bullet} ${item}`), ...(guide === undefined ? [] : [guide])];
}

export interface Section {
  readonly id: string;
  readonly title: string;
  readonly rows: readonly Row[];
  readonly notes?: readonly string[];
  /** True if it gets most of the room where there is little. */
  readonly isMain?: true;
  /** True if its short words stand in one line. */
  readonly isLine?: true;
  /** True if its rows are also told one by one elsewhere, so that the first ones are enough. */
  readonly isSummary?: true;
  /** True if a comment folds its rows. The resources' fold has all other sections, too. */
  readonly isFolded?: boolean;
  /** On a terminal, a plan is told before the run and its result after it. */
  readonly of?: "plan" | "run";
}

/** A sign with the word that all printers say. Without one, the row's state says it. */
export interface RowMark extends Sign {
  readonly word: string | undefined;
}

export const SEEN: RowMark = { tone: "good", sign: "✓", word: undefined };
export const ATTENTION: RowMark = { tone: "warn", sign: "!", word: undefined };

/** `visitors`: for an address or a step of a funnel. */
export function marked({ tone, sign, loses, ...words }: Mark, when: "plan" | "done" | "visitors"): RowMark {
  return { tone, sign, word: words[when], ...(loses && { loses }) };
}

export function markOfChange(change: Change): RowMark {
  return marked(markOf(change), change.status === "done" ? "done" : "plan");
}

export interface Row {
  readonly mark?: RowMark | undefined;
  readonly text: Sentence;
  /** The name that people know a resource by. The comment and the HTML say it first. */
  readonly called?: string | undefined;
  readonly key?: string;
  readonly id?: string | undefined;
  readonly link?: string | undefined;
  readonly edit?: string | undefined;
  /** The progress of the change, or its condition. */
  readonly state?: string | undefined;
  readonly notes?: readonly string[];
  readonly values?: readonly Value[];
  /** The entries of `values` that are told better as visitors see them. */
  readonly seen?: readonly Value[];
  readonly steps?: readonly Step[] | undefined;
  readonly value?: Json | undefined;
  readonly pictures?: readonly Picture[];
  /** As for an image. */
  readonly fold?: string | undefined;
  /** A picture that a code host keeps. Only its comments show it. */
  readonly image?: Image | undefined;
}

export interface Image {
  readonly url: string;
  /** The words under which a tall picture is folded, so that it does not bury the others. */
  readonly fold?: string | undefined;
  /** Its content in words. */
  readonly alt: string;
}

/** PNG in base64, before and after, or alone. */
export interface Picture {
  readonly label: string;
  readonly png: string;
  readonly width: number;
  readonly height: number;
}

/** Tells if a row is about its address. Its text stands after the address. */
export function isOfAddress({ mark, link, values }: Row): boolean {
  return mark?.word !== undefined && link !== undefined && values === undefined;
}

export interface Step {
  readonly title: string;
  readonly kind: string;
  readonly mark?: RowMark | undefined;
}

export interface Value {
  /** The whole path, shortened for readers. */
  readonly path: string;
  readonly short: string;
  readonly note?: string | undefined;
  /** True if the note is the reason why the resource is replaced. */
  readonly replaces?: true | undefined;
  /** The line of a data file. */
  readonly place?: string | undefined;
  /** From the oldest to the newest; `undefined` means that there was none. A single side did not change. */
  readonly sides: readonly Side[];
}

export function sidesOf(old: Json | undefined, now: Json | undefined): Side[] {
  return apartSecrets(old, now).map((value) => ({ value }));
}

export interface Side {
  /** Absent for an old and a new value. */
  readonly label?: string;
  readonly value: Json | undefined;
}
