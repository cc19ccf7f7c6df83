/** An import of a name that a module doesn't export: where it stands. Node tells the line only where it loads the program itself. */
import { readFileSync } from "node:fs";
import { relative } from "node:path";
import type { Failure } from "../report/model.ts";

const MISSING = /^\s*SyntaxError: The requested module '([^']+)' does not provide an export named '([^']+)'$/m;
const IMPORT = /(?:import|export)\s+(?:type\s+)?([^;"'()]*?)\s*from\s*(["'])([^"'\n]+)\2/g;

/** The failure with its place, where one of `files` imports that name. */
export function withMissingExport(failure: Failure, root: string, files: () => readonly string[]): Failure {
  const [, module, name] = MISSING.exec(failure.message) ?? [];
  if (module === undefined || name === undefined) return failure;
  const source = files().flatMap((file) => placeOf(file, module, name, root))[0];
  const message =
    name === "default"
      ? `"${module}" has no default export. Write import * as ${identifierOf(module)} from "${module}"`
      : `"${module}" exports nothing called ${name}`;
  return { ...failure, message, ...(source !== undefined && { source }) };
}

function placeOf(file: string, module: string, name: string, root: string): string[] {
  const text = readFileSync(file, "utf8");
  return [...text.matchAll(IMPORT)].flatMap(({ 0: whole, 1: clause = "", 3: specifier, index }) => {
    if (specifier !== module || !namesIn(clause).includes(name)) return [];
    const word = name === "default" ? (/[\w$]+/.exec(clause)?.[0] ?? "") : name;
    const before = text.slice(0, index + Math.max(whole.indexOf(word, whole.search(/\s/)), 0)).split("\n");
    return [`${relative(root, file)}:${before.length}:${(before.at(-1)?.length ?? 0) + 1}`];
  });
}

/** The names of the other module that an import or export clause asks for. */
function namesIn(clause: string): string[] {
  const [, own = "", braced = ""] = /^([^{]*)(?:\{([^}]*)\})?/.exec(clause) ?? [];
  const named = braced.split(",").map((one) =>
    (
      one
        .trim()
        .replace(/^type\s+/, "")
        .split(/\s+as\s+/)[0] ?? ""
    ).trim(),
  );
  const hasDefault = own.split(",").some((one) => /^\s*[\w$]+\s*$/.test(one));
  return [...(hasDefault ? ["default"] : []), ...named.filter((one) => one !== "")];
}

function identifierOf(module: string): string {
  const last =
    module
      .replace(/\.[cm]?[jt]s$/, "")
      .split("/")
      .at(-1) ?? "";
  return last.replace(/[^\w$]+(\w?)/g, (_, next: string) => next.toUpperCase()).replace(/^(?=\d)|^$/, "_");
}
