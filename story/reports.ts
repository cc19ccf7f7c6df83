/** Writes reports for programs to the places that the options name. */
import { landform } from "../provider/values/command-line.ts";
import { CommandError, exitCodes, explained } from "../stack/exit/codes.ts";
import { checkFile, writePrivate } from "../stack/project/files.ts";
import type { ReportOptions } from "../stack/options.ts";
import { type Finding as Found, placed, type Report } from "../stack/report/model.ts";
import { printJson } from "./print.ts";
import { jsonReport } from "../stack/report/json.ts";
import { jsonText, withoutCommands } from "../stack/report/printable.ts";
import { printHtml } from "./html/print.ts";
import { printMarkdown } from "./markdown.ts";
import { storyOf } from "./story.ts";
import { linesOf, plain, type Finding, type Row, type Story } from "./model.ts";
import { STATES } from "../stack/report/words.ts";

/** Makes folders, and names a place that can't be written, before anything runs. */
export function checkReportFiles({ json, markdown, html, junit }: ReportOptions): void {
  const files = { "--json": json, "--markdown": markdown, "--html": html, "--junit": junit };
  for (const [option, file] of Object.entries(files)) if (typeof file === "string") checkFile(file, option);
}

/** Writes each report separately: a failed one affects neither the others nor the command's work. */
export function writeReports(report: Report, { json, markdown, html, junit, full }: ReportOptions): void {
  if (json === true) printJson(jsonReport(report));
  // A job may print these files to its log.
  const due: readonly [string | boolean | undefined, () => string][] = [
    [json, () => `${jsonText(jsonReport(report))}\n`],
    [markdown, () => printMarkdown(storyOf(report), { full: full === true })],
    [html, () => withoutCommands(printHtml(storyOf(report)))],
    [junit, () => withoutCommands(printJUnit(storyOf(report)))],
  ];
  const faults = due.flatMap(([file, render]) => (typeof file === "string" ? faultIn(file, render()) : []));
  const done = "The command has done its work; only this file is missing.";
  if (faults.length > 0) throw new CommandError(exitCodes.failed, [...faults, done].join("\n"));
}

function faultIn(file: string, text: string): string[] {
  try {
    writePrivate(file, text);
    return [];
  } catch (error) {
    const reason = explained(error, `the report ${file} can't be written`);
    if (reason instanceof CommandError) return [reason.message];
    throw error;
  }
}

export function printJUnit(story: Story): string {
  const { command, project, stack } = story.about ?? { command: "", project: "", stack: "" };
  const cases = [...casesOf(story), ...findingCases(story)];
  const failures = cases.filter(({ failure }) => failure !== undefined).length;
  const skipped = cases.filter((one) => one.skipped === true).length;
  const time = (story.milliseconds / 1000).toFixed(3);
  const counts = `tests="${cases.length}" failures="${failures}" errors="0" time="${time}"`;
  const name = attribute(`landform ${command} ${project}/${stack}`);
  return [
    '<?xml version="1.0" encoding="UTF-8"?>',
    `<testsuites name="landform" ${counts}>`,
    `  <testsuite name="${name}" ${counts} skipped="${skipped}">`,
    ...cases.map((one) => caseXml(one, `${project}.${stack}`)),
    "  </testsuite>",
    "</testsuites>",
    "",
  ].join("\n");
}

interface Case {
  name: string;
  failure?: string | undefined;
  /** A person should know this, though nothing failed. */
  said?: string;
  /** For programs. */
  properties?: Readonly<Record<string, string | undefined>>;
  /** The run ended before it reached this one. */
  skipped?: boolean;
}

function casesOf({ resources, verdict, urgent }: Story): Case[] {
  const cases = resources.rows.map((row) => caseOf(row, urgent));
  return cases.length > 0 ? cases : [{ name: plain(verdict) }];
}

/** A change that did not happen is no passed test. */
function caseOf({ key, mark, text, state, values = [] }: Row, findings: readonly Finding[]): Case {
  const isDrift = mark?.word === undefined;
  const name = `${isDrift ? "drift" : mark.tone === "warn" ? mark.word : mark.tone} ${plain(text)}`;
  const failed = findings.find(({ weight, of }) => weight === "failure" && of !== undefined && of === key);
  if (failed !== undefined) return { name, failure: messageOf(failed), properties: { check: failed.check } };
  if (isDrift) return { name, failure: [state, ...values.map(({ path }) => path)].join(" ") };
  if (state === STATES.unreached) return { name, skipped: true };
  return { name, failure: state };
}

/** Returns a case for each finding, and for each failure that belongs to no resource with a case of its own. */
function findingCases({ resources, urgent, findings }: Story): Case[] {
  const told = new Set(resources.rows.map(({ key }) => key));
  return [...urgent, ...findings].flatMap((one): Case[] => {
    if (one.tells !== undefined) return one.tells.map(caseOfFinding);
    const { weight, name = weight, check, of } = one;
    if (weight !== "failure") return [{ name, said: messageOf(one), properties: { weight, urn: of } }];
    return of !== undefined && told.has(of) ? [] : [{ name, failure: messageOf(one), properties: { check, urn: of } }];
  });
}

/** A hold that a command will refuse fails, as the command will. */
function caseOfFinding(finding: Found): Case {
  const { check, weight, urn, source, allowed, refusedBy } = finding;
  const properties = { check, weight, urn, source, allowed, refusedBy };
  if (refusedBy === undefined) return { name: `${weight} ${check}`, said: placed(finding), properties };
  const way = allowed === undefined ? "" : `\nTo allow it: ${allowed}`;
  const failure = `${landform(refusedBy)} will refuse this: ${placed(finding)}${way}`;
  return { name: `${weight} ${check}`, failure, properties };
}

function messageOf(finding: Finding): string {
  return linesOf(finding, "!").join("\n");
}

function caseXml({ name, failure, skipped, said, properties = {} }: Case, group: string): string {
  const open = `    <testcase classname="${attribute(group)}" name="${attribute(name)}"`;
  const known = Object.entries(properties).flatMap(([key, value]) =>
    value === undefined ? [] : [`<property name="${key}" value="${attribute(value)}"/>`],
  );
  const [first = ""] = (failure ?? "").split("\n");
  const parts = [
    ...(known.length === 0 ? [] : [`<properties>${known.join("")}</properties>`]),
    ...(skipped === true ? ['<skipped message="not reached"/>'] : []),
    ...(failure === undefined ? [] : [`<failure message="${attribute(first)}">${escape(failure)}</failure>`]),
    ...(said === undefined ? [] : [`<system-out>${escape(said)}</system-out>`]),
  ];
  return parts.length === 0 ? `${open}/>` : `${open}>${parts.join("")}</testcase>`;
}

/** XML 1.0 can't write most control characters, or half a surrogate pair. */
function escape(text: string): string {
  return text
    .toWellFormed()
    .replace(/[^\t\n\r\u0020-\ud7ff\ue000-\ufffd\u{10000}-\u{10ffff}]/gu, "�")
    .replace(/[&<>]/g, (sign) => ({ "&": "&amp;", "<": "&lt;" })[sign] ?? "&gt;");
}

function attribute(text: string): string {
  return escape(text).replace(/["\n\t\r]/g, (sign) => (sign === '"' ? "&quot;" : `&#${sign.charCodeAt(0)};`));
}
