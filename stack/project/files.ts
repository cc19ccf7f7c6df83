/** Files with fixed names: those that make a folder a project, and those that options name. */
import {
  accessSync,
  closeSync,
  constants,
  existsSync,
  lstatSync,
  mkdirSync,
  openSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { dirname, join, resolve } from "node:path";
import type { ProgramOptions } from "../../engine/index.ts";
import { write } from "../../provider/ledger/owned-files.ts";
import { explained, UsageError } from "../exit/codes.ts";

/** The file of a project that is no program. */
export const MANIFEST = "landform.yaml";

/** The file of a program, which comes before a manifest. */
export function programFileIn(dir: string): string | undefined {
  return ["Pulumi.yaml", "Pulumi.yml"].find((file) => existsSync(join(resolve(dir), file)));
}

export function projectFileIn(dir: string): string | undefined {
  return programFileIn(dir) ?? [MANIFEST].find((file) => existsSync(join(resolve(dir), file)));
}

/** Makes the parent folders and checks that the file can be written. An existing file stays as it is. */
export function checkFile(file: string, option: string): void {
  try {
    if (lstatSync(file, { throwIfNoEntry: false })?.isSymbolicLink() === true && !isDevice(file))
      throw new UsageError(
        `${option} ${file} is a symbolic link, and nothing is written through one; name the file itself`,
      );
    if (existsSync(file)) {
      if (statSync(file).isDirectory()) throw new UsageError(`${option} ${file} is a folder; name a file`);
      accessSync(file, constants.W_OK);
      return;
    }
    makeFolder(dirname(resolve(file)));
    closeSync(openSync(file, "a"));
    rmSync(file);
  } catch (error) {
    throw explained(error, `${option} ${file} can't be written`);
  }
}

/** Makes a folder with its parents. `mkdir` with `recursive` never ends where a system makes no folders, as in /proc. */
export function makeFolder(folder: string): void {
  if (existsSync(folder) && statSync(folder).isDirectory()) return;
  if (dirname(folder) !== folder) makeFolder(dirname(folder));
  mkdirSync(folder);
}

/** Writes a file that only its owner can read, and follows no link. A device or a pipe gets the text as it is. */
export function writePrivate(file: string, text: string): void {
  if (isDevice(file)) writeFileSync(file, text);
  else write(file, text);
}

function isDevice(file: string): boolean {
  return statSync(file, { throwIfNoEntry: false })?.isFile() === false;
}

export function readNamed(file: string, option: string): string {
  try {
    if (existsSync(file) && statSync(file).isDirectory())
      throw new UsageError(`${option} ${file} is a folder; name a file`);
    return readFileSync(file, "utf8");
  } catch (error) {
    throw explained(error, `${option} ${file} can't be read`);
  }
}

/** Returns the program's file for the folder or the file that Pulumi.yaml names. */
export function programFile(root: string, program: ProgramOptions): string {
  const entry = join(program.entry?.startsWith("/") === true ? "/" : root, program.entry ?? ".");
  if (!existsSync(entry)) throw new UsageError(`the program ${entry} does not exist; check \`main\` in Pulumi.yaml`);
  if (!statSync(entry).isDirectory()) return entry;
  const described = join(entry, "package.json");
  const main = existsSync(described)
    ? (JSON.parse(readFileSync(described, "utf8")) as { main?: string }).main
    : undefined;
  const names = [...(main === undefined ? [] : [main]), "index.ts", "index.js", "index.mjs", "index.cjs"];
  const found = names.map((name) => join(entry, name)).find((file) => existsSync(file));
  if (found === undefined) throw new UsageError(`there is no program in ${entry}: no ${names.join(", no ")}`);
  return found;
}

export function noProject(root: string): UsageError {
  return new UsageError(`there is neither Pulumi.yaml nor ${MANIFEST} in ${root}; -C DIR names another folder`, {
    advice: [{ command: "init", arguments: [], reason: "makes a project." }],
  });
}
