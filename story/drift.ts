/** Drift for people: what the last run left, what is live, and what the code says. Pure. */
import { editText } from "../provider/messages/foreign-edits.ts";
import { whoMoved } from "../stack/report/drift.ts";
import type { DraftOfOthers } from "../stack/report/going-live.ts";
import type { Drift, DriftField, Report } from "../stack/report/model.ts";
import type { Canvas } from "./canvas.ts";
import { printableValue } from "./printable.ts";
import { valueText } from "./values.ts";
import { publicLines } from "./seen.ts";
import { driftedText, engineText, seconds, titleOf } from "./words.ts";
import { pathText } from "./path-text.ts";

/** `advised`: the commands in a text as they mean the same run. */
export function renderDrift(given: Report, canvas: Canvas, advised = (text: string): string => text): string {
  const { styles } = canvas;
  const report = printableValue(given);
  const drift = report.drift ?? [];
  const head = styles.strong(`Drift of ${report.project}/${report.stack}`);
  const facts = styles.faint(`· ${engineText(report)} · ${seconds(report.durationMs)}`);
  const verdict =
    drift.length === 0
      ? `${styles.strong("no drift:")} what exists is what the last run left and what the code says`
      : styles.strong(driftedText(drift.length));
  const advice =
    drift.length === 0 ? [] : [styles.faint(advised("npx landform up --refresh puts back what the code says."))];
  const news = (report.drafts ?? []).flatMap((one) => ["", ...draftLines(one, canvas)]);
  const found = drift.flatMap((one) => ["", ...driftLines(one, canvas)]);
  return [
    head,
    ...found,
    ...news,
    ...undeclaredLines(report, canvas),
    ...publicLines(report, canvas),
    "",
    `${verdict} ${facts}`,
    ...advice,
  ].join("\n");
}

/** No drift: what is public is as it was left. */
function draftLines(draft: DraftOfOthers, { styles }: Canvas): string[] {
  return [
    `  ${styles.strong(titleOf(draft))} has a draft with edits of others, which no publication has brought out yet:`,
    ...draft.edits.map((edit) => `      ${editText(edit)}`),
  ];
}

/** News, too: an account may hold what is none of a stack's business. */
function undeclaredLines({ undeclared }: Report, { styles }: Canvas): string[] {
  if (undeclared === undefined) return [];
  if (undeclared.length === 0) return ["", "Everything that was looked at is declared."];
  const entries = undeclared.flatMap(({ type, name, id, entry, files }) => [
    "",
    `  ${styles.strong(`${type} ${JSON.stringify(name)}`)}  ${styles.faint(id)}`,
    ...entry
      .trimEnd()
      .split("\n")
      .map((line) => `      ${line}`),
    ...Object.keys(files).map((file) =>
      styles.faint(`      (${file}: its text is in the JSON report, and npx landform export writes it)`),
    ),
  ]);
  const count = `${undeclared.length} object${undeclared.length === 1 ? "" : "s"}`;
  return ["", `${count} of the account that nobody declares. Each with the entry that takes it over:`, ...entries];
}

const KINDS: Record<Drift["kind"], string> = {
  changed: "was changed outside",
  gone: "no longer exists",
  unsettled: "is not what the code says (no run has applied it yet)",
  absent: "is declared, and not in the state (no run has made it)",
  undeclared: "is in the state, and no longer declared",
  unfinished: "was left unfinished by an earlier run: not all that the code says is done",
};

function driftLines(drift: Drift, canvas: Canvas): string[] {
  const { styles } = canvas;
  const id = drift.id === undefined ? "" : styles.faint(`  ${drift.id}`);
  const title = `  ${styles.warn("!")} ${styles.strong(titleOf(drift))}${id}  ${KINDS[drift.kind]}`;
  return [title, ...drift.fields.flatMap((field) => fieldLines(field, drift.kind, canvas))];
}

const MOVERS = {
  app: "edited in the app",
  code: "changed in the code",
  both: "edited in the app, and changed in the code",
} as const;

function fieldLines(field: DriftField, kind: Drift["kind"], { styles, width, full = false }: Canvas): string[] {
  const { path, lastRun, live, code } = field;
  const room = full ? Number.MAX_SAFE_INTEGER : Math.max(width - 22, 24);
  const line = (name: string, text: string) => `        ${name.padEnd(9)} ${text}`;
  const show = (value: DriftField["live"]) => (value === undefined ? "(none)" : valueText(value, room));
  const told = kind === "changed" ? [line("last run", styles.faint(show(lastRun)))] : [];
  return [
    `      ${pathText(path)}  ${styles.faint(MOVERS[whoMoved(field)])}`,
    ...told,
    line("live", styles.remove(show(live))),
    line("code", styles.add(show(code))),
  ];
}
