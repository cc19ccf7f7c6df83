/**
 * Export: an account, or a part of it, as code that a person would have written. What is written adopts every object, so
 * that the next preview changes nothing; as new, it makes a copy.
 */
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import type { LandformApi } from "../../provider/api/index.ts";
import { buildModel } from "./build.ts";
import { ExportError } from "./errors.ts";
import { knownKeys, readExisting, usedKeys } from "./existing.ts";
import { addressOf, type Model } from "./model.ts";
import { programFiles } from "./project.ts";
import { readAccount, type AccountRecords, type ReadOptions } from "./read.ts";
import { TextFiles } from "./texts.ts";
import { isUntouched, keysIn, writeTypeScript } from "./typescript.ts";
import { writeYaml, type Written } from "./yaml.ts";

export { compareModels, type Comparison, type Difference, type FieldDifference } from "./compare.ts";
export { comparisonText } from "./compare-text.ts";
export { openSide } from "./sides.ts";
export { ExportError } from "./errors.ts";
export type { Model, Resource } from "./model.ts";
export { defaultKinds, type Progress } from "./read.ts";

export interface ExportOptions extends ReadOptions {
  /** Where the code is, or is to be. */
  readonly folder: string;
  readonly format: "yaml" | "typescript";
  /** Leave out what ties the code to the objects of this account, so that it makes copies in another one. */
  readonly asNew?: boolean;
  /** Template ids by page key, under "" for all other pages: the API doesn't tell. For copies. */
  readonly templates?: ReadonlyMap<string, string>;
  /** Overwrite a program that was edited. */
  readonly force?: boolean;
}

export interface ExportReport extends Omit<Written, "files"> {
  /** Files that were written, relative to the folder. */
  readonly files: readonly string[];
  readonly model: Model;
}

export async function exportAccount(api: LandformApi, options: ExportOptions): Promise<ExportReport> {
  const { folder, format } = options;
  // What can't be written is told before a thousand pages are read.
  const prepared = format === "yaml" ? prepareYaml(folder) : prepareProgram(folder, options.force ?? false);
  const records = await readAccount(api, options);
  const { model, written } = prepared(records, options);
  mkdirSync(folder, { recursive: true });
  const files = [...written.files].filter(([path, text]) => writeIfChanged(join(folder, path), text));
  return { ...written, files: files.map(([path]) => path), model };
}

type Prepared = (records: AccountRecords, options: ExportOptions) => { model: Model; written: Written };

function prepareYaml(folder: string): Prepared {
  const existing = readExisting(folder);
  return (records, options) => {
    const { asNew = false } = options;
    const entries = existing?.entries ?? [];
    const known = knownKeys(entries, records);
    const model = buildModel(records, { ...options, known, reserved: usedKeys(entries) });
    return { model, written: writeYaml(model, existing, asNew, existing ? contentFiles(folder) : []) };
  };
}

function prepareProgram(folder: string, force: boolean): Prepared {
  const path = join(folder, "index.ts");
  const before = existsSync(path) ? readFileSync(path, "utf8") : "";
  if (before !== "" && !isUntouched(before) && !force) {
    throw new ExportError(
      `${path} was edited, or was not written by an export, and a program can't be merged. ` +
        `Nothing was changed. Export into another folder (--out) and compare, or overwrite it with --force.`,
    );
  }
  return (records, options) => {
    const { asNew = false } = options;
    const model = buildModel(records, { ...options, known: keysIn(before) });
    const texts = new TextFiles();
    const program = writeTypeScript(model, texts, asNew);
    const around = Object.entries(programFiles(model.name)).filter(([name]) => !existsSync(join(folder, name)));
    const files = new Map([...texts.files, ...around, ["index.ts", program]]);
    const added = before === "" ? model.resources.map(addressOf) : [];
    return { model, written: { files, added, updated: [], gone: [], kept: [] } };
  };
}

function contentFiles(folder: string): string[] {
  const content = join(folder, "content");
  if (!existsSync(content)) return [];
  const names = readdirSync(content, { recursive: true, encoding: "utf8" });
  return names.map((name) => `content/${name.replaceAll("\\", "/")}`);
}

function writeIfChanged(path: string, text: string): boolean {
  if (existsSync(path) && readFileSync(path, "utf8") === text) return false;
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, text);
  return true;
}
