/**
 * Writes an account, or a part of it, as code that a person would have written. The code adopts every object, so the next preview changes nothing.
 * With `asNew`, the code makes a copy.
 */
import { landform } from "../../provider/values/command-line.ts";
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { type Document, parseDocument, type YAMLMap } from "yaml";
import type { LandformApi } from "../../provider/api/index.ts";
import { type Kind, registry } from "../../provider/kinds/registry.ts";
import { counted } from "../../provider/values/wording.ts";
import type { Entry } from "../declare/model.ts";
import { addressOf, type Model, settingsOf } from "../match/model.ts";
import { knownKeys, knownSince } from "../match/objects.ts";
import { type OutsideSources, outsideValues } from "../match/spelling.ts";
import type { LastApplied } from "../match/values.ts";
import { comment, headComment, leftOutOnly, neverListed } from "../write/comments.ts";
import { ExportError, slug, TextFiles, textFilesIn, writeFiles } from "../write/files.ts";
import { mergeManifest, type Written } from "../write/manifest.ts";
import { NodeWriter, sectionOf } from "../write/nodes.ts";
import { nothingTold } from "../write/shared.ts";
import { withEscapes } from "../write/yaml/text.ts";
import { buildModel } from "./build.ts";
import { type Drafts, draftsIn, entriesGone, knownKeysOfCopy, readExisting, textsOf, usedKeys } from "./existing.ts";
import { type AccountRecords, defaultKinds, readAccount, type ReadOptions } from "./read.ts";
import { type Table, tablesIn, writeTable } from "./tables.ts";
import { isUntouched, keysIn, programFiles, writeTypeScript } from "./typescript.ts";

export { ExportError } from "../write/files.ts";
export type { Applied, LastApplied } from "../match/values.ts";
export type { Drafts } from "./existing.ts";
export type { OutsideSources } from "../match/spelling.ts";
export type { Model, Resource } from "../match/model.ts";
export { defaultKinds, listedKinds, type Progress } from "./read.ts";

export interface ExportOptions extends ReadOptions {
  readonly folder: string;
  readonly format: "yaml" | "typescript";
  /** Writes what repeats as tables, if the folder has no manifest yet. */
  readonly data?: "csv" | undefined;
  /** The source of this package in the package.json of a program. Default: the newest version of the registry. */
  readonly landform?: string;
  /** Leaves out everything that ties the code to the objects of this account, so that it makes copies in another one. */
  readonly asNew?: boolean;
  /** Template ids by page key; the id under "" counts for all other pages. Copies need them, because the API doesn't tell them. */
  readonly templates?: ReadonlyMap<string, string>;
  /** The values that a manifest takes from outside. The export doesn't compare unknown values with the account. */
  readonly outside?: OutsideSources;
  /** The values that the last run of a stack applied. The export doesn't write over later changes of the code. */
  readonly lastApplied?: LastApplied | undefined;
  /** Returns the reason why an object that the code doesn't have is left to others. */
  readonly claimed?: (kind: Kind, id: string) => string | undefined;
  readonly force?: boolean;
}

export interface ExportReport extends Omit<Written, "files" | "standIns"> {
  /** Files that were written, relative to the folder. */
  readonly files: readonly string[];
  /** Configuration keys that a copy needs: the API doesn't tell the values, and no text can stand in for them. */
  readonly settings: readonly string[];
  readonly drafts: Drafts;
  readonly model: Model;
}

export async function exportAccount(api: LandformApi, options: ExportOptions): Promise<ExportReport> {
  const { folder, format } = options;
  // Reports a folder that can't be written before it reads a thousand pages.
  const prepared = format === "yaml" ? prepareYaml(api, folder) : prepareProgram(folder, options.force ?? false);
  const records = await readAccount(api, options);
  const { model, written, base, entries } = await prepared(records, options);
  const drafts = draftsIn(records, model, written, { entries, lastApplied: options.lastApplied });
  const { files: all, standIns, ...told } = written;
  const due = [...all].filter(([path]) => !(standIns.has(path) && existsSync(join(folder, path))));
  const files = writeFiles(folder, new Map(due), base);
  return { ...told, files, settings: settingsOf(model), drafts, model };
}

interface ToWrite {
  readonly model: Model;
  readonly written: Written;
  readonly base: ReadonlyMap<string, string>;
  /** The entries that the code declared before. */
  readonly entries: readonly Entry[];
}

type Prepared = (records: AccountRecords, options: ExportOptions) => Promise<ToWrite> | ToWrite;

function prepareYaml(api: LandformApi, folder: string): Prepared {
  const existing = readExisting(folder);
  return async (records, options) => {
    const entries = existing?.entries ?? [];
    const { keys: known, letGo } = options.asNew
      ? { keys: knownKeysOfCopy(entries, records) }
      : knownSince(entries, records, options.lastApplied);
    const reserved = usedKeys(entries);
    const model = buildModel(records, { ...options, known, ...(letGo && { letGo }), refersToKnown: true, reserved });
    if (!existing) {
      const texts = TextFiles.beside(folder);
      const found = options.data === "csv" ? tablesIn(model, texts) : { model, tables: [] };
      return { model: found.model, written: writeYaml(found.model, texts, found.tables), base: new Map(), entries };
    }
    const gone = options.asNew ? [] : await entriesGone(api, entries, records, options);
    const outside = outsideValues(options.outside ?? { env: {} });
    const written = mergeManifest(model, existing, {
      taken: textFilesIn(folder),
      outside,
      gone,
      lastApplied: options.lastApplied,
    });
    return { model, written, base: textsOf(existing), entries };
  };
}

