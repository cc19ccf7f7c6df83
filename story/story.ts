/** Turns a report into a story, so that all printers tell the same. Pure. */
import { landform } from "../provider/values/command-line.ts";
import { formatPath } from "../engine/index.ts";
import { definitionOf } from "../provider/kinds/registry.ts";
import { adviceText } from "../stack/advice/next-command.ts";
import { whoMoved } from "../stack/report/drift.ts";
import { nameOf, typeOf } from "../engine/index.ts";
import { shortName } from "../stack/report/steps.ts";
import {
  placed,
  type Advice,
  type Change,
  type Drift,
  type DriftField,
  type Field,
  type Finding as Found,
  type Impact,
  type RenderedText,
  type Report,
  type AlsoLive,
  type GoingOfOthers,
  type HeldBack,
} from "../stack/report/model.ts";
import { pathText } from "../stack/report/values.ts";
import { printableValue } from "../stack/report/printable.ts";
import { ATTENTION, markOfChange, sidesOf, type Row, type Story, type Value, type Finding } from "./model.ts";
import { liveFunnelsIn } from "./live-funnels.ts";
import { picturesIn } from "./pictures.ts";
import { sectionsOf } from "./sections.ts";
import {
  allowText,
  reasonText,
  STAYS_A_DRAFT,
  STAYS_AS_IT_IS,
  WAS_NEVER_THERE,
  alsoDeletedText,
  foreignText,
  pendingText,
} from "../stack/report/reasons.ts";
import { calledBy, driftState, MOVERS, STATES, titleOf, HELD } from "../stack/report/words.ts";
import { endingOf, engineText, seconds, titleOfStory, verdictOf, isPlanned } from "../stack/report/verdict.ts";
import { listed } from "../provider/values/wording.ts";
import { editText, type ForeignEdit, isWrittenOver, valuesText, WAYS_ON } from "../provider/messages/foreign-edits.ts";
import { nameText, valueText } from "../stack/report/text.ts";
import { editsFirst, forPeople, isLong, placeText, summaryOf } from "./summary.ts";

export function storyOf(given: Report): Story {
  const report = printableValue(given);
  const { command, project, stack, drift, changes, durationMs, pictures, funnels } = report;
  const rows = drift ? editsFirst(drift).map(driftRow) : forPeople(changes).map(changeRow);
  return {
    about: { command, project, stack },
    title: titleOfStory(report),
    verdict: verdictOf(report),
    ending: endingOf(report),
    facts: [
      [{ code: [project, stack].filter((name) => name !== "").join("/") }],
      `landform ${command}`,
      engineText(report),
      seconds(durationMs),
    ].filter((fact) => fact !== ""),
    milliseconds: durationMs,
    urgent: urgentIn(report),
    summary: [
      ...(pictures === undefined ? [] : [picturesIn(pictures)]),
      ...(funnels === undefined ? [] : [liveFunnelsIn(funnels)]),
      ...summaryOf(report),
    ],
    findings: findingsOf(report),
    resources: { id: "changes", title: drift ? "Drift" : "Changes", rows, ...(isLong(report) && { isFolded: true }) },
    sections: sectionsOf(report),
    advice: adviceOf(report),
  };
}

/** Returns each command once that somebody may want to run next. */
function adviceOf({ failures, findings, advice = [] }: Report): Advice[] {
  const all = [...[...failures, ...findings].flatMap((one) => one.advice ?? []), ...advice];
  return [...new Map(all.map((one) => [adviceText(one), one])).values()];
}

export function changeRow(change: Change): Row {
  const { urn, op, status, id, url, editUrl, reason, fields, rendered = [], stays, held } = change;
  const why = reason === undefined ? (stays === undefined ? [] : ["stays in the account"]) : [reasonText(reason)];
  return {
    key: urn,
    mark: markOfChange(change),
    text: titleOf(change),
    called: change.title === undefined ? undefined : calledBy(change),
    id: op === "create" ? undefined : id,
    link: url,
    edit: editUrl,
    state: status && STATES[status],
    // The mark of an update says that it is held back. Another one happens, but visitors don't see it.
    notes: [...why, ...(held === "draft" && op !== "update" ? [STAYS_A_DRAFT] : [])],
    values: fields.map((field) => valueOf(field, kindOf(change), op === "update" && held !== undefined)),
    seen: rendered.map((one) => renderedValue(one, fields, held)),
  };
}

function kindOf({ type }: Change): string {
  return definitionOf(type)?.kind ?? "resource";
}

