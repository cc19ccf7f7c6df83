/** The files of a program that may hold its texts: code, and data beside it. */
import { readdirSync, readFileSync, statSync } from "node:fs";
import { stripTypeScriptTypes } from "node:module";
import { extname, join } from "node:path";
import { literalsIn, type Literal } from "./literals.ts";

export interface ProgramFile {
  /** Absolute. */
  readonly path: string;
  readonly text: string;
  readonly kind: "code" | "json" | "plain";
  /** None of a plain file: all of it is text. */
  readonly literals: readonly Literal[];
}

const CODE = /^\.[cm]?[jt]s$/;
const PLAIN = new Set([".md", ".txt", ".html", ".csv", ".tsv", ".yaml", ".yml", ".xlf"]);
const LEFT_OUT =
  /^(?:package(?:-lock)?\.json|tsconfig.*\.json|Pulumi(?:\..+)?\.ya?ml|.*\.d\.[cm]?ts|.*\.(?:test|spec)\.[cm]?[jt]s|.*\.config\.[cm]?[jt]s)$/;
const NO_FOLDER = new Set(["node_modules", "dist", "build", "coverage"]);
const LARGEST_BYTES = 4 * 1024 * 1024;
const DEEPEST = 6;

export function programFiles(folder: string, depth = 0): ProgramFile[] {
  return readdirSync(folder, { withFileTypes: true }).flatMap((entry) => {
    const path = join(folder, entry.name);
    if (entry.name.startsWith(".")) return [];
    if (entry.isDirectory()) return depth < DEEPEST && !NO_FOLDER.has(entry.name) ? programFiles(path, depth + 1) : [];
    const kind = entry.isFile() && !LEFT_OUT.test(entry.name) ? kindOf(extname(entry.name)) : undefined;
    if (kind === undefined || statSync(path).size > LARGEST_BYTES) return [];
    const text = readFileSync(path, "utf8");
    if (text.includes("\ufffd") || text.includes("\0")) return [];
    return [{ path, text, kind, literals: kind === "plain" ? [] : literalsIn(text) }];
  });
}

function kindOf(extension: string): ProgramFile["kind"] | undefined {
  if (CODE.test(extension)) return "code";
  return extension === ".json" ? "json" : PLAIN.has(extension) ? "plain" : undefined;
}

/** Whether the text can be read as what it is; undefined where it can't be told. */
export function isSound({ kind, path }: Pick<ProgramFile, "kind" | "path">, text: string): boolean {
  if (kind === "plain") return true;
  try {
    if (kind === "json") JSON.parse(text.replace(/^\ufeff/, ""));
    else quietly(() => stripTypeScriptTypes(text, { mode: "transform", sourceUrl: path }));
    return true;
  } catch {
    return false;
  }
}

/** Node warns that this function of its own may change (24, 2026-11). */
function quietly(work: () => unknown): void {
  const own = Object.getOwnPropertyDescriptor(process, "emitWarning") ?? {};
  process.emitWarning = () => undefined;
  try {
    work();
  } finally {
    Object.defineProperty(process, "emitWarning", own);
  }
}
