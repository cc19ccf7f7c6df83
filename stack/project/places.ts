/** Lines of the program that neither Node nor the engine tells: of syntax errors in ES modules, of names taken twice. */
import { spawnSync } from "node:child_process";
import { readdirSync, readFileSync } from "node:fs";
import { join, relative } from "node:path";
import { nameOf, shortType, typeOf } from "../../engine/index.ts";
import type { Failure } from "../report/model.ts";
import { withMissingExport } from "./missing-export.ts";
import { withImport } from "./missing-module.ts";

export function withPlace(failure: Failure, root: string): Failure {
  const exported = withMissingExport(failure, root, () => programFiles(root, DEEPEST));
  if (exported.source !== undefined) return exported;
  const named = withImport(exported, root);
  if (named !== failure) return named;
  const [, twin] = /^Duplicate resource URN '(urn:.*?)'/.exec(failure.message) ?? [];
  if (twin !== undefined) return { ...failure, message: twinMessage(twin, root) };
  return failure.message.startsWith("SyntaxError: ") ? withSyntaxPlace(failure, root) : failure;
}

/** Pulumi's engine names the URN alone: the lines are those that seem to make a resource of that type and name. */
function twinMessage(urn: string, root: string): string {
  const [type, name] = [shortType(typeOf(urn)), nameOf(urn)];
  const made = new RegExp(
    `new\\s+[\\w.]*\\b${type.split(":").at(-1) ?? ""}\\(\\s*(["'\`])${name.replace(/[.*+?^${}()|[\]\\]/g, "\\$&")}\\1`,
    "g",
  );
  const places = programFiles(root, DEEPEST).flatMap((file) => {
    const text = readFileSync(file, "utf8");
    return [...text.matchAll(made)].map(({ index }) => placeIn(file, text, index, root));
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
/** Each takes a process. */
const MOST_FILES = 30;

/** The first file that Node can't parse, with its line. */
function refused(files: readonly string[], root: string): string | undefined {
  for (const file of files) {
    const { status, stderr } = spawnSync(process.execPath, ["--check", file], { encoding: "utf8" });
    const line = /:(\d+)$/.exec(stderr.split("\n")[0] ?? "")?.[1];
    if (status !== 0 && line !== undefined) return `${relative(root, file)}:${line}`;
  }
  return undefined;
}

function placeIn(file: string, text: string, index: number, root: string): string {
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
