/**
 * Literals of a program that are no texts for visitors: ids and words of a fixed choice, by what the resource takes there, and
 * arguments of Node's own functions for files and paths. Pure.
 */
import { refersTo } from "../../provider/definition/references.ts";
import { schemaBelow, shapeOf } from "../../provider/definition/schema-walk.ts";
import { kindOf, registry } from "../../provider/kinds/registry.ts";
import type { Enclosing } from "./brackets.ts";
import type { Literal } from "./literals.ts";
import type { ProgramFile } from "./program-files.ts";

/** What it is instead; undefined where it may be a text. */
export function settingOf({ within }: Literal, file: ProgramFile): string | undefined {
  if (within === undefined || file.kind !== "code") return undefined;
  return within.isNew ? ofResource(within) : ofNode(within, file);
}

function ofResource({ callee, path }: Enclosing): string | undefined {
  const kind = kindOf(callee.slice(callee.lastIndexOf(".") + 1));
  if (kind === undefined || path === undefined || path.length === 0) return undefined;
  const field = path.filter((step) => step !== "0").join(".");
  if (field === "adoptId") return `${field} is an id`;
  const schema = path.reduce<unknown>(schemaBelow, registry[kind].inputs);
  if (refersTo(schema).length > 0) return `${field} is an id`;
  return shapeOf(schema).type === "choice" ? `${field} is one of a few words` : undefined;
}

function ofNode({ callee }: Enclosing, file: ProgramFile): string | undefined {
  const [name = ""] = callee.split(".");
  return namesOf(file).has(name) ? `it is an argument of ${callee}` : undefined;
}

const known = new WeakMap<ProgramFile, ReadonlySet<string>>();

/** What the file calls the functions for files and paths, or the modules that have them. */
function namesOf(file: ProgramFile): ReadonlySet<string> {
  const names = known.get(file) ?? new Set([...importedIn(file.text, FROM), ...importedIn(file.text, REQUIRED)]);
  known.set(file, names);
  return names;
}

const MODULE = String.raw`["'](?:node:)?(?:fs|fs/promises|path|path/posix|path/win32)["']`;
const FROM = new RegExp(String.raw`\bimport\s+([\w$\s{},*]+?)\s+from\s*${MODULE}`, "g");
const REQUIRED = new RegExp(
  String.raw`\b(?:const|let|var)\s+([\w$]+|\{[\w$\s,:]*\})\s*=\s*require\s*\(\s*${MODULE}`,
  "g",
);

function importedIn(text: string, pattern: RegExp): string[] {
  const clauses = [...text.matchAll(pattern)].flatMap(([, clause = ""]) => clause.split(/[{},]/));
  // Of `a as b` and `a: b` the second one counts.
  return clauses.flatMap((one) => /([\w$]+)\s*$/.exec(one)?.[1] ?? []);
}
