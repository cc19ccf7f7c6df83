/** Finds lines of the program that neither Node nor the engine tells, for syntax errors in ES modules and for names that are used twice. */
import type { Advice } from "../report/model.ts";
import { spawnSync } from "node:child_process";
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { dirname, isAbsolute, join, relative, resolve, sep } from "node:path";
import { nameOf, shortType, typeOf } from "../../engine/index.ts";
import type { Failure } from "../report/model.ts";
import { fileURLToPath } from "node:url";
import { stripVTControlCharacters } from "node:util";

export function withPlace(failure: Failure, root: string): Failure {
  const exported = withMissingExport(failure, root, () => programFiles(root, DEEPEST));
  if (exported.source !== undefined) return exported;
  const named = withImport(exported, root);
  if (named !== failure) return named;
  const [, twin] = /^Duplicate resource URN '(urn:.*?)'/.exec(failure.message) ?? [];
  if (twin !== undefined) return { ...failure, message: twinMessage(twin, root) };
  return failure.message.startsWith("SyntaxError: ") ? withSyntaxPlace(failure, root) : failure;
}

/** Pulumi's engine names only the URN. The lines are those that seem to make a resource of that type and name. */
function twinMessage(urn: string, root: string): string {
  const [type, name] = [shortType(typeOf(urn)), nameOf(urn)];
  const made = new RegExp(
    `new\\s+[\\w.]*\\b${type.split(":").at(-1) ?? ""}\\(\\s*(["'\`])${name.replace(/[.*+?^${}()|[\]\\]/g, "\\$&")}\\1`,
    "g",
  );
  const places = programFiles(root, DEEPEST).flatMap((file) => {
    const text = readFileSync(file, "utf8");
    return [...text.matchAll(made)].map(({ index }) => placeAt(file, text, index, root));
  });
  const where = places.length === 0 ? "" : ` (${places.join(", ")})`;
  return `two resources of type ${type} are named "${name}"${where}. Give one of them another name`;
}

function withSyntaxPlace(failure: Failure, root: string): Failure {
  const files = programFiles(root, DEEPEST).slice(0, MOST_FILES);
  const source = refused(files, root);
  return source === undefined ? failure : { ...failure, source };
}

const DEEPEST = 3;
/** Each file takes a process. */
const MOST_FILES = 30;

/** Returns the first file that Node can't parse, with its line. */
function refused(files: readonly string[], root: string): string | undefined {
  for (const file of files) {
    const { status, stderr } = spawnSync(process.execPath, ["--check", file], { encoding: "utf8" });
    const line = /:(\d+)$/.exec(stderr.split("\n")[0] ?? "")?.[1];
    if (status !== 0 && line !== undefined) return `${relative(root, file)}:${line}`;
  }
  return undefined;
}

function placeAt(file: string, text: string, index: number, root: string): string {
  return `${relative(root, file)}:${text.slice(0, index).split("\n").length}`;
}

function programFiles(folder: string, depth: number): string[] {
  return readdirSync(folder, { withFileTypes: true }).flatMap((entry) => {
    const path = join(folder, entry.name);
    if (entry.isFile()) return /\.[cm]?[jt]s$/.test(entry.name) ? [path] : [];
    const skipped = entry.name.startsWith(".") || ["node_modules", "dist"].includes(entry.name);
    return entry.isDirectory() && depth > 0 && !skipped ? programFiles(path, depth - 1) : [];
  });
}

