/** Prints diagnostics for people: a line each, the excerpt below it, and the next step. */
import { styleText } from "node:util";
import { isAbsolute } from "node:path";
import { pathToFileURL } from "node:url";
import { counted, listed } from "../../provider/values/wording.ts";
import { guideTo } from "../../provider/messages/failures.ts";
import type { Diagnostic } from "./diagnostics.ts";
import type { Position } from "./file.ts";

export interface TextOptions {
  readonly colour?: boolean;
  /** The line that leads to the guide for these codes. Default: the guide for manifests that can't be used. */
  readonly guide?: string;
}

type Style = Parameters<typeof styleText>[0];

export function renderText(diagnostics: readonly Diagnostic<string>[], options: TextOptions = {}): string {
  const { colour = false, guide = guideFor(diagnostics) } = options;
  const styled = (style: Style, text: string): string =>
    colour ? styleText(style, text, { validateStream: false }) : text;
  const told = diagnostics.map((diagnostic) => one(diagnostic, styled));
  return [...told, summary(diagnostics), guide].filter((part) => part !== undefined).join("\n");
}

/** Returns one problem without its level, for callers that mark warnings themselves. */
export function toldText({ code, message, file, line, column, excerpt, hint }: Diagnostic<string>): string {
  const lines = [...(excerpt === "" ? [] : excerpt.split("\n")), ...(hint === undefined ? [] : [onOneLine(hint)])];
  return [`${file}:${line}:${column}: ${onOneLine(message)} [${code}]`, ...lines.map((text) => `  ${text}`)].join("\n");
}

function one(
  { severity, code, message, file, line, column, excerpt, hint, also = [] }: Diagnostic<string>,
  styled: (style: Style, text: string) => string,
): string {
  const head = `${styled("bold", `${file}:${line}:${column}`)}: ${styled(severity === "error" ? "red" : "yellow", severity)}: ${onOneLine(message)} ${styled("dim", `[${code}]`)}`;
  const [shown, caret] = excerpt.split("\n");
  const lines = excerpt === "" ? [] : [`  ${shown ?? ""}`, `  ${styled("red", caret ?? "")}`];
  const more = also.length === 0 ? [] : [`  The same value is in ${onOneLine(listed(also, 3))}.`];
  return [head, ...lines, ...more, ...(hint === undefined ? [] : [`  ${onOneLine(hint)}`]), ""].join("\n");
}

function summary(diagnostics: readonly Diagnostic<string>[]): string {
  const errors = diagnostics.filter(({ severity }) => severity === "error").length;
  const warnings = diagnostics.length - errors;
  return [
    ...(errors > 0 ? [counted(errors, "error")] : []),
    ...(warnings > 0 ? [counted(warnings, "warning")] : []),
  ].join(", ");
}

/** Leads to the entry of the code if there is only one, or to the list of all codes. */
function guideFor(diagnostics: readonly Diagnostic<string>[]): string | undefined {
  if (!diagnostics.some(({ severity }) => severity === "error")) return undefined;
  const [code, ...others] = new Set(diagnostics.map((diagnostic) => diagnostic.code));
  return guideTo(code === undefined || others.length > 0 ? "landformyaml" : `manifest-${code}`);
}

/** Puts a text of the manifest on one line, because a key may have line breaks. */
function onOneLine(text: string): string {
  return text.replaceAll("\n", "⏎");
}

export function reportJson(diagnostics: readonly Diagnostic<string>[]) {
  return { version: 1, valid: !diagnostics.some(({ severity }) => severity === "error"), diagnostics };
}

const SCHEMA = "https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json";

/** `rules`: the meaning of each code in one line. */
export function reportSarif<Code extends string>(
  diagnostics: readonly Diagnostic<Code>[],
  version: string,
  rules: Readonly<Record<Code, string>>,
): object {
  const used = [...new Set(diagnostics.map(({ code }) => code))].sort();
  const described = used.map((id) => ({ id, shortDescription: { text: rules[id] } }));
  const driver = { name: "landform", version, rules: described };
  return {
    $schema: SCHEMA,
    version: "2.1.0",
    runs: [{ tool: { driver }, columnKind: "utf16CodeUnits", results: diagnostics.map((one) => resultOf(one, used)) }],
  };
}

function resultOf(diagnostic: Diagnostic<string>, used: readonly string[]): object {
  const { code, severity, message, hint, path, related = [] } = diagnostic;
  const logical = path === "" ? {} : { logicalLocations: [{ fullyQualifiedName: path }] };
  return {
    ruleId: code,
    ruleIndex: used.indexOf(code),
    level: severity,
    message: { text: hint === undefined ? message : `${message}. ${hint}` },
    locations: [{ ...locationOf(diagnostic), ...logical }],
    ...(related.length === 0
      ? {}
      : {
          relatedLocations: related.map((one, index) => ({
            id: index + 1,
            ...locationOf(one),
            message: { text: one.message },
          })),
        }),
    partialFingerprints: { "landform/v1": `${code}:${path}` },
  };
}

function locationOf({ file, line, column, endLine, endColumn }: Position): object {
  const uri = isAbsolute(file) ? pathToFileURL(file).href : file.split("/").map(encodeURIComponent).join("/");
  const region = { startLine: line, startColumn: column, endLine, endColumn };
  return { physicalLocation: { artifactLocation: { uri }, region } };
}
