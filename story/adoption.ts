/** What is told of a matching. Pure. */
import type { Declared, LeftEntry, Match, Matching } from "../manifest/index.ts";
import type { Styles } from "./styles.ts";

export function matchingLines({ matches, unclear, absent }: Matching, styles: Styles): string[] {
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
    ...absent.map(
      (declared) => `  ${faint("+")} ${titleOf(declared)}  ${faint("nothing in the account is like it: up makes it")}`,
    ),
  ];
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

export function titleOf({ type, name }: Declared): string {
  return `${type} ${name}`;
}

export function evidenceLines({ same, different }: Match): string[] {
  return [
    `the same: ${grouped(same)}`,
    ...(different.length === 0 ? [] : [`different, and changed by the next up: ${grouped(different)}`]),
  ];
}

/** Content keys are many: they are counted. */
function grouped(paths: readonly string[]): string {
  const fields = Map.groupBy(paths, (path) => /^[^.[]+/.exec(path)?.[0] ?? path);
  return [...fields].map(([field, own]) => (own.length > 3 ? `${own.length} of ${field}` : own.join(", "))).join(", ");
}

/** What somebody has to write: an id for each row of an entry that stands for several. */
export function leftLines({ of, data, rows }: LeftEntry, advised: (text: string) => string): string[] {
  const up = advised("npx landform up");
  const what = `${of} stands for several, so that their ids are not written for you.`;
  const how =
    data === undefined
      ? `Declare these by themselves for one ${up} (key and adoptId), and take them out of its each with where:`
      : `Put them into a column adoptId of ${data} (an empty cell adopts nothing), and adoptId: "\${each.adoptId}" into ${of}, before ${up}:`;
  return ["", `${what} ${how}`, "", ...[...rows].map(([key, id]) => `  ${key}  ${id}`)];
}

/** What to put into a program. */
export function programLines(matches: readonly Match[]): string[] {
  return matches.map(
    ({ declared: { type, name }, candidate }) => `  new landform.${type}("${name}", { adoptId: "${candidate.id}", … })`,
  );
}
