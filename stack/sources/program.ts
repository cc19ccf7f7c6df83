/** Reads the texts of a program with their places: literals of its code, and values of the data beside it. */
import { readdirSync, readFileSync, statSync } from "node:fs";
import { basename, extname, join, relative } from "node:path";
import { leavesIn, type Place, SourceFile } from "../../manifest/index.ts";
import { type Literal, literalsIn } from "../../manifest/write/literals.ts";

interface ProgramText {
  readonly place: Place;
  readonly value: string;
  /** `cell`: a value of a data file. */
  readonly role: Literal["role"] | "cell";
}

interface ProgramFile {
  readonly file: SourceFile;
  readonly isCode: boolean;
  /** Empty for a data file that is one text. */
  readonly texts: readonly ProgramText[];
}

const CODE = /^\.[cm]?[jt]s$/;
const DATA = new Set([".json", ".md", ".txt", ".html", ".csv", ".tsv", ".yaml", ".yml", ".xlf"]);
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
    const isCode = CODE.test(extname(path));
    const counts = entry.isFile() && !LEFT_OUT.test(entry.name) && (isCode || DATA.has(extname(path)));
    if (!counts || statSync(path).size > LARGEST_BYTES) return [];
    const text = readFileSync(path, "utf8");
    if (text.includes("\ufffd") || text.includes("\0")) return [];
    const name = relative(process.cwd(), path) || basename(path);
    const file = new SourceFile(path, name, text.replace(/^\uFEFF/, ""));
    return [{ file, isCode, texts: isCode ? literalsOf(file) : cellsOf(file) }];
  });
}

function literalsOf(file: SourceFile): ProgramText[] {
  return literalsIn(file.text).map(({ value, role, start, end }) => ({ value, role, place: { file, start, end } }));
}

function cellsOf(file: SourceFile): ProgramText[] {
  return leavesIn(file).flatMap(({ value, place }) =>
    typeof value === "string" ? [{ value, place, role: "cell" as const }] : [],
  );
}
