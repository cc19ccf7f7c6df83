/** Joins a new project to its folder. It overwrites nothing, and writes nothing if a file is in the way. */
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { basename, dirname, isAbsolute, join, resolve } from "node:path";
import { UsageError } from "../../stack/exit/codes.ts";
import { makeFolder, projectFileIn } from "../../stack/project/files.ts";
import { packageRoot, version } from "../../stack/project/package.ts";

export interface NewFile {
  path: string;
  /** Returns the whole text from the present one. Undefined keeps the present text. */
  text: (present: string | undefined) => string | undefined;
  about: string;
  /** The file may already exist. Other files are never overwritten. */
  joins?: true;
}

export interface Written {
  path: string;
  about: string;
}

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
  // A project file of the other kind is in the way, too: the program would run in place of the manifest, and delete its objects.
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

export interface PackageJson {
  type?: string;
  main?: string;
  dependencies?: Record<string, string>;
  devDependencies?: Record<string, string>;
}

/** Returns undefined if nothing is missing. Present entries keep their version, order and indentation. */
export function withDependencies(
  present: string,
  wanted: Required<Pick<PackageJson, "dependencies">> & Pick<PackageJson, "devDependencies">,
): string | undefined {
  const content = JSON.parse(present) as PackageJson;
  const known = { ...content.dependencies, ...content.devDependencies };
  const joined = (["dependencies", "devDependencies"] as const).flatMap((group) => {
    const missing = Object.entries(wanted[group] ?? {}).filter(([name]) => known[name] === undefined);
    const all = [...Object.entries(content[group] ?? {}), ...missing].sort(([a], [b]) => (a < b ? -1 : 1));
    return missing.length === 0 ? [] : [[group, Object.fromEntries(all)] as const];
  });
  if (joined.length === 0) return undefined;
  const indentation = /^[ \t]+/m.exec(present)?.[0] ?? "  ";
  const end = present.endsWith("\n") ? "\n" : "";
  return `${JSON.stringify({ ...content, ...Object.fromEntries(joined) }, undefined, indentation)}${end}`;
}

export function ignoring(lines: string): (present: string | undefined) => string | undefined {
  return (present) => {
    if (present === undefined) return lines;
    const there = new Set(present.split(/\r?\n/).map((line) => line.trim().replace(/^\/|\/$/g, "")));
    const wanted = lines.split("\n").filter((line) => line !== "");
    const missing = wanted.filter((line) => !line.startsWith("#") && !there.has(line.replace(/\/$/, "")));
    if (missing.length === 0) return undefined;
    return `${present}${present === "" || present.endsWith("\n") ? "" : "\n"}${missing.join("\n")}\n`;
  };
}

export interface Origin {
  spec: string;
  /** A file or folder that only this machine has. */
  local: string | undefined;
  /** The file was there when Landform was installed, and is not there now. */
  isGone?: true;
}

export function origin(root = packageRoot, ownVersion = version): Origin {
  const parent = dirname(root);
  // A checkout was installed from nowhere.
  if (basename(parent) !== "node_modules") return fromFile(root);
  const resolved = resolvedIn(parent, basename(root));
  if (resolved === undefined || /^https?:/.test(resolved)) return { spec: `^${ownVersion}`, local: undefined };
  if (!resolved.startsWith("file:")) return { spec: resolved, local: undefined };
  const path = resolved.slice("file:".length);
  const file = isAbsolute(path) ? path : resolve(dirname(parent), path);
  // npm can't install the folder in node_modules in its place: it has no sources to build.
  return { ...fromFile(file), ...(!existsSync(file) && { isGone: true }) };
}

function fromFile(path: string): Origin {
  return { spec: `file:${path}`, local: path };
}

/** npm notes the source of each package in `node_modules`. Other installers don't, and then it was a registry. */
function resolvedIn(folder: string, name: string): string | undefined {
  const file = join(folder, ".package-lock.json");
  if (!existsSync(file)) return undefined;
  try {
    const { packages = {} } = JSON.parse(readFileSync(file, "utf8")) as {
      packages?: Record<string, { resolved?: unknown; link?: boolean }>;
    };
    const found = packages[`node_modules/${name}`]?.resolved;
    return typeof found === "string" ? found : undefined;
  } catch {
    // Only a convenience is lost.
    return undefined;
  }
}
