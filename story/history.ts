/** Tells the runs of a stack for people and as JSON. Pure but for the clock that is passed in. */
import type { RunResultWord } from "../stack/history/history.ts";
import { listed } from "../provider/values/wording.ts";
import type { RunRecord, ToldChange } from "../stack/history/run-file.ts";
import { changeRow } from "./story.ts";
import { resourceLines, type Canvas } from "./terminal.ts";
import { dateText, padded, widthOf } from "../stack/report/text.ts";
import { OPS } from "../stack/report/words.ts";
import type { Change, ChangeOp } from "../stack/report/model.ts";

export interface ListedRun {
  readonly record: RunRecord;
  readonly result: RunResultWord;
}

/** A run in the output of `--json`. */
export function jsonRun({ record, result }: ListedRun) {
  const { start, end } = record;
  const changes = changesIn(record);
  return {
    id: start.id,
    command: start.command,
    started: start.at,
    ended: end?.ended ?? null,
    result,
    by: start.by,
    engine: start.engine,
    undoes: start.undoes ?? null,
    counts: countsOf(changes),
    changes,
    urls: urlsOf(changes),
    /** The number of pages that it held back because others work on them. */
    held: end?.held ?? 0,
  };
}

const [MOST_NAMES, MOST_URLS, COMMIT_LENGTH] = [4, 3, 10];

export function renderRuns(runs: readonly ListedRun[], { styles }: Canvas): string {
  const idWidth = Math.max(0, ...runs.map(({ record }) => widthOf(record.start.id)));
  const indent = " ".repeat(idWidth + 4);
  const lines = runs.flatMap(({ record, result }) => {
    const { id, at } = record.start;
    const changes = changesIn(record);
    const facts = [dateText(at), commandText(record), resultText(record, result, styles), who(record)];
    return [
      `  ${[styles.strong(padded(id, idWidth)), ...facts].join("  ")}`,
      `${indent}${countsText(changes, result)}${names(changes)}`,
      ...urlLines(changes).map((line) => `${indent}${styles.link(line)}`),
    ];
  });
  return lines.join("\n");
}

export function renderRun({ record, result }: ListedRun, changes: readonly Change[], canvas: Canvas): string {
  const { styles } = canvas;
  const { start, end } = record;
  const ended = end === undefined ? "" : `, ended ${dateText(end.ended)}`;
  const job = start.by.url === undefined ? [] : [`  ${styles.link(start.by.url)}`];
  return [
    `${styles.strong(`Run ${start.id}`)} of ${start.project}/${start.stack}: ${commandText(record)}, ${result}`,
    `  ${who(record)}, ${dateText(start.at)}${ended}, ${start.engine} engine`,
    ...job,
    ...(changes.length > 0 ? resourceLines(changes.map(changeRow), canvas) : ["", "  No change of this run is known."]),
  ].join("\n");
}

function resultText({ end }: RunRecord, result: RunResultWord, { warn }: Canvas["styles"]): string {
  const { held = 0 } = end ?? {};
  if (held > 0) return warn(`ended with ${held} held back`);
  return result === "succeeded" ? result : warn(result);
}

function commandText({ start: { command, undoes } }: RunRecord): string {
  return undoes === undefined ? command : `${command} of ${undoes}`;
}

function who({ start: { by } }: RunRecord): string {
  const { name, ci, commit } = by;
  const place = ci === undefined || ci === name ? "" : ` (${ci})`;
  return `${name}${place}${commit === undefined ? "" : ` at ${commit.slice(0, COMMIT_LENGTH)}`}`;
}

/** For a run without an end, only its plan is known. */
function changesIn({ start: { planned = [] }, end }: RunRecord): readonly ToldChange[] {
  return end?.changes ?? planned;
}

function countsOf(changes: readonly ToldChange[]): Record<string, number> {
  const counts: Record<string, number> = {};
  for (const { op, status = "done", stays, held } of changes) {
    const done = stays !== undefined ? "left" : held === undefined ? op : "held back";
    const word = status === "done" ? done : status;
    counts[word] = (counts[word] ?? 0) + 1;
  }
  return counts;
}

function countsText(changes: readonly ToldChange[], result: RunResultWord): string {
  const planned = result === "interrupted" || result === "under way";
  const parts = Object.entries(countsOf(changes)).map(([word, count]) => {
    if (word === "left") return `${count} ${planned ? "to leave" : "left"} in the account`;
    const done = word in OPS ? OPS[word as ChangeOp].done : word;
    return planned && word in OPS ? `${count} to ${word}` : `${count} ${done}`;
  });
  return parts.length === 0 ? "no change is known" : parts.join(", ");
}

function names(changes: readonly ToldChange[]): string {
  const all = changes.map(({ type, name }) => `${type} ${name}`);
  return all.length === 0 ? "" : `: ${listed(all, MOST_NAMES)}`;
}

function urlsOf(changes: readonly ToldChange[]): string[] {
  return [...new Set(changes.flatMap(({ url, held }) => (held === "draft" ? [] : (url ?? []))))];
}

function urlLines(changes: readonly ToldChange[]): string[] {
  const urls = urlsOf(changes);
  const more = urls.length - MOST_URLS;
  return [...urls.slice(0, MOST_URLS), ...(more > 0 ? [`and ${more} more addresses`] : [])];
}
