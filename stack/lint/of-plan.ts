/** Lints the source of a plan: a manifest, or the resources that a program registers. */
import { recordOf } from "../copy.ts";
import type { Diagnostic, Manifest } from "../../manifest/index.ts";
import type { ProjectFolder } from "../project/open.ts";
import type { Planned } from "../report/build.ts";
import { changedPlaces } from "../report/written-in.ts";
import { registered } from "./registered.ts";
import { existsSync } from "node:fs";
import { join, relative, dirname } from "node:path";
import { renderText } from "../../manifest/source/report.ts";
import { validate } from "../../manifest/check/validate.ts";
import { UsageError, exitCodes, type ExitCode } from "../exit/codes.ts";
import { MANIFEST } from "../project/files.ts";
import { lint, type LintOptions, ruleTexts } from "../../manifest/check/lint.ts";
import { readKeysFile, type TemplateKeys } from "../../manifest/language/templates.ts";
import { KeptFileError } from "../../manifest/source/folder.ts";
import type { FailOn, OperationOptions } from "../options.ts";
import { failureCode } from "../exit/report.ts";
import { StackSession } from "../run/session.ts";
import type { Teller } from "../run/teller.ts";
import type { Report } from "../report/model.ts";

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

/** Returns the landform.yaml beside a program, with rules for it or entries that it registers. Returns undefined if there is none. */
export function manifestBeside(root: string): Manifest | undefined {
  const file = join(root, MANIFEST);
  if (!existsSync(file)) return undefined;
  const { manifest, diagnostics } = validate(relative(process.cwd(), file) || file);
  if (manifest === undefined)
    throw new UsageError(`${MANIFEST} can't be used:\n\n${renderText(diagnostics, { colour: false })}`);
  return manifest;
}

export function findingsIn(
  manifest: Manifest,
  failOn: FailOn,
  {
    only,
    changed,
    in: folder = dirname(manifest.root.path),
  }: Pick<LintOptions, "only" | "changed"> & { in?: string } = {},
): Diagnostic<string>[] {
  const record = recordOf(folder);
  // Files that the asked rules don't need can't stop a plan.
  const templates = only === undefined ? templatesKnownIn(folder) : undefined;
  return lint(manifest, { templates, record, also: rulesIn(failOn), only, changed });
}

/** Reads landform.keys.json: the keys of templates, by id. */
export function templatesKnownIn(folder: string): ReadonlyMap<string, TemplateKeys> {
  try {
    return readKeysFile(folder);
  } catch (error) {
    if (error instanceof KeptFileError) throw new UsageError(error.message, { cause: error });
    throw error;
  }
}

/** Rules that report unasked: visitors would read the translation of another text. */
export const UNASKED: readonly string[] = ["stale", "lost-language"];

export const FAIL_ON: readonly string[] = ["error", "warning", "never", ...Object.keys(ruleTexts)];

/** The rules that the command is to fail on. They are checked even if they are off. */
export function rulesIn(failOn: FailOn): string[] {
  return failOn.filter((word) => Object.hasOwn(ruleTexts, word));
}

export function failing<One extends Diagnostic<string>>(findings: readonly One[], failOn: FailOn): One[] {
  return findings.filter(
    ({ severity, code }) =>
      failOn.includes(code) || failOn.includes(severity) || (severity === "error" && failOn.includes("warning")),
  );
}

interface Showing {
  readonly teller: Teller;
  readonly show: (findings: readonly Diagnostic<string>[], name: string) => void;
  readonly showFailed: (report: Report) => void;
}

export function lintProgram(
  { C, stack, engine, verbose }: Pick<OperationOptions, "C" | "stack" | "engine" | "verbose">,
  failOn: FailOn,
  { teller, show, showFailed }: Showing,
): Promise<ExitCode> {
  return StackSession.with(
    { C, stack, engine, ...(verbose && { verbose }), target: [] },
    async (session) => {
      const { folder, redactor } = session;
      const { report, preview } = await session.run("preview", { kind: "preview" }, { quiet: true });
      if (report.result !== "succeeded") {
        showFailed(report);
        return failureCode(report, { sent: false });
      }
      const findings = redactor.value(findingsOf(folder, preview, failOn));
      show(findings, folder.project.name);
      return failing(findings, failOn).length > 0 ? exitCodes.failed : exitCodes.done;
    },
    { makesStack: "for a look", teller },
  );
}
