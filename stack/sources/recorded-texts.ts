/** The texts that the last run applied, as the state holds them, secrets left out. Pure. */
import { join } from "node:path";
import { type ExportedStack, isRecord, nameOf, type Json, type PropertyPath } from "../../engine/index.ts";
import { rendered } from "../../manifest/index.ts";
import { shortName } from "../report/steps.ts";

export interface RecordedObject {
  readonly urn: string;
  readonly type: string;
  readonly name: string;
  readonly id: string | undefined;
  readonly url: string | undefined;
  readonly editUrl: string | undefined;
  /** Where the program declares it. */
  readonly declaredAt:
    { readonly file: string; readonly name: string; readonly line: number; readonly column: number } | undefined;
}

export interface RecordedText {
  readonly object: RecordedObject;
  readonly path: PropertyPath;
  /** As declared. */
  readonly value: string;
  /** As visitors see it. */
  readonly shown: string;
  readonly variables: Readonly<Record<string, string>>;
}

interface Stored {
  readonly urn: string;
  readonly type: string;
  readonly id?: string | undefined;
  readonly inputs?: Record<string, Json> | undefined;
  readonly outputs?: Record<string, Json> | undefined;
  readonly sourcePosition?: string | undefined;
  readonly delete?: boolean | undefined;
}

export function recordedIn(
  { deployment }: ExportedStack,
  root: string,
): { objects: RecordedObject[]; texts: RecordedText[] } {
  const stored = ((deployment.resources ?? []) as readonly Stored[]).filter(
    (one) => one.delete !== true && one.type.startsWith("pulumi-nodejs:dynamic/landform:"),
  );
  const found = stored.map((one) => ({ object: objectOf(one, root), inputs: one.inputs ?? {} }));
  return {
    objects: found.map(({ object }) => object),
    texts: found.flatMap(({ object, inputs }) => {
      const variables = textsOnly(inputs["variables"] ?? null);
      return textsIn(inputs, []).map(({ path, value }) => ({
        object,
        path,
        value,
        shown: path[0] === "content" ? rendered(value, variables) : value,
        variables,
      }));
    }),
  };
}

function objectOf({ urn, type, id, outputs = {}, sourcePosition = "" }: Stored, root: string): RecordedObject {
  const text = (value: Json | undefined): string | undefined =>
    typeof value === "string" && value !== "" ? value : undefined;
  return {
    urn,
    type: shortName(type),
    name: nameOf(urn),
    id,
    url: text(outputs["url"]),
    editUrl: text(outputs["editUrl"]),
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

function textsOnly(value: Json): Record<string, string> {
  if (!isRecord(value)) return {};
  return Object.fromEntries(
    Object.entries(value).filter((entry): entry is [string, string] => typeof entry[1] === "string"),
  );
}
