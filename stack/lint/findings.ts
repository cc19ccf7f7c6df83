/** Lints a manifest as commands do it: with the files beside it, and with the rules that a command is to fail on. */
import { existsSync } from "node:fs";
import { dirname, join, relative } from "node:path";
import { lint, type LintOptions, ruleTexts } from "../../manifest/check/lint.ts";
import { validate } from "../../manifest/check/validate.ts";
import type { Manifest } from "../../manifest/declare/model.ts";
import { readKeysFile } from "../../manifest/language/templates.ts";
import type { Diagnostic } from "../../manifest/source/diagnostics.ts";
import { renderText } from "../../manifest/source/report.ts";
import { CopyRecord } from "../../manifest/translate/translations.ts";
import { UsageError } from "../exit/codes.ts";
import type { FailOn } from "../options.ts";
import { MANIFEST } from "../project/files.ts";

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
    unasked,
    in: folder = dirname(manifest.root.path),
  }: Pick<LintOptions, "only" | "changed" | "unasked"> & { in?: string } = {},
): Diagnostic<string>[] {
  const record = CopyRecord.read(folder);
  // Files that the asked rules don't need can't stop a plan.
  const templates = unasked === true ? undefined : readKeysFile(folder);
  // The rules that the command is to fail on are checked even if they are off.
  const also = failOn.filter((word) => Object.hasOwn(ruleTexts, word));
  return lint(manifest, { templates, record, also, only, changed, unasked });
}

export const FAIL_ON: readonly string[] = ["error", "warning", "never", ...Object.keys(ruleTexts)];

export function failing<One extends Diagnostic<string>>(findings: readonly One[], failOn: FailOn): One[] {
  return findings.filter(
    ({ severity, code }) =>
      failOn.includes(code) || failOn.includes(severity) || (severity === "error" && failOn.includes("warning")),
  );
}
