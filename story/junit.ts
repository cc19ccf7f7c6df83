/** The report as JUnit XML: a test case a resource, so that a CI's test view shows what changes and what failed. Pure. */
import type { Change, Report } from "../stack/report/model.ts";
import { formatPath } from "../engine/index.ts";
import { printableValue } from "./printable.ts";
import { titleOf } from "./words.ts";

export function renderJUnit(found: Report): string {
  const report = printableValue(found);
  const cases = [...casesOf(report), ...failureCases(report)];
  const failures = cases.filter(({ failure }) => failure !== undefined).length;
  const skipped = cases.filter((one) => one.skipped === true).length;
  const time = (report.durationMs / 1000).toFixed(3);
  const counts = `tests="${cases.length}" failures="${failures}" errors="0" time="${time}"`;
  const name = attribute(`landform ${report.command} ${report.project}/${report.stack}`);
  return [
    '<?xml version="1.0" encoding="UTF-8"?>',
    `<testsuites name="landform" ${counts}>`,
    `  <testsuite name="${name}" ${counts} skipped="${skipped}">`,
    ...cases.map((one) => caseXml(one, report)),
    "  </testsuite>",
    "</testsuites>",
    "",
  ].join("\n");
}

interface Case {
  name: string;
  failure?: string;
  /** The run ended before it came to this one. */
  skipped?: boolean;
}

function casesOf({ changes, failures, drift, counts }: Report): Case[] {
  const failed = new Map(failures.flatMap(({ urn, message }) => (urn === undefined ? [] : [[urn, message] as const])));
  const changed = changes.map((change) => ({
    name: `${change.op} ${titleOf(change)}`,
    ...(failed.has(change.urn) ? { failure: failed.get(change.urn) } : endOf(change)),
  }));
  const drifted = (drift ?? []).map((one) => ({
    name: `drift ${titleOf(one)}`,
    failure: [one.kind, ...one.fields.map(({ path }) => formatPath(path))].join(" "),
  }));
  const cases = drift === undefined ? changed : drifted;
  return cases.length > 0 ? cases : [{ name: `${counts.same} resources unchanged` }];
}

/** What did not come about is no test that passed. */
function endOf({ status }: Change): Pick<Case, "failure" | "skipped"> {
  if (status === "failed" || status === "unfinished") return { failure: status };
  return status === "unreached" ? { skipped: true } : {};
}

/** What went wrong elsewhere than with a resource that is a case already. */
function failureCases({ changes, failures, drift }: Report): Case[] {
  const told = new Set(drift === undefined ? changes.map(({ urn }) => urn) : []);
  return failures
    .filter(({ urn }) => urn === undefined || !told.has(urn))
    .map(({ message, cause }) => ({ name: cause, failure: message }));
}

function caseXml({ name, failure, skipped }: Case, { project, stack }: Report): string {
  const open = `    <testcase classname="${attribute(`${project}.${stack}`)}" name="${attribute(name)}"`;
  if (skipped === true) return `${open}><skipped message="not reached"/></testcase>`;
  if (failure === undefined) return `${open}/>`;
  const [first = ""] = failure.split("\n");
  return `${open}><failure message="${attribute(first)}">${escape(failure)}</failure></testcase>`;
}

/** XML 1.0 has no way to write most control characters, nor half a surrogate pair. */
function escape(text: string): string {
  return text
    .toWellFormed()
    .replace(/[^\t\n\r\u0020-\ud7ff\ue000-\ufffd\u{10000}-\u{10ffff}]/gu, "�")
    .replaceAll("&", "&amp;")
    .replaceAll("<", "&lt;")
    .replaceAll(">", "&gt;");
}

function attribute(text: string): string {
  return escape(text)
    .replaceAll('"', "&quot;")
    .replaceAll("\n", "&#10;")
    .replaceAll("\t", "&#9;")
    .replaceAll("\r", "&#13;");
}
