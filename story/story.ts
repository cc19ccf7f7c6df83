/**
 * A report as a story: all that a person is told, in order, and in no form. Printers know nothing of pages and plans, and what one
 * of them tells, all tell. Pure.
 */
import { formatPath, type Json } from "../engine/index.ts";
import { whoMoved } from "../stack/report/drift.ts";
import type { Advice, Change, Drift, DriftField, Field, RenderedText, Report } from "../stack/report/model.ts";
import { findingsOf } from "./findings.ts";
import { Marker } from "./marks.ts";
import { pathText } from "../stack/report/text.ts";
import { printableValue } from "../stack/report/printable.ts";
import { sectionsOf } from "./sections.ts";
import {
  byDanger,
  driftMark,
  endingOf,
  engineText,
  MOVERS,
  OPS,
  reasonText,
  seconds,
  STATES,
  STAYS_AS_IT_IS,
  titleOf,
  titleOfStory,
  verdictOf,
  type Ending,
  type Mark,
} from "../stack/report/words.ts";

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
export type Inline = string | { readonly code: string } | { readonly strong: string } | { readonly link: string };
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

export function storyOf(given: Report): Story {
  const report = printableValue(given);
  const { command, project, stack, drift, changes, durationMs } = report;
  const marker = new Marker(report);
  const rows = drift
    ? drift.map((one) => driftRow(one, marker))
    : byDanger(changes, ({ op }) => op).map((one) => changeRow(one, marker));
  return {
    about: { command, project, stack },
    title: titleOfStory(report),
    verdict: verdictOf(report),
    ending: endingOf(report),
    facts: [[{ code: `${project}/${stack}` }], `landform ${command}`, engineText(report), seconds(durationMs)],
    milliseconds: durationMs,
    findings: findingsOf(report),
    resources: { id: "changes", title: drift ? "Drift" : "Changes", rows },
    sections: sectionsOf(report),
    advice: report.advice ?? [],
  };
}

export function changeRow(change: Change, marker?: Marker): Row {
  const { urn, op, status, id, url, editUrl, reason, fields, rendered = [], stays } = change;
  const told = reason === undefined ? (stays === undefined ? [] : ["stays in the account"]) : [reasonText(reason)];
  return {
    key: urn,
    mark: status === "done" ? { ...OPS[op], word: OPS[op].done } : OPS[op],
    text: titleOf(change),
    id: op === "create" ? undefined : id,
    link: url,
    edit: editUrl,
    state: status && STATES[status],
    notes: told,
    values: fields.map(valueOf),
    seen: rendered.map((one) => renderedValue(one, fields)),
    ...(marker && { tags: marker.of(change, OPS[op].happens) }),
  };
}

function valueOf({ path, old, new: now, replaces, stays, writtenIn }: Field): Value {
  const note = stays === true ? STAYS_AS_IT_IS : replaces === true ? "replaces it" : undefined;
  return {
    path: formatPath(path),
    short: pathText(path),
    note,
    ...(replaces === true && { replaces }),
    place: writtenIn,
    sides: stays === true ? [{ value: old }] : [{ value: old }, { value: now }],
  };
}

function renderedValue({ path, old, new: now }: RenderedText, fields: readonly Field[]): Value {
  const place = fields.find((field) => formatPath(field.path) === formatPath(path))?.writtenIn;
  return { path: formatPath(path), short: pathText(path), place, sides: [{ value: old }, { value: now }] };
}

function driftRow(drift: Drift, marker: Marker): Row {
  const mark = driftMark(drift.kind);
  return {
    key: drift.urn,
    mark,
    text: titleOf(drift),
    id: drift.id,
    state: mark.happens,
    values: drift.fields.map((field) => driftValue(field)),
    tags: marker.of(drift, mark.happens),
  };
}

function driftValue(field: DriftField): Value {
  const { path, lastRun, live, code } = field;
  return {
    path: formatPath(path),
    short: pathText(path),
    note: MOVERS[whoMoved(field)],
    sides: [
      { label: "last run", value: lastRun },
      { label: "live", value: live },
      { label: "code", value: code },
    ],
  };
}
