/** The report of mutation tests in MUTANTS.md: figures by area, and each survivor with the reason why it may live. */
import { EXPLAINED } from "../test/faults/mutants-explained.ts";
import { table } from "../test/faults/results.ts";

/** The used part of Stryker's report (mutation-testing-report-schema). */
export interface Mutants {
  readonly files: Readonly<Record<string, MutatedFile>>;
}

interface MutatedFile {
  readonly source: string;
  readonly mutants: readonly Mutant[];
}

interface Mutant {
  readonly mutatorName: string;
  readonly replacement?: string;
  readonly status: "Killed" | "Timeout" | "Survived" | "NoCoverage" | "CompileError" | "RuntimeError" | "Ignored";
  readonly location: Record<"start" | "end", { readonly line: number; readonly column: number }>;
}

/** A change that no test noticed. */
interface Survivor {
  readonly file: string;
  readonly line: number;
  readonly original: string;
  readonly replacement: string;
}

export interface Ran {
  readonly code: readonly string[];
  /** Absent if it didn't run here: then the old figures stay in the report. */
  readonly mutants: Mutants | undefined;
}

export function reportOf(areas: ReadonlyMap<string, Ran>, before: string): string {
  const kept = rowsIn(before);
  const all = [...areas].flatMap(([name, { mutants }]) => {
    const row = mutants ? figures(name, mutants) : kept.find(([first]) => first === name);
    return row ? [row] : [];
  });
  const survivors = [...areas.values()].flatMap(({ code, mutants }) =>
    mutants ? survivorsOf(mutants).map(row) : kept.filter(([place = ""]) => code.includes(place.replace(/:\d+$/, ""))),
  );
  const explained = survivors.filter(([, , , why]) => why !== UNEXPLAINED);
  return `${[
    "# Mutation testing",
    "Written by `npm run test:mutants`. The code is changed in one place at a time, and the tests that concern it are run; a change that none of them notices survives. Each survivor is explained here, or named as one that nobody has looked at yet.",
    table(["Area", "Changes", "Noticed", "Survived", "Noticed, %"], all),
    `**${survivors.length} survived, ${explained.length} explained.**`,
    ...(survivors.length === 0
      ? []
      : ["## What survived", table(["Place", "What stands there", "Instead", "Why it may live"], survivors)]),
  ].join("\n\n")}\n`;
}

/** Returns all rows of the tables. A bar in a cell is escaped. */
function rowsIn(markdown: string): string[][] {
  return markdown
    .split("\n")
    .filter((text) => text.startsWith("| "))
    .map((text) => text.split(/(?<!\\)\|/).slice(1, -1))
    .map((cells) => cells.map((cell) => cell.trim()));
}

function figures(name: string, mutants: Mutants): string[] {
  const all = Object.values(mutants.files).flatMap(({ mutants: own }) => own.filter(({ status }) => isJudged(status)));
  const survived = survivorsOf(mutants).length;
  const noticed = all.length - survived;
  return [name, `${all.length}`, `${noticed}`, `${survived}`, ((100 * noticed) / Math.max(all.length, 1)).toFixed(1)];
}

function isJudged(status: Mutant["status"]): boolean {
  return status !== "Ignored" && status !== "CompileError";
}

function survivorsOf({ files }: Mutants): Survivor[] {
  return Object.entries(files).flatMap(([file, { source, mutants }]) =>
    mutants
      .filter(({ status }) => status === "Survived" || status === "NoCoverage")
      .map(({ location: { start, end }, replacement = "" }) => ({
        file,
        line: start.line,
        original: textBetween(source, start, end),
        replacement: oneLine(replacement),
      })),
  );
}

function textBetween(source: string, start: Mutant["location"]["start"], end: Mutant["location"]["end"]): string {
  const lines = source.split("\n").slice(start.line - 1, end.line);
  const last = lines.length - 1;
  const cut = lines.map((line, index) =>
    line.slice(index === 0 ? start.column - 1 : 0, index === last ? end.column - 1 : undefined),
  );
  return oneLine(cut.join(" "));
}

function oneLine(text: string): string {
  return text.replaceAll(/\s+/g, " ").trim();
}

function reasonFor({ file, original, replacement }: Survivor): string | undefined {
  return EXPLAINED.find(
    (one) => one.file === file && one.original === original && (one.replacement ?? replacement) === replacement,
  )?.why;
}

const LONGEST = 90;
const UNEXPLAINED = "**not looked at**";

function row(survivor: Survivor): string[] {
  const { file, line, original, replacement } = survivor;
  return [`${file}:${line}`, code(original), code(replacement), reasonFor(survivor) ?? UNEXPLAINED];
}

function code(text: string): string {
  const short = text.length > LONGEST ? `${text.slice(0, LONGEST)}…` : text;
  return `\`\` ${short.replaceAll("|", "\\|")} \`\``;
}