function valueOf(field: Field, kind: string, isRowHeld: boolean): Value {
  const { path, old, new: now, replaces, stays, never, held, writtenIn } = field;
  const kept = never === true ? WAS_NEVER_THERE : STAYS_AS_IT_IS;
  const isHeld = held === true || isRowHeld;
  const happens = [
    ...(replaces === true ? [`${isHeld ? "would replace" : "replaces"} the ${kind}`] : []),
    ...(isHeld ? [HELD.done] : []),
  ].join(", ");
  const note = stays === true ? kept : happens || undefined;
  return {
    path: formatPath(path),
    short: pathText(path),
    note,
    ...(replaces === true && !isHeld && { replaces }),
    place: placeText(writtenIn),
    sides: stays === true ? [{ value: old }] : sidesOf(old, now),
  };
}

function renderedValue({ path, old, new: now }: RenderedText, fields: readonly Field[], held: Change["held"]): Value {
  const place = placeText(fields.find((field) => formatPath(field.path) === formatPath(path))?.writtenIn);
  return {
    ...{ path: formatPath(path), short: pathText(path), place, sides: sidesOf(old, now) },
    note: held && HELD.done,
  };
}

function driftRow(drift: Drift): Row {
  return {
    key: drift.urn,
    mark: ATTENTION,
    text: titleOf(drift),
    id: drift.id,
    state: driftState(drift),
    values: drift.fields.map((field) => driftValue(field)),
  };
}

function driftValue(field: DriftField): Value {
  const { path, lastRun, live, code, unread, unpublished } = field;
  return {
    path: formatPath(path),
    short: pathText(path),
    note: `${MOVERS[whoMoved(field)]}${unpublished === true ? " (in a draft: visitors don't see it yet)" : ""}`,
    sides: [
      { label: "last run", value: lastRun },
      { label: unpublished === true ? "draft" : "in the app", value: live },
      ...(unread === true ? [] : [{ label: "code", value: code }]),
    ],
  };
}

/** Returns what stops the run, and what it holds back or takes along of somebody else. */
function urgentIn(report: Report): Finding[] {
  const { failures, findings, impact, held = [] } = report;
  const stops = findings.filter(({ weight, refusedBy }) => weight === "hold" && refusedBy !== undefined);
  return [
    ...failures.map((one) => {
      const { message, cause, source, guide = allowText(one), urn, check } = one;
      return failed(message, { name: cause, source, guide, of: urn, check });
    }),
    ...stopsText(stops),
    // The person who ran it has read this with the plan.
    ...draftFindings(impact).flatMap((one) => {
      if (isPlanned(report)) return [one];
      return held.some(({ urn }) => urn === one.of) ? [] : [{ ...one, isEarly: true as const }];
    }),
    ...held.map((one) => heldFinding(one, report)),
  ];
}

function stopsText(stops: readonly Found[]): Finding[] {
  const [first] = stops;
  if (first?.refusedBy === undefined) return [];
  const ways = [...new Set(stops.flatMap(({ allowed }) => allowed ?? []))];
  return [
    {
      weight: "failure",
      name: "refused",
      text: `${landform(first.refusedBy)} will refuse this plan`,
      items: stops.map(placed),
      tells: stops,
      ...(ways.length > 0 && { guide: `If you really mean it, allow it: ${ways.join(", ")}` }),
    },
  ];
}

export function findingsOf(report: Report): Finding[] {
  const { findings, drafts = [] } = report;
  return [
    ...findings.flatMap((one) =>
      one.weight === "warn" ? [{ ...warning(one.text), of: one.urn, source: one.source, tells: [one] }] : [],
    ),
    ...undoneFindings(report),
    ...pendingFindings(report),
    ...drafts.map((one) => ({
      ...note(`${titleOf(one)} has unpublished edits by somebody else`),
      items: one.edits.map(editText),
    })),
    ...(report.unmanaged ?? []).map(note),
    ...findings.flatMap((one) =>
      one.weight === "note" && one.check !== "engine"
        ? [{ ...note(one.text), of: one.urn, tells: [one], ...(one.check === "command" && { isEarly: true as const }) }]
        : [],
    ),
  ];
}

/** Findings about edits of others in drafts that a plan publishes, writes over or deletes. */
function draftFindings({ alsoLive = [], alsoGoes = [] }: Partial<Impact> = {}): Finding[] {
  return [...alsoLive.map(editsFinding), ...alsoGoes.flatMap(goingFindings)];
}

function goingFindings({ edits, published = [], values = [], ...one }: GoingOfOthers): Finding[] {
  const texts = `Visitors lose texts of ${titleOf(one)}. Somebody published them in the app, and the code doesn't have them`;
  const said = [
    { text: alsoDeletedText(one), items: edits.map(editText) },
    { text: texts, items: published.map(editText) },
    {
      text: `The account loses values of ${titleOf(one)}. Somebody changed them in the app`,
      items: values.map(valuesText),
    },
  ];
  return said.flatMap(({ text, items }) => (items.length === 0 ? [] : [{ ...warning(text), items, of: one.urn }]));
}

