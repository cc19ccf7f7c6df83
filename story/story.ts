/** Turns a report into a story, so that all printers tell the same. Pure. */
import { landform } from "../provider/values/command-line.ts";
import { formatPath, nameOf, typeOf } from "../engine/index.ts";
import { definitionOf } from "../provider/kinds/registry.ts";
import { adviceText } from "../stack/advice/next-command.ts";
import { whoMoved } from "../stack/report/drift.ts";
import { shortName } from "../stack/report/steps.ts";
import type { Advice, AlsoLive, Change, Drift, DriftField, Field, GoingOfOthers } from "../stack/report/model.ts";
import type { Finding as Found, HeldBack, RenderedText, Report } from "../stack/report/model.ts";
import { placed } from "../stack/report/model.ts";
import { pathText } from "../stack/report/values.ts";
import { printableValue } from "../stack/report/printable.ts";
import { ATTENTION, markOfChange, sidesOf, type Row, type Story, type Value, type Finding } from "./model.ts";
import { liveFunnelsIn, picturesIn } from "./pictures.ts";
import { sectionsOf } from "./sections.ts";
import { allowText, alsoDeletedText, foreignText, pendingText, reasonText } from "../stack/report/reasons.ts";
import { calledBy, driftState, MOVERS, STATES, titleOf, HELD } from "../stack/report/words.ts";
import { endingOf, engineText, seconds, titleOfStory, verdictOf, isPlanned } from "../stack/report/verdict.ts";
import { listed } from "../provider/values/wording.ts";
import { editText, type ForeignEdit, isWrittenOver, valuesText, WAYS_ON } from "../provider/messages/foreign-edits.ts";
import { dateText, nameText, valueText } from "../stack/report/text.ts";
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
    resources: { id: "changes", title: drift ? "Drift" : "Changes", rows, isFolded: isLong(report) },
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
    values: fields.map((field) => valueOf(field, change)),
    seen: rendered.map((one) => renderedValue(one, fields, held)),
  };
}

/** For a page that is made or taken over, and for its release. */
const STAYS_A_DRAFT = "held back: visitors don't see it";

