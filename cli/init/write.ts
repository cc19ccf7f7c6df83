/** Writes the files of a new project. Nothing is overwritten, and nothing is written where something is in the way. */
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { UsageError } from "../../stack/exit/codes.ts";
import { makeFolder, projectFileIn } from "../../stack/project/files.ts";
import type { PackageJson } from "./present.ts";

export interface NewFile {
  path: string;
  /** The whole text, from what is there already. Undefined: what is there stays. */
  text: (present: string | undefined) => string | undefined;
  about: string;
  /** May be there already; anything else is never overwritten. */
  joins?: true;
}

export interface Written {
  path: string;
  about: string;
}

/** Undefined where there is none. */
export function presentPackage(folder: string): PackageJson | undefined {
  const file = join(folder, "package.json");
  if (!existsSync(file)) return undefined;
  try {
    return JSON.parse(readFileSync(file, "utf8")) as PackageJson;
  } catch (error) {
    throw new UsageError(
      `${file} is not JSON, and nothing was written: ${error instanceof Error ? error.message : ""}`,
    );
  }
}

export function writeProject(folder: string, files: readonly NewFile[]): Written[] {
  const own = files.filter(({ path, joins }) => joins !== true && existsSync(join(folder, path)));
  // One of the other kind, too: the program would be run in its place, and what the manifest made be deleted.
  const inTheWay = new Set([...own.map(({ path }) => path), projectFileIn(folder) ?? []].flat());
  if (inTheWay.size > 0) {
    const names = [...inTheWay].join(", ");
    throw new UsageError(`${folder} has ${names} already, and nothing was written. Choose another folder`);
  }
  return files.map((file) => write(folder, file));
}

function write(folder: string, { path, text, about }: NewFile): Written {
  const file = join(folder, path);
  const present = existsSync(file) ? readFileSync(file, "utf8") : undefined;
  const content = text(present);
  if (content === undefined) return { path, about: "is there already, and stays as it is" };
  makeFolder(dirname(file));
  writeFileSync(file, content);
  return { path, about: present === undefined ? about : `is there already; added: ${about}` };
}