function editsFinding(one: AlsoLive): Finding {
  const { text, guide } = foreignText(one);
  return {
    ...warning(text),
    items: one.edits.map(one.noDraft === true ? valuesText : editText),
    ...(guide !== undefined && { guide }),
    of: one.urn,
  };
}

function failed(text: string, more: Pick<Finding, "name" | "source" | "guide" | "of" | "check">): Finding {
  const { source, ...rest } = more;
  return { weight: "failure", text, ...rest, ...(source !== undefined && !text.includes(source) && { source }) };
}

function warning(text: Finding["text"]): Finding {
  return { weight: "warning", text };
}

function note(text: string): Finding {
  return { weight: "note", text };
}

function heldFinding({ heldBy, edits, noDraft, goes, stays, ...one }: HeldBack, { command, changes }: Report): Finding {
  const again = `run ${command} again`;
  if (goes === true)
    return {
      ...warning(
        `${titleOf(one)} is not replaced, because somebody has unpublished edits in the app, which would ${stays === true ? "stay behind in the old page" : "be deleted with it"}`,
      ),
      ...{ items: edits.map(editText), of: one.urn },
      guide: `Publish or undo the edits in the app, and ${again}. To replace the page and ${stays === true ? "leave" : "delete"} them, use --foreign-edits include.`,
    };
  if (noDraft === true)
    return {
      ...warning(`${titleOf(one)} keeps values that somebody has changed since the last run`),
      ...{ items: edits.map(valuesText), guide: WAYS_ON, of: one.urn },
    };
  if (heldBy !== undefined) {
    const names = heldBy.map(nameText).join(", ");
    const has = heldBy.length === 1 ? "has" : "have";
    return {
      ...warning(
        `${titleOf(one)} is not published. It goes out together with ${names}, which ${has} somebody's unpublished edits`,
      ),
      of: one.urn,
    };
  }
  const change = changes.find(({ urn }) => urn === one.urn);
  const others = hasOthers(change?.fields ?? [], edits) ? "Your other changes are in the draft. " : "";
  const guide = edits.some(isWrittenOver)
    ? `${others}Put the value of the app into the code or the old one back in the app, and ${again}. To write over it, use --foreign-edits include.`
    : `Your changes are in the draft. Publish or undo the edits in the app, and ${again}. To publish everything, use --foreign-edits include.`;
  const why = edits.every(isWrittenOver)
    ? "edited values in the app that the code changes"
    : "unpublished edits in the app";
  return {
    ...warning(`${titleOf(one)} is not published, because somebody has ${why}`),
    ...{ items: edits.map(editText), guide, of: one.urn },
  };
}

/** Tells if a draft got something of the code beside what somebody else has changed. An address is no part of a draft. */
function hasOthers(fields: readonly Field[], edits: readonly ForeignEdit[]): boolean {
  const over = new Set(
    edits.flatMap((edit) => ("at" in edit && edit.at !== undefined ? [formatPath([...edit.at])] : [])),
  );
  return fields.some(({ path, stays }) => stays !== true && path[0] !== "publish" && !over.has(formatPath(path)));
}

/** The person who ran it has read this with the plan. */
function undoneFindings(report: Report): Finding[] {
  const { undone } = report;
  if (undone === undefined) return [];
  const isEarly = !isPlanned(report) && { isEarly: true as const };
  const { id, command, by, at, conflicts, lost, nothingLeft, waiting = [] } = undone;
  const when = `${at.slice(0, 16).replace("T", " ")} UTC`;
  const found = [
    note(
      nothingLeft === true
        ? waiting.length === 0
          ? `The state has nothing left of run ${id} to undo.`
          : `This undo of run ${id} is still held back: ${listed(waiting.map(titleOf))} ${waiting.length === 1 ? "has" : "have"} edits in the app. Run undo again once somebody has published them or taken them back.`
        : `this undo takes back the changes of run ${id} (${command} by ${by}, ${when})`,
    ),
    ...conflicts.map(({ field, why, now, ...one }) => {
      const place = field === undefined ? "" : ` ${nameText(field)}`;
      const value = now === undefined ? "" : `; it is ${valueText(now)} now`;
      return warning(`Undo leaves ${titleOf(one)}${place} alone: ${why}${value}`);
    }),
    ...lost.map((one) => warning(`Undo can't bring back all of ${titleOf(one)}: ${one.text}`)),
  ];
  return found.map((one) => ({ ...one, ...isEarly }));
}

function pendingFindings({ pending }: Report): Finding[] {
  return pending.map((one) =>
    note(
      `an earlier run was interrupted while ${one.operation} ${titleOf({ type: shortName(typeOf(one.urn)), name: nameOf(one.urn) })}: ${pendingText(one)}`,
    ),
  );
}
