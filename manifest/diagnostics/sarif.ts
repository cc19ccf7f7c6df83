/** Diagnostics as SARIF 2.1.0, which code hosts show beside the lines of a change. */
import { isAbsolute } from "node:path";
import { pathToFileURL } from "node:url";
import type { Position } from "../source/file.ts";
import type { Diagnostic } from "./diagnostics.ts";

const SCHEMA = "https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json";

/** `rules`: what each code means, in a line. */
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
