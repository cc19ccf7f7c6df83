/** A report as a story: what one printer of it tells, all tell. Pure. */
import { formatPath } from "../engine/index.ts";
import { whoMoved } from "../stack/report/drift.ts";
import type { Change, Drift, DriftField, Field, RenderedText, Report } from "../stack/report/model.ts";
import { findingsOf } from "./findings.ts";
import { pathText } from "../stack/report/values.ts";
import { printableValue } from "../stack/report/printable.ts";
import type { Row, Story, Value } from "./model.ts";
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
} from "../stack/report/words.ts";

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

/** By which words a change is found among many: its kind, its site, the funnels that it is part of, and what happens to it. */
class Marker {
  readonly #hosts = new Map<string, Set<string>>();
  readonly #funnels = new Map<string, string[]>();

  constructor({ impact }: Report) {
    for (const { page, url } of impact?.urls ?? []) this.#note(page, url);
    for (const { urn, name, steps = [] } of impact?.funnels ?? []) {
      for (const member of new Set([urn, ...steps.map((step) => step.urn)]))
        if (member !== undefined) this.#funnels.set(member, [...(this.#funnels.get(member) ?? []), name]);
    }
  }

  of(
    { urn, type, name, url }: { urn: string; type: string; name: string; url?: string },
    happens: string,
  ): Readonly<Record<string, readonly string[]>> {
    this.#note(name, url);
    return {
      Kind: [type],
      "What happens": [happens],
      Site: [...(this.#hosts.get(name) ?? [])],
      Funnel: this.#funnels.get(urn) ?? [],
    };
  }

  #note(name: string, url: string | undefined): void {
    const host = url === undefined ? undefined : URL.parse(url)?.host;
    if (host === undefined || host === "") return;
    this.#hosts.set(name, (this.#hosts.get(name) ?? new Set<string>()).add(host));
  }
}
