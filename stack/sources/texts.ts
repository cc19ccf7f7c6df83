/** Collects all texts of a project with their places: those that its code declares, and those that the last run applied. It reads only files. */
import { basename, dirname, extname, join, relative } from "node:path";
import {
  type ExportedStack,
  isRecord,
  type Json,
  nameOf,
  type PropertyPath,
  type ResourceState,
} from "../../engine/index.ts";
import { type DeclaredText, declaredTexts, type Place } from "../../manifest/index.ts";
import { rendered, outsideValues } from "../../manifest/match/spelling.ts";
import { outsideIn } from "./compared.ts";
import type { StackFolder } from "../project/open.ts";
import { mapOf } from "../../provider/values/json.ts";
import { shortName } from "../report/steps.ts";

import { programFiles } from "./program.ts";

export interface SourceText {
  readonly place: Place;
  /** The path of the file, relative to the project. */
  readonly name: string;
  readonly value: string;
  readonly declared?: DeclaredText;
  /** True if the text is the whole file. */
  readonly isWhole?: true;
}

export interface ProjectTexts {
  readonly sources: readonly SourceText[];
  readonly objects: readonly RecordedObject[];
  readonly recorded: readonly RecordedText[];
}

/** `state`: undefined if the stack has none yet. */
export function projectTexts(folder: StackFolder, state: ExportedStack | undefined): ProjectTexts {
  const { objects, texts: recorded } = state ? recordedIn(state, folder.root) : { objects: [], texts: [] };
  const sources = folder.manifest ? ofManifest(folder) : ofProgram(folder, recorded);
  return { sources, objects, recorded };
}

function ofManifest(folder: StackFolder): SourceText[] {
  const { root, manifest } = folder;
  if (manifest === undefined) return [];
  const outside = outsideValues(outsideIn(folder));
  const texts = declaredTexts(manifest, (deferred) => {
    const isSecret = deferred.origin.from === "env" && deferred.origin.secret;
    const value = isSecret ? undefined : outside.valueOf(deferred)?.value;
    return typeof value === "string" ? value : undefined;
  });
  return texts.map((declared): SourceText => {
    const { place, value } = declared;
    return { place, name: relative(root, place.file.path), value, declared };
  });
}

/** Data beside the code counts only if the code names it and the last run used it: a run's report is no text of the program. */
function ofProgram({ root }: StackFolder, recorded: readonly RecordedText[]): SourceText[] {
  const files = programFiles(root);
  const isUsed = usedBy(recorded);
  const named = files.flatMap(({ isCode, texts }) => (isCode ? texts.map(({ value }) => value) : []));
  return files.flatMap(({ file, isCode, texts }): SourceText[] => {
    if (!isCode && !isNamed(file.path, root, named)) return [];
    const name = relative(root, file.path);
    const own = texts.flatMap(({ place, value, role }): SourceText[] => {
      const counts = role === "value" || (role === "cell" && isUsed(value));
      return counts && value !== "" ? [{ place, name, value }] : [];
    });
    const isOne = own.length === 0 && !isCode && extname(name) !== ".json";
    return isOne && recorded.some(({ value }) => isPartOf(value, file.text))
      ? [{ place: { file, start: 0, end: file.text.length }, name, value: file.text, isWhole: true }]
      : own;
  });
}

/** Returns a function that tells if the last run applied a value, as a text or as a part of one. */
function usedBy(recorded: readonly RecordedText[]): (value: string) => boolean {
  const whole = new Set(recorded.map(({ value }) => value));
  const all = [...whole].join("\0");
  return (value) => whole.has(value) || all.includes(value);
}

/** Tells if the code names the file: by its name, by its folder, or by its ending if the code puts the name together. */
function isNamed(path: string, root: string, texts: readonly string[]): boolean {
  const [name, ending, folder] = [basename(path), extname(path), relative(root, dirname(path)).replaceAll("\\", "/")];
  return texts.some(
    (text) =>
      text.endsWith(name) || (folder !== "" && (text.endsWith(ending) || text.replace(/^\.\/|\/$/g, "") === folder)),
  );
}

const LEAST_USED = 8;

function isPartOf(applied: string, text: string): boolean {
  const [one, other] = [applied.trim(), text.trim()];
  return other !== "" && (one.includes(other) || (one.length >= LEAST_USED && other.includes(one)));
}

export interface RecordedObject {
  readonly urn: string;
  readonly type: string;
  readonly name: string;
  readonly id: string | undefined;
  readonly url: string | undefined;
  readonly editUrl: string | undefined;
  readonly declaredAt:
    { readonly file: string; readonly name: string; readonly line: number; readonly column: number } | undefined;
}

export interface RecordedText {
  readonly object: RecordedObject;
  readonly path: PropertyPath;
  readonly value: string;
  /** The text that visitors see. */
  readonly shown: string;
  readonly variables: Readonly<Record<string, string>>;
}

function recordedIn({ deployment }: ExportedStack, root: string): { objects: RecordedObject[]; texts: RecordedText[] } {
  const stored = (deployment.resources ?? []).filter(
    (one) => one.delete !== true && one.type.startsWith("pulumi-nodejs:dynamic/landform:"),
  );
  const found = stored.map((one) => ({ object: objectOf(one, root), inputs: one.inputs ?? {} }));
  return {
    objects: found.map(({ object }) => object),
    texts: found.flatMap(({ object, inputs }) => {
      const variables = textsOnly(inputs["variables"]);
      return textsIn(inputs, []).map(({ path, value }) => {
        const shown = path[0] === "content" ? rendered(value, variables) : value;
        return { object, path, value, shown, variables };
      });
    }),
  };
}

function objectOf({ urn, type, id, outputs = {}, sourcePosition = "" }: ResourceState, root: string): RecordedObject {
  const text = (value: Json | undefined): string | undefined =>
    typeof value === "string" && value !== "" ? value : undefined;
  return {
    ...{ urn, type: shortName(type), name: nameOf(urn), id },
    ...{ url: text(outputs["url"]), editUrl: text(outputs["editUrl"]) },
    declaredAt: placeIn(sourcePosition, root),
  };
}

/** `project:///index.ts#4,1` */
function placeIn(position: string, root: string): RecordedObject["declaredAt"] {
  const [, path, line, column = "1"] = /^project:\/\/\/([^#]+)#(\d+)(?:,(\d+))?$/.exec(position) ?? [];
  if (path === undefined) return undefined;
  const name = decodeURIComponent(path);
  return { file: join(root, name), name, line: Number(line), column: Number(column) };
}

function textsIn(value: Json, path: PropertyPath): { path: PropertyPath; value: string }[] {
  if (typeof value === "string") return [{ path, value }];
  if (Array.isArray(value)) return value.flatMap((item, index) => textsIn(item, [...path, index]));
  if (!isRecord(value)) return [];
  const entries = Object.entries(value).filter(([key]) => !key.startsWith("__"));
  return entries.flatMap(([key, item]) => textsIn(item, [...path, key]));
}

function textsOnly(value: Json | undefined): Record<string, string> {
  const isText = (entry: [string, Json]): entry is [string, string] => typeof entry[1] === "string";
  return Object.fromEntries(Object.entries(mapOf(value)).filter(isText));
}
