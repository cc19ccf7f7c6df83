/** Reduces a program's failure to its message and the line of the user's own code. Pure. */
import { isAbsolute, relative, sep } from "node:path";
import { fileURLToPath } from "node:url";
import { stripVTControlCharacters } from "node:util";
import type { Advice, Failure } from "./model.ts";

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

/** Removes the stack from the message, and finds the place in the stack, relative to the project's folder. */
export function explainProgramError(text: string, root: string): Pick<Failure, "message" | "source" | "advice"> {
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