function valueOf(field: Field, { type, op, held: isRowHeld }: Change): Value {
  const { path, old, new: now, replaces, stays, never, held, writtenIn } = field;
  const isHeld = held === true || (op === "update" && isRowHeld !== undefined);
  const happens = [
    ...(replaces === true
      ? [`${isHeld ? "would replace" : "replaces"} the ${definitionOf(type)?.kind ?? "resource"}`]
      : []),
    ...(isHeld ? [HELD.done] : []),
  ];
  const kept = never === true ? "was never on the page" : "stays as it is: the code no longer sets it";
  return {
    path: formatPath(path),
    short: pathText(path),
    note: stays === true ? kept : happens.join(", ") || undefined,
    replaces: isHeld ? undefined : replaces,
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
    values: drift.fields.map(driftValue),
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
  const drafts = [...(impact?.alsoLive ?? []).map(editsFinding), ...(impact?.alsoGoes ?? []).flatMap(goingFindings)];
  const stops = findings.filter(({ weight, refusedBy }) => weight === "hold" && refusedBy !== undefined);
  return [
    ...failures.map((one): Finding => {
      const { message: text, cause: name, source = "", guide = allowText(one), urn: of, check } = one;
      return { weight: "failure", text, name, guide, of, check, source: text.includes(source) ? undefined : source };
    }),
    ...stopsText(stops),
    // The person who ran it has read this with the plan.
    ...drafts.flatMap((one) => {
      if (isPlanned(report)) return [one];
      return held.some(({ urn }) => urn === one.of) ? [] : [{ ...one, isEarly: true }];
    }),
    ...held.map((one) => heldFinding(one, report)),
  ];
}

function stopsText(stops: readonly Found[]): Finding[] {
  const [first] = stops;
  if (first?.refusedBy === undefined) return [];
  const ways = [...new Set(stops.flatMap(({ allowed }) => allowed ?? []))].join(", ");
  const guide = ways === "" ? undefined : `If you really mean it, allow it: ${ways}`;
  const text = `${landform(first.refusedBy)} will refuse this plan`;
  return [{ weight: "failure", name: "refused", text, items: stops.map(placed), tells: stops, guide }];
}

export function findingsOf(report: Report): Finding[] {
  const { findings, drafts = [] } = report;
  return [
    ...findings
      .filter(({ weight }) => weight === "warn")
      .map((one) => ({ ...warning(one.text), of: one.urn, source: one.source, tells: [one] })),
    ...undoneFindings(report),
    ...pendingFindings(report),
    ...drafts.map((one) => ({
      ...note(`${titleOf(one)} has unpublished edits by somebody else`),
      items: one.edits.map(editText),
    })),
    ...(report.unmanaged ?? []).map(note),
    ...findings
      .filter(({ weight, check }) => weight === "note" && check !== "engine")
      .map((one) => ({ ...note(one.text), of: one.urn, tells: [one], isEarly: one.check === "command" })),
  ];
}

function goingFindings({ edits, published = [], values = [], ...one }: GoingOfOthers): Finding[] {
  const title = titleOf(one);
  const said: [string, string[]][] = [
    [alsoDeletedText(one), edits.map(editText)],
    [
      `Visitors lose texts of ${title}. Somebody published them in the app, and the code doesn't have them`,
      published.map(editText),
    ],
    [`The account loses values of ${title}. Somebody changed them in the app`, values.map(valuesText)],
  ];
  return said.flatMap(([text, items]) => (items.length === 0 ? [] : [{ ...warning(text), items, of: one.urn }]));
}

function editsFinding(one: AlsoLive): Finding {
  const items = one.edits.map(one.noDraft === true ? valuesText : editText);
  return { weight: "warning", ...foreignText(one), items, of: one.urn };
}

function warning(text: string): Finding {
  return { weight: "warning", text };
}

function note(text: string): Finding {
  return { weight: "note", text };
}

function heldFinding({ heldBy, edits, noDraft, goes, stays, ...one }: HeldBack, { command, changes }: Report): Finding {
  const [again, items] = [`run ${command} again`, edits.map(noDraft === true ? valuesText : editText)];
  const held = (text: string): Finding => ({ ...warning(`${titleOf(one)} ${text}`), of: one.urn });
  if (goes === true) {
    const [leaves, are] = stays === true ? ["leave", "stay behind in the old page"] : ["delete", "be deleted with it"];
    return {
      ...held(`is not replaced, because somebody has unpublished edits in the app, which would ${are}`),
      items,
      guide: `Publish or undo the edits in the app, and ${again}. To replace the page and ${leaves} them, use --foreign-edits include.`,
    };
  }
  if (noDraft === true)
    return { ...held("keeps values that somebody has changed since the last run"), items, guide: WAYS_ON };
  if (heldBy !== undefined) {
    const names = heldBy.map(nameText).join(", ");
    const has = heldBy.length === 1 ? "has" : "have";
    return held(`is not published. It goes out together with ${names}, which ${has} somebody's unpublished edits`);
  }
  const change = changes.find(({ urn }) => urn === one.urn);
  const others = hasOthers(change?.fields ?? [], edits) ? "Your other changes are in the draft. " : "";
  const guide = edits.some(isWrittenOver)
    ? `${others}Put the value of the app into the code or the old one back in the app, and ${again}. To write over it, use --foreign-edits include.`
    : `Your changes are in the draft. Publish or undo the edits in the app, and ${again}. To publish everything, use --foreign-edits include.`;
  const why = edits.every(isWrittenOver)
    ? "edited values in the app that the code changes"
    : "unpublished edits in the app";
  return { ...held(`is not published, because somebody has ${why}`), items, guide };
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
  const { id, command, by, at, conflicts, lost, nothingLeft, waiting = [] } = undone;
  const has = waiting.length === 1 ? "has" : "have";
  const left =
    waiting.length === 0
      ? `The state has nothing left of run ${id} to undo.`
      : `This undo of run ${id} is still held back: ${listed(waiting.map(titleOf))} ${has} edits in the app. Run undo again once somebody has published them or taken them back.`;
  const taken = `this undo takes back the changes of run ${id} (${command} by ${by}, ${dateText(at)})`;
  const found = [
    note(nothingLeft === true ? left : taken),
    ...conflicts.map(({ field, why, now, ...one }) => {
      const place = field === undefined ? "" : ` ${nameText(field)}`;
      const value = now === undefined ? "" : `; it is ${valueText(now)} now`;
      return warning(`Undo leaves ${titleOf(one)}${place} alone: ${why}${value}`);
    }),
    ...lost.map((one) => warning(`Undo can't bring back all of ${titleOf(one)}: ${one.text}`)),
  ];
  return found.map((one) => ({ ...one, isEarly: !isPlanned(report) }));
}

function pendingFindings({ pending }: Report): Finding[] {
  return pending.map((one) => {
    const title = titleOf({ type: shortName(typeOf(one.urn)), name: nameOf(one.urn) });
    return note(`an earlier run was interrupted while ${one.operation} ${title}: ${pendingText(one)}`);
  });
}
