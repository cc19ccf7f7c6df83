/** Lint beside a plan: where the manifest has rules of its own, or the command is to fail on some. */
import type { Diagnostic, Manifest } from "../../manifest/index.ts";
import { UsageError } from "../exit/codes.ts";
import { MANIFEST } from "../project/open.ts";
import type { Report } from "../report/model.ts";
import type { StackSession } from "../run/session.ts";
import { failing, type FailOn } from "./fail-on.ts";
import { findingsIn, UNASKED } from "./find.ts";

/** Of a session's plan. */
export function linted(session: StackSession, report: Report, failOn?: FailOn): Report {
  const found = withLint(report, session.folder.manifest, failOn);
  return found === report ? report : session.redactor.value(found);
}

export function withLint(report: Report, manifest: Manifest | undefined, failOn: FailOn | undefined): Report {
  if (manifest === undefined) {
    if (failOn === undefined) return report;
    throw new UsageError(`--fail-on is about a ${MANIFEST}: lint does not look into programs`);
  }
  const unasked = failOn === undefined && manifest.lint.size === 0;
  const findings = findingsIn(manifest, failOn ?? [], unasked ? { only: UNASKED } : {});
  if (findings.length === 0) return report;
  const failed = new Set(failing(findings, failOn ?? []));
  const warnings = findings.filter((finding) => !failed.has(finding)).map(toldOf);
  const failures = [...failed].map((finding) => ({ cause: "refused" as const, message: toldOf(finding) }));
  return {
    ...report,
    result: failures.length > 0 ? "failed" : report.result,
    warnings: [...report.warnings, ...warnings],
    failures: [...report.failures, ...failures],
  };
}

function toldOf({ file, line, column, message, code }: Diagnostic<string>): string {
  return `${file}:${line}:${column}: ${message} [${code}]`;
}
