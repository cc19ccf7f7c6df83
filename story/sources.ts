/** Where texts come from, for people. Pure. */
import type { RunStart } from "../stack/history/run-file.ts";
import type { Commit, Undeclared } from "../stack/sources/open.ts";
import type { Finding } from "../stack/sources/find.ts";
import type { RecordedObject } from "../stack/sources/texts.ts";
import type { Canvas } from "./terminal-fields.ts";
import { lookedTexts } from "./mentions.ts";
import { cut, firstLine } from "../stack/report/text.ts";
import { pathText } from "../stack/report/values.ts";

/** What is known of who set it. */
export interface Origin {
  readonly run?: RunStart;
  readonly commit?: Commit;
}

const LONGEST = 160;

export function findingLines(finding: Finding, { run, commit }: Origin, { styles, width }: Canvas): string[] {
  const { kind, place, path, text, shown, objects } = finding;
  const where = place === undefined ? undefined : styles.strong(`${place.name}:${place.line}:${place.column}`);
  const facts = [where, path].filter((one) => one !== undefined).join("  ");
  const hint = kind === "computed" ? ["    the code computes it: no text of the project says it as a whole"] : [];
  return [
    `  ${facts}`,
    `    ${quoted(text, width)}${shown === undefined ? "" : `, shown as ${quoted(shown, width)}`}`,
    ...hint,
    ...objects.map((object) => `    ${objectText(object, styles)}`),
    ...(run === undefined ? [] : [`    last changed by ${runText(run)}`]),
    ...(commit === undefined ? [] : [`    written in commit ${commitText(commit)}`]),
  ];
}

function objectText({ type, name, id, url, editUrl }: RecordedObject, styles: Canvas["styles"]): string {
  const facts = [`${type} ${name}`, id, url && styles.link(url), editUrl && `edit ${styles.link(editUrl)}`];
  return facts.filter((fact) => fact !== undefined && fact !== "").join("  ");
}

function runText({ id, at, by }: RunStart): string {
  return `run ${id} (${[at, by.name, by.commit?.slice(0, 10)].filter(Boolean).join(", ")})`;
}

function commitText({ id, author, date, summary }: Commit): string {
  return `${id} (${date.slice(0, 10)}, ${author}): ${firstLine(summary, 80)}`;
}

export function undeclaredLines({ texts, looks }: Undeclared, { styles, width }: Canvas): string[] {
  const found = texts.map(({ type, name, id, path, text, editUrl }) => {
    const link = editUrl === undefined ? "" : `  edit ${styles.link(editUrl)}`;
    return `  ${type} ${name} ${id}  ${pathText(path)}  ${quoted(text, width)}${link}`;
  });
  return [...found, ...lookedTexts({ looked: [...looks] }).map((line) => `  ${styles.faint(line)}`)];
}

export function quoted(text: string, width: number): string {
  return JSON.stringify(cut(text.replaceAll(/\s+/g, " "), Math.min(LONGEST, Math.max(width - 20, 40))));
}