const MISSING_EXPORT = /^\s*SyntaxError: The requested module '([^']+)' does not provide an export named '([^']+)'$/m;
const IMPORT = /(?:import|export)\s+(?:type\s+)?([^;"'()]*?)\s*from\s*(["'])([^"'\n]+)\2/g;

/** Adds the place to the failure if one of `files` imports that name. */
function withMissingExport(failure: Failure, root: string, files: () => readonly string[]): Failure {
  const [, module, name] = MISSING_EXPORT.exec(failure.message) ?? [];
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

/** Returns the names of the other module that an import or export clause asks for. */
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

const MISSING_MODULE =
  /^(?:Error(?: \[\w+\])?: )?(?:Cannot find module|Directory import) '([^']+)'(?: is not supported resolving ES modules)? imported from (\S+)/;
const ENDINGS = [".ts", ".mts", ".cts", ".js", ".mjs", ".cjs", ".json", "/index.ts", "/index.js"];

/** Adds the place and the remedy to a failure about an import of the project's own files. */
export function withImport(failure: Failure, root: string): Failure {
  const [, target, importer] = MISSING_MODULE.exec(failure.message) ?? [];
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

/** Returns a file of that name with an ending, or with another one: compilers want `./lib.js` written for lib.ts. */
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

// Reduces a program's failure to its message and the line of the user's own code. Pure.

const FRAME = /^\s+at\s/;
const PLACE = /\(?((?:file:\/\/|\/|[A-Za-z]:\\)[^()]*?):(\d+):(\d+)\)?$/;
/** The SDK's words before the message. */
const PREAMBLE =
  /^(?:(?:Running program .* failed with an unhandled exception:|Unhandled exception: |Error: (?=\w*Error: )|<.*> ?)\s*)+/;
/** Lines that Node prints around an error. */
const NOISE = /^\s*(Node\.js v\d.*|[{}]|(code|url): '.*',?|\.\.\. \d+ lines matching cause stack trace \.\.\.)\s*$/;
/** Messages of the SDK and Node.js in the words of this command line. */
const REWORDED: readonly [RegExp, string][] = [
  [/(Cannot find package '.*?' imported from \S+)/, "$1. Add it to package.json, and run npm install"],
  [
    /^(?:.*\n)*SyntaxError: (?:Cannot use import statement outside a module|Unexpected token 'export')$/,
    `The program is an ES module (import, export), and is read as CommonJS, because package.json says "type": "commonjs" or the file's name ends in .cjs or .cts. Write "type": "module" in package.json, or load packages with require()`,
  ],
  [
    /^ReferenceError: (require|exports|module) is not defined in ES module scope(?:.*\n?)*$/,
    `The program is CommonJS ($1), and is read as an ES module, because package.json says "type": "module" or the file's name ends in .mjs or .mts. Write import * as landform from "landform", or take "type" out of package.json`,
  ],
  [
    /^(?:Error: )?require\(\) cannot be used on an ESM graph with top-level await(?:.*\n?)*$/,
    `The program has an \`await\` outside of functions, and package.json doesn't say that it is an ES module. Write "type": "module" in package.json`,
  ],
  [
    /^TSError: (?:.*\n)*.*'?moduleResolution(?:.*\n?)*$/,
    `$& Pulumi compiles the program here with the tsconfig.json beside it. Write "module": "nodenext" there, without moduleResolution; or let Node.js run it as it is: options: { typescript: false } under runtime in Pulumi.yaml, and "type": "module" in package.json`,
  ],
];
/** The SDK names the command of Pulumi that sets a value. */
const UNSET = /\s+please set a value using the command `pulumi config set (--secret )?(\S+) <value>`/;
/** The chain of modules that led to a missing one. The first is the user's, and the rest doesn't help. */
const REQUIRED_BY = /^Require stack:\n((?:- .*\n?)+)/m;
const REQUIRE_STACK = /\n\s*requireStack: \[[^\]]*\]/;

interface Explained {
  message: string;
  /** file:line:column, relative to the project's folder. */
  source?: string;
  advice?: readonly Advice[];
}

/** Removes the stack from the message, and finds the place in the stack. */
export function explainProgramError(text: string, root: string): Explained {
  const lines = withoutRequireStack(stripVTControlCharacters(text)).split("\n");
  const frames = lines.filter((line) => FRAME.test(line));
  const words = lines.filter((line) => !FRAME.test(line));
  const source = [...words, ...frames].map((line) => placeIn(line, root)).find((place) => place !== undefined);
  const kept = words.filter((line) => !NOISE.test(line) && (source === undefined || !line.trim().endsWith(source)));
  const plain = kept
    .join("\n")
    .replace(PREAMBLE, "")
    .replace(/\n{2,}/g, "\n")
    .replaceAll(`${root}/`, "")
    .trim();
  const reworded = REWORDED.reduce((said, [theirs, ours]) => said.replace(theirs, ours), plain);
  const message = reworded.replace(UNSET, "");
  const advice = setting(UNSET.exec(reworded));
  return { message: message === "" ? text.trim() : message, source, ...(advice && { advice: [advice] }) };
}

function setting(unset: RegExpExecArray | null): Advice | undefined {
  const [, secret, key] = unset ?? [];
  if (key === undefined) return undefined;
  // The value of a secret is asked for: a command line is kept by the shell.
  const given = secret === undefined ? [key, "VALUE"] : ["--secret", key];
  return { command: "config set", arguments: given, reason: "sets it." };
}

function withoutRequireStack(text: string): string {
  return text
    .replace(REQUIRE_STACK, "")
    .replace(REQUIRED_BY, (_, modules: string) => `required by ${modules.split("\n")[0]?.slice(2) ?? ""}\n`);
}

/** Returns the place if a line names a file of the project, outside its node_modules. */
function placeIn(line: string, root: string): string | undefined {
  const found =
    PLACE.exec(line.trim().replace(/ \{$/, "")) ?? /((?:file:\/\/|\/)[^\s:()]+):(\d+)(?::(\d+))?$/.exec(line.trim());
  if (!found?.[1]) return undefined;
  const path = found[1].startsWith("file:") ? fileURLToPath(found[1]) : found[1];
  const inside = relative(root, path);
  const foreign = inside.startsWith("..") || isAbsolute(inside) || inside.split(sep).includes("node_modules");
  return foreign ? undefined : [inside, found[2], found[3]].filter((part) => part !== undefined).join(":");
}