function prepareProgram(folder: string, force: boolean): Prepared {
  const path = join(folder, "index.ts");
  const before = existsSync(path) ? readFileSync(path, "utf8") : "";
  if (before !== "" && !isUntouched(before) && !force) {
    throw new ExportError(
      `${path} was edited, or was not written by an export, and a program can't be merged. Nothing was changed. Export into another folder (--out) and compare, or overwrite it with --force.`,
    );
  }
  // The program takes the place of a manifest beside it, so it keeps the keys and the name of the project.
  const existing = before === "" ? readExisting(folder) : undefined;
  return (records, options) => {
    const known = existing ? knownKeys(existing.entries, records, options.lastApplied) : keysIn(before);
    const model = asDeclared(buildModel(records, { ...options, known }), options.lastApplied);
    if (!force) refuseToDrop(path, model, keysIn(before), options);
    // The files that the earlier program reads belong to it.
    const texts = TextFiles.beside(folder, (path) => before.includes(`text("${path}")`));
    const program = writeTypeScript(model, texts);
    const name = existing?.loaded.name ?? slug(model.name, "account");
    const around = Object.entries(programFiles(name, options.landform ?? "latest")).filter(
      ([file]) => !existsSync(join(folder, file)),
    );
    const files = new Map([...texts.files, ...around, ["index.ts", program]]);
    const added = before === "" ? model.resources.map(addressOf) : [];
    const written = { ...nothingTold(), files, standIns: texts.standIns, added };
    return { model, written, base: new Map(), entries: [] };
  };
}

/** Keeps only the declared fields of an object that a run has made. The service sets the others, and declaring them would be a change. */
function asDeclared(model: Model, lastApplied: LastApplied | undefined): Model {
  const resources = model.resources.map((resource) => {
    const { kind, key, id, inputs } = resource;
    const applied = lastApplied?.(registry[kind].type, key);
    if (applied === undefined || applied.id !== id) return resource;
    const declared = Object.entries(inputs).filter(([field]) => field in applied.inputs);
    return { ...resource, inputs: Object.fromEntries(declared) };
  });
  return { ...model, resources };
}

/** Refuses if the new program would drop resources: it replaces the old one, and the next up deletes undeclared resources. */
function refuseToDrop(
  path: string,
  { resources }: Model,
  before: ReturnType<typeof keysIn>,
  { project, include = defaultKinds }: ExportOptions,
): void {
  const there = new Set(resources.map(addressOf));
  const dropped = [...before].flatMap(([kind, keys]) =>
    [...keys.values()]
      .filter((key) => !there.has(addressOf({ kind, key })) && (project !== undefined || !include.includes(kind)))
      .map((key) => addressOf({ kind, key })),
  );
  if (dropped.length === 0) return;
  throw new ExportError(
    `${path} declares ${counted(dropped.length, "resource")} that this export leaves out (${dropped.slice(0, 5).join(", ")}), and up would delete ${dropped.length === 1 ? "it" : "them"}. ` +
      `Export without --project and --include, into another folder (--out), or leave them out with --force.`,
  );
}

const MANIFEST = "landform.yaml";

export function writeYaml(model: Model, texts = new TextFiles(), tables: readonly Table[] = []): Written {
  const writer = new NodeWriter(texts, ".");
  const document = freshDocument(model);
  const top = document.contents as YAMLMap;
  for (const [kind, resources] of Map.groupBy(model.resources, (resource) => resource.kind)) {
    const own = tables.filter((table) => table.kind === kind);
    const inTables = new Set(own.flatMap(({ rows }) => rows.map(({ resource }) => resource)));
    const single = resources.filter((one) => !inTables.has(one));
    const written = own.map((table) => writeTable(table, writer, texts));
    top.items.push(sectionOf(model, kind, single, writer, written));
  }
  document.comment = comment([...leftOutOnly(model), ...neverListed()], " ");
  const files = new Map([...texts.files, [MANIFEST, withEscapes(document.toString(STYLE))]]);
  return { ...nothingTold(), files, standIns: texts.standIns, added: model.resources.map(addressOf) };
}

const STYLE = { lineWidth: 0, indent: 2, indentSeq: true, doubleQuotedMinMultiLineLength: Number.MAX_SAFE_INTEGER };

function freshDocument(model: Model): Document {
  const later = `"${landform("export")}" merges later changes into this file.`;
  const name = slug(model.name, "account");
  const text = [
    "# yaml-language-server: $schema=node_modules/landform/schema/landform.schema.json",
    comment(headComment(model, later), "# "),
    "landform: 1",
    `name: ${name}`,
    "",
  ].join("\n");
  return parseDocument(text);
}
