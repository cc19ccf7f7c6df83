/** Words the result of a matching. Pure. */
import type { Declared, LeftEntry, Match, Matching } from "../manifest/index.ts";
import { definitionOf } from "../provider/kinds/registry.ts";
import type { Advised } from "../stack/advice/next-command.ts";
import type { Styles } from "./print.ts";
import type { RunStart } from "../stack/history/run-file.ts";
import type { Commit, Undeclared } from "../stack/sources/open.ts";
import type { Finding } from "../stack/sources/find.ts";
import type { RecordedObject } from "../stack/sources/texts.ts";
import type { Canvas } from "./terminal-fields.ts";
import { lookedTexts } from "./sections.ts";
import { cut, firstLine } from "../stack/report/text.ts";
import { pathText } from "../stack/report/values.ts";

/** `isKnown`: the account has objects of this code, so that a run may have made the others, too. */
export function matchingLines({ matches, unclear, absent }: Matching, isKnown: boolean, styles: Styles): string[] {
  const { strong, faint, warn } = styles;
  return [
    ...matches.flatMap((match) => [
      `  ${styles.add("=")} ${strong(titleOf(match.declared))}  ${objectOf(match)}`,
      ...evidenceLines(match).map((line) => faint(`      ${line}`)),
    ]),
    ...unclear.flatMap(({ declared, candidates }) => [
      `  ${warn("?")} ${strong(titleOf(declared))}  ${why(candidates)}`,
      ...candidates.flatMap((match) => [
        `      ${objectOf(match)}`,
        ...evidenceLines(match).map((line) => faint(`        ${line}`)),
      ]),
    ]),
    ...absent.map((declared) => `  ${faint("+")} ${titleOf(declared)}  ${faint(absentText(declared, isKnown))}`),
  ];
}

function absentText({ type, inputs }: Declared, isKnown: boolean): string {
  const doubled = isKnown ? definitionOf(type)?.life.doubled?.(Object.fromEntries(inputs)) : undefined;
  return doubled === undefined
    ? "nothing in the account is like it: up makes it"
    : `the API never shows one: up makes it, and an earlier run may have made it, too. ${doubled}`;
}

function why(candidates: readonly Match[]): string {
  if (candidates.every(({ elsewhere }) => elsewhere))
    return `${candidates.length === 1 ? "an object is" : "objects are"} like it in another project, or on another site, than the code says; ${candidates.length === 1 ? "if it is this one, give its id as adoptId" : "if it is one of them, give its id as adoptId"}:`;
  return candidates.length === 1
    ? "another resource of the code is as much like this object:"
    : "several objects are as much like it; give one of them as adoptId:";
}

function objectOf({ candidate: { id, label } }: Match): string {
  return `${id}  ${JSON.stringify(label)}`;
}

function titleOf({ type, name }: Declared): string {
  return `${type} ${name}`;
}

function evidenceLines({ same, different }: Match): string[] {
  return [
    `the same: ${grouped(same)}`,
    ...(different.length === 0 ? [] : [`different, and changed by the next up: ${grouped(different)}`]),
  ];
}

/** Counts fields of which there are many, such as content keys. */
function grouped(paths: readonly string[]): string {
  const fields = Map.groupBy(paths, (path) => /^[^.[]+/.exec(path)?.[0] ?? path);
  return [...fields].map(([field, own]) => (own.length > 3 ? `${own.length} of ${field}` : own.join(", "))).join(", ");
}

/** Returns the lines that a person has to write: an id for each row of an entry that stands for several. */
export function leftLines({ of, data, rows }: LeftEntry, advised: Advised): string[] {
  const up = advised("up");
  const what = `${of} stands for several, so that their ids are not written for you.`;
  const how =
    data === undefined
      ? `Declare these by themselves for one ${up} (key and adoptId), and take them out of its each with where:`
      : `Put them into a column adoptId of ${data} (an empty cell adopts nothing), and adoptId: "\${each.adoptId}" into ${of}, before ${up}:`;
  return ["", `${what} ${how}`, "", ...[...rows].map(([key, id]) => `  ${key}  ${id}`)];
}

/** Returns the lines to put into a program. */
export function programLines(matches: readonly Match[]): string[] {
  return matches.map(
    ({ declared: { type, name }, candidate }) => `  new landform.${type}("${name}", { adoptId: "${candidate.id}", … })`,
  );
}

/** The run and the commit that set the text. */
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
