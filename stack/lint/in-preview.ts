/** Lint beside a plan: where landform.yaml has rules of its own, or the command is to fail on some. */
import type { Diagnostic } from "../../manifest/index.ts";
import type { ProjectFolder } from "../project/open.ts";
import type { Planned } from "../report/build.ts";
import { changedPlaces } from "../report/written-in.ts";
import type { Report } from "../report/model.ts";
import type { StackSession } from "../run/session.ts";
import { failing, type FailOn } from "./fail-on.ts";
import { findingsIn, UNASKED } from "./find.ts";
import { manifestBeside } from "./beside.ts";
import { registered } from "./registered.ts";

/** Of a session's plan. */
export function linted(session: StackSession, plan: Planned, report: Report, failOn?: FailOn): Report {
  // Of a program that didn't come to its end, nobody knows what else it registers.
  if (session.folder.manifest === undefined && report.result !== "succeeded") return report;
  const found = withFindings(report, findingsOf(session.folder, plan, failOn), failOn);
  return found === report ? report : session.redactor.value(found);
}

export function findingsOf(
  folder: ProjectFolder,
  { told, changes }: Pick<Planned, "told" | "changes">,
  failOn?: FailOn,
): Diagnostic<string>[] {
  const beside = folder.manifest ?? manifestBeside(folder.root);
  const isAsked = failOn !== undefined || (beside?.lint.size ?? 0) > 0;
  if (beside !== undefined && beside.entries.length > 0)
    return findingsIn(beside, failOn ?? [], {
      changed: changedPlaces(changes, beside),
      ...(!isAsked && { only: UNASKED }),
    });
  // A program has no translations to tell of unasked.
  return isAsked
    ? findingsIn(registered(folder, told, beside?.lint ?? new Map()), failOn ?? [], { in: folder.root })
    : [];
}

export function withFindings(report: Report, findings: readonly Diagnostic<string>[], failOn?: FailOn): Report {
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
