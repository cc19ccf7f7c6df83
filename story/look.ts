/** Words the result of a matching. Pure. */
import type { Declared, Match, Matching } from "../manifest/match/evidence.ts";
import { definitionOf, registry } from "../provider/kinds/registry.ts";
import { counted } from "../provider/values/wording.ts";
import type { Styles } from "./print.ts";
import type { RunStart } from "../stack/history/run-file.ts";
import type { AccountLook } from "../stack/sources/account.ts";
import type { Commit, Undeclared } from "../stack/sources/open.ts";
import type { Finding } from "../stack/sources/find.ts";
import type { RecordedObject } from "../stack/sources/texts.ts";
import type { Canvas } from "./terminal-fields.ts";
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
    ? "nothing in the account matches it: up makes it"
    : `the API never shows one: up makes it, and an earlier run may have made it, too. ${doubled}`;
}

function why(candidates: readonly Match[]): string {
  const [are, one, match] =
    candidates.length === 1
      ? ["an object is", "it is this one", "another resource of the code matches this object equally well:"]
      : ["objects are", "it is one of them", "several objects match it equally well; give the id of one as adoptId:"];
  if (!candidates.every(({ elsewhere }) => elsewhere)) return match;
  return `${are} like it in another project, or on another site, than the code says; if ${one}, give its id as adoptId:`;
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

export function programLines(matches: readonly Match[]): string[] {
  return matches.map(
    ({ declared: { type, name }, candidate }) => `  new landform.${type}("${name}", { adoptId: "${candidate.id}", … })`,
  );
}

export interface Origin {
  readonly run?: RunStart;
  readonly commit?: Commit;
}

const LONGEST = 160;

interface Traced {
  readonly finding: Finding;
  readonly origin: Origin;
}

/** Tells each place once, with all that uses it. */
export function findingsLines(found: readonly Traced[], canvas: Canvas): string[] {
  const groups = Map.groupBy(found, ({ finding: { kind, place, text } }, index) =>
    place === undefined || kind === "computed" ? String(index) : JSON.stringify([placeText(place), text]),
  );
  return [...groups.values()].flatMap((group) => placeLines(group, canvas));
}

function placeText({ name, line, column }: NonNullable<Finding["place"]>): string {
  return `${name}:${line}:${column}`;
}

function placeLines(group: readonly Traced[], { styles, width }: Canvas): string[] {
  const [first] = group;
  if (first === undefined) return [];
  const { kind, place, path, text } = first.finding;
  const isOne = group.length === 1;
  const where = place === undefined ? undefined : styles.strong(placeText(place));
  const facts = [where, isOne ? path : undefined].filter((one) => one !== undefined).join("  ");
  const seen = [...new Set(group.flatMap(({ finding }) => finding.shown ?? []))];
  const hint = kind === "computed" ? ["    the code computes it: no file of the project has the whole text"] : [];
  const users = group.flatMap(({ finding: { objects, path: own = "" } }) =>
    objects.length === 0 && !isOne ? [own] : objects.map((object) => objectText(object, styles)),
  );
  const runs = group.flatMap(({ origin: { run } }) => (run ? `    last changed by ${runText(run)}` : []));
  const commits = group.flatMap(({ origin: { commit } }) =>
    commit ? `    written in commit ${commitText(commit)}` : [],
  );
  return [
    `  ${facts}`,
    `    ${[quoted(text, width), ...seen.map((one) => `shown as ${quoted(one, width)}`)].join(", ")}`,
    ...hint,
    ...new Set([...users.map((one) => `    ${one}`), ...runs, ...commits]),
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
  return [...found, ...lookedTexts(looks).map((line) => `  ${styles.faint(line)}`)];
}

/** Says what was read and what was not. An object that could not be asked for never counts as absent. */
function lookedTexts(looks: readonly AccountLook[]): string[] {
  const read = looks.filter(({ read: count }) => count > 0);
  const where = read.map(({ what, read: count }) => counted(count, singularOf(what), what));
  return [...(where.length === 0 ? [] : [`Landform looked at ${where.join(", ")}`]), ...looks.flatMap(unlooked)];
}

/** Looks name their kinds in the plural, as lists do. */
function singularOf(plural: string): string {
  return Object.values(registry).find(({ lookup }) => lookup.plural === plural)?.lookup.what ?? plural;
}

function unlooked({ what, left, failed, perhapsMore }: AccountLook): string[] {
  const subject = what === "" ? "the account" : what;
  return [
    ...(failed === undefined ? [] : [`Landform could not ask all of ${subject}, so the text may be there: ${failed}`]),
    ...(failed === undefined && left > 0
      ? [`not looked at: the texts of ${left} more ${left === 1 ? singularOf(what) : what}`]
      : []),
    ...(perhapsMore === true ? [`there may be more ${what} than the service listed`] : []),
  ];
}

export function quoted(text: string, width: number): string {
  return JSON.stringify(cut(text.replaceAll(/\s+/g, " "), Math.min(LONGEST, Math.max(width - 20, 40))));
}
