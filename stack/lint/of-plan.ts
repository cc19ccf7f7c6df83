/** Lints the source of a plan: a manifest, or the resources that a program registers. */
import { inputsOf } from "../report/steps.ts";
import { readKeysFile } from "../../manifest/language/templates.ts";
import type { Diagnostic } from "../../manifest/source/diagnostics.ts";
import { exitCodes, type ExitCode } from "../exit/codes.ts";
import { failureCode } from "../exit/report.ts";
import type { FailOn, OperationOptions } from "../options.ts";
import type { ProjectFolder } from "../project/open.ts";
import type { Planned } from "../report/build.ts";
import type { Change, Report } from "../report/model.ts";
import { visible } from "../report/values.ts";
import { definitionOf } from "../../provider/kinds/registry.ts";
import { isMap } from "../../provider/values/json.ts";
import { propertyPath } from "../../provider/values/paths.ts";
import { changedPlaces } from "../report/written-in.ts";
import { StackSession } from "../run/session.ts";
import type { Teller } from "../run/teller.ts";
import { failing, findingsIn, manifestBeside } from "./findings.ts";
import { registered } from "./registered.ts";

export function findingsOf(
  folder: ProjectFolder,
  { told, changes }: Pick<Planned, "told" | "changes">,
  failOn?: FailOn,
): Diagnostic<string>[] {
  const beside = folder.manifest ?? manifestBeside(folder.root);
  const isAsked = failOn !== undefined || (beside?.lint.size ?? 0) > 0;
  const isProgram = beside === undefined || beside.entries.length === 0;
  // A program is long to read, and unasked only its changes are told.
  if (isProgram && !isAsked && changes.length === 0) return [];
  const source = isProgram ? registered(folder, told, beside?.lint ?? new Map()) : beside;
  return findingsIn(source, failOn ?? [], {
    ...(isProgram && { in: folder.root }),
    changed: changedPlaces(changes, told, source),
    ...(!isAsked && { unasked: true }),
  });
}

/**
 * Finds content keys that the templates of new pages lack, and placeholders of theirs that keep such a page from being published, as far as
 * landform.keys.json knows them. The values are those that the plan sends.
 */
export function templateFaultsIn(folder: ProjectFolder, { told, changes }: Pick<Planned, "told" | "changes">) {
  const made = changes.filter(({ op, type }) => (op === "create" || op === "replace") && isMadeFromTemplate(type));
  if (made.length === 0 || readKeysFile(folder.root).size === 0) return [];
  const declared = new Map(made.map((change) => [addressOf(change), visible(inputsOf(change, told.get(change.urn)))]));
  const beside = folder.manifest ?? manifestBeside(folder.root);
  const written = new Set(beside?.entries.map(({ address }) => address));
  const isWritten = [...declared.keys()].every((address) => written.has(address));
  const source = beside && isWritten ? beside : registered(folder, told, beside?.lint ?? new Map());
  const entries = source.entries.flatMap((entry) => {
    const { templateId, content = {}, variables = {}, publish, nodes } = declared.get(entry.address) ?? {};
    if (templateId === undefined) return [];
    const tellsTexts = publish !== undefined && nodes === undefined && isMap(content) && isMap(variables);
    return [{ tellsTexts, entry: { ...entry, inputs: { ...entry.inputs, templateId, content, variables } } }];
  });
  return ["unknown-key", "missing-variable"].flatMap((rule) => {
    const held = entries.flatMap(({ entry, tellsTexts }) => (rule === "unknown-key" || tellsTexts ? [entry] : []));
    return findingsIn({ ...source, entries: held }, [rule], { only: [rule], in: folder.root });
  });
}

function isMadeFromTemplate(type: string): boolean {
  const { content, templateId } = definitionOf(type)?.inputs.shape ?? {};
  return content !== undefined && templateId !== undefined;
}

function addressOf({ type, name }: Change): string {
  return propertyPath([definitionOf(type)?.section ?? "", name]);
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
    { C, stack, engine, verbose, target: [] },
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
