/** An import that names no file: where it stands, and which file it may have meant. Node tells neither. */
import { existsSync, readFileSync } from "node:fs";
import { dirname, isAbsolute, join, relative, resolve } from "node:path";
import type { Failure } from "../report/model.ts";

const MISSING =
  /^(?:Error(?: \[\w+\])?: )?(?:Cannot find module|Directory import) '([^']+)'(?: is not supported resolving ES modules)? imported from (\S+)/;
const ENDINGS = [".ts", ".mts", ".cts", ".js", ".mjs", ".cjs", ".json", "/index.ts", "/index.js"];

/** The failure with the place and the remedy, where it is about an import of the project's own files. */
export function withImport(failure: Failure, root: string): Failure {
  const [, target, importer] = MISSING.exec(failure.message) ?? [];
  if (target === undefined || importer === undefined) return failure;
  const wanted = absolute(target, root);
  const file = absolute(importer, root);
  const found = importOf(wanted, file);
  if (found === undefined) return failure;
  const { specifier, line, column } = found;
  const meant = alternative(wanted);
  const remedy =
    meant === undefined
      ? "There is no such file"
      : `Write "${specifierOf(meant, file)}": Node takes the whole name, with its ending`;
  return {
    ...failure,
    message: `import of "${specifier}": this names no file. ${remedy}`,
    source: `${relative(root, file)}:${line}:${column}`,
  };
}

interface Import {
  specifier: string;
  line: number;
  column: number;
}

function importOf(wanted: string, file: string): Import | undefined {
  if (!existsSync(file)) return undefined;
  const text = readFileSync(file, "utf8");
  for (const { 2: specifier = "", index } of text.matchAll(/(["'])(\.{1,2}\/[^"'\n]*|\.{1,2})\1/g)) {
    if (resolve(dirname(file), specifier) !== wanted) continue;
    const before = text.slice(0, index).split("\n");
    return { specifier, line: before.length, column: (before.at(-1)?.length ?? 0) + 1 };
  }
  return undefined;
}

/** A file of that name with an ending, or with another one: `./lib.js` is what compilers want written for lib.ts. */
function alternative(wanted: string): string | undefined {
  const bare = wanted.replace(/\.[cm]?js$/, "");
  return [wanted, bare].flatMap((path) => ENDINGS.map((ending) => `${path}${ending}`)).find((path) => existsSync(path));
}

function specifierOf(path: string, from: string): string {
  const short = relative(dirname(from), path).replaceAll("\\", "/");
  return short.startsWith(".") ? short : `./${short}`;
}

function absolute(path: string, root: string): string {
  const plain = path.startsWith("file:") ? new URL(path).pathname : path;
  return isAbsolute(plain) ? plain : join(root, plain);
}
