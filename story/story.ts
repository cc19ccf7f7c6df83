/** Turns a report into a story, so that all printers tell the same. Pure. */
import { formatPath } from "../engine/index.ts";
import { whoMoved } from "../stack/report/drift.ts";
import type { Change, Drift, DriftField, Field, RenderedText, Report, Impact } from "../stack/report/model.ts";
import { pathText } from "../stack/report/values.ts";
import { printableValue } from "../stack/report/printable.ts";
import type { Row, Story, Value, Finding } from "./model.ts";
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
  goingLiveText,
  pendingText,
  isPlanned,
} from "../stack/report/words.ts";
import { editsText, editText, isWrittenOver, valuesText, WAYS_ON } from "../provider/messages/foreign-edits.ts";
import { isSeen, outcomeText } from "../provider/seen/seen-live.ts";
import type { AlsoLive, DraftOfOthers, HeldBack } from "../stack/report/going-live.ts";
import { nameText } from "../stack/report/text.ts";
import { valueText } from "../stack/report/short-values.ts";

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
  const mark = driftMark(drift);
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

/** Marks a change with the words that find it among many: its kind, its site, its funnels, and its operation. */
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

export function findingsOf(report: Report): Finding[] {
  const { failures, findings, impact, held = [], public: visited = [], drafts = [] } = report;
  return [
    ...failures.map(({ message, cause, source, guide, urn }) =>
      failed(message, { name: cause, source, guide, of: urn }),
    ),
    ...findings.flatMap(({ weight, text, about: { urn, place } = {} }) =>
      weight === "warn" ? [{ ...warning(text), of: urn, source: place }] : [],
    ),
    // The person who ran it has read this with the plan.
    ...draftFindings(impact).flatMap((one) => {
      if (isPlanned(report)) return [one];
      return held.some(({ urn }) => urn === one.of) ? [] : [{ ...one, isEarly: true as const }];
    }),
    ...held.map((one) => ({ ...warning(heldText(one)), of: one.urn })),
    ...visited.flatMap((one) =>
      isSeen(one)
        ? []
        : [warning([`${titleOf(one)}: ${outcomeText(one)}`, ...(one.url === "" ? [] : ["  ", { link: one.url }])])],
    ),
    ...undoneFindings(report),
    ...pendingFindings(report),
    ...drafts.map((one) => ({
      ...note(`${titleOf(one)} has a draft with edits of others, which no publication has brought out yet`),
      items: one.edits.map(editText),
    })),
    ...(report.unmanaged ?? []).map(note),
    ...findings.flatMap(({ weight, text }) => (weight === "note" ? [{ ...note(text), isEarly: true as const }] : [])),
  ];
}

/** Findings about edits of others in drafts that a plan publishes, writes over or deletes. */
function draftFindings({ alsoLive = [], alsoGoes = [] }: Partial<Impact> = {}): Finding[] {
  const alongText = (one: AlsoLive): string =>
    one.asItIs === true
      ? `${titleOf(one)} is taken over as it is published, and someone else's unpublished edits stay in its draft`
      : `Somebody's unpublished edits would also go live with ${titleOf(one)} (${goingLiveText(one)})`;
  const overText = (one: AlsoLive): string =>
    one.noDraft === true
      ? `Changed by somebody else since the last run: ${titleOf(one)} (${goingLiveText(one)})`
      : `This would write over somebody's edits of ${titleOf(one)} (${goingLiveText(one)})`;
  const goesText = (one: DraftOfOthers): string =>
    `Also deleted in the draft of ${titleOf(one)}, and not public (undo brings back its texts)`;
  return [
    ...alsoLive.flatMap((one) => along(one).map((edited) => about(alongText(edited), edited))),
    ...alsoLive.flatMap((one) => over(one).map((edited) => about(overText(edited), edited))),
    ...alsoGoes.map((one) => about(goesText(one), one)),
  ];
}

function along(one: AlsoLive): AlsoLive[] {
  const edits = one.edits.filter((edit) => !isWrittenOver(edit));
  return edits.length === 0 ? [] : [{ ...one, edits }];
}

function over(one: AlsoLive): AlsoLive[] {
  const edits = one.edits.filter(isWrittenOver);
  return edits.length === 0 ? [] : [{ ...one, edits }];
}

function failed(text: string, more: Pick<Finding, "name" | "source" | "guide" | "of">): Finding {
  const { source, ...rest } = more;
  return { weight: "failure", text, ...rest, ...(source !== undefined && !text.includes(source) && { source }) };
}

function warning(text: Finding["text"]): Finding {
  return { weight: "warning", text };
}

function note(text: string): Finding {
  return { weight: "note", text };
}

function about(text: string, { urn, edits, noDraft }: DraftOfOthers & Pick<AlsoLive, "noDraft">): Finding {
  return { ...warning(text), items: edits.map(noDraft === true ? valuesText : editText), of: urn };
}

function heldText({ heldBy, edits, noDraft, ...one }: HeldBack): string {
  if (noDraft === true)
    return `${titleOf(one)} keeps values that somebody has changed since the last run: ${edits.map(valuesText).join("; ")}. ${WAYS_ON}`;
  if (heldBy === undefined)
    return `${titleOf(one)} is not published: its draft has someone else's unpublished edits: ${editsText(edits)}`;
  const names = heldBy.map(nameText).join(", ");
  return `${titleOf(one)} is not published: ${names}, in the same release, ${heldBy.length === 1 ? "has" : "have"} someone else's unpublished edits`;
}

function undoneFindings({ undone }: Report): Finding[] {
  if (undone === undefined) return [];
  const { id, command, by, at, conflicts, lost, nothingLeft } = undone;
  const when = `${at.slice(0, 16).replace("T", " ")} UTC`;
  return [
    note(
      nothingLeft === true
        ? `There is nothing left of run ${id} to undo.`
        : `this takes back the changes of run ${id} (${command} by ${by}, ${when})`,
    ),
    ...conflicts.map(({ field, why, now, ...one }) => {
      const place = field === undefined ? "" : ` ${nameText(field)}`;
      const value = now === undefined ? "" : `; it is ${valueText(now)} now`;
      return warning(`Changed since, left alone: ${titleOf(one)}${place}: ${why}${value}`);
    }),
    ...lost.map((one) => warning(`Can't come back: ${titleOf(one)}: ${one.text}`)),
  ];
}

function pendingFindings({ pending }: Report): Finding[] {
  return pending.map((one) => note(`interrupted earlier: ${one.operation} ${nameText(one.urn)}: ${pendingText(one)}`));
}
