import { existsSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { parse } from "yaml";
import type { NotShown } from "../not-shown.ts";

/** The part of schema/api.yaml that drives the emulator. */
export interface Contract {
  document: OpenapiDocument;
  operations: Operation[];
}

export interface Operation {
  id: string;
  method: string;
  /** The path template of the contract. */
  path: string;
  /** Any one of these scopes is enough. `open` operations need no key. */
  scopes: string[];
  open: boolean;
  /** True if the answer is a new record. */
  creates: boolean;
  query: Parameter[];
  /** Schema of the JSON body, if there is one. */
  body: Schema | undefined;
}

export interface Parameter {
  name: string;
  required?: boolean;
  schema: Schema;
}

export type Schema = Record<string, unknown>;

export interface OpenapiDocument {
  openapi: string;
  servers: { url: string }[];
  paths: Record<string, PathItem>;
  components: Record<string, Record<string, unknown>>;
  [key: string]: unknown;
}

type PathItem = Record<string, unknown>;

interface RawOperation {
  operationId: string;
  security?: unknown[];
  "x-scopes": string[];
  parameters?: unknown[];
  requestBody?: unknown;
  responses: Record<string, unknown>;
}

const methods = ["get", "post", "patch", "delete"];

/** The file lies beside the folder of the sources, and beside dist/ for compiled code. */
const candidates = ["../../schema/api.yaml", "../../../schema/api.yaml"];

let loaded: Contract | undefined;

/** Returns the contract. Every emulator of a process shares it. */
export function loadContract(): Contract {
  return (loaded ??= readContract());
}

function readContract(): Contract {
  const file = candidates.map((path) => fileURLToPath(new URL(path, import.meta.url))).find((path) => existsSync(path));
  if (file === undefined) throw new Error("schema/api.yaml is missing. Install the package again.");
  const document = parse(readFileSync(file, "utf8")) as OpenapiDocument;
  const operations = Object.entries(document.paths).flatMap(([path, item]) =>
    methods.filter((method) => method in item).map((method) => operationOf(document, path, method, item)),
  );
  return { document, operations };
}

function operationOf(document: OpenapiDocument, path: string, method: string, item: PathItem): Operation {
  const raw = item[method] as RawOperation;
  const declared = [...((item["parameters"] as unknown[] | undefined) ?? []), ...(raw.parameters ?? [])];
  const parameters = declared.map((entry) => resolve(document, entry) as Parameter & { in: string });
  const body = resolve(document, raw.requestBody) as { content: Record<string, { schema: Schema }> } | undefined;
  return {
    id: raw.operationId,
    method: method.toUpperCase(),
    path,
    scopes: raw["x-scopes"],
    open: raw.security?.length === 0,
    creates: "201" in raw.responses,
    query: parameters.filter((parameter) => parameter.in === "query"),
    body: body?.content["application/json"]?.schema,
  };
}

/** Follows a reference into the components. */
export function resolve(document: OpenapiDocument, entry: unknown): unknown {
  const ref = (entry as { $ref?: string } | undefined)?.$ref;
  if (ref === undefined) return entry;
  const [kind, name] = ref.split("/").slice(2);
  return resolve(document, document.components[kind ?? ""]?.[name ?? ""]);
}

/** Returns the real path of an operation: switches set the paths that the specification does not show. */
export function pathOf(operation: { id: string; path: string }, notShown: NotShown): string {
  switch (operation.id) {
    case "getProduct":
    case "deleteProduct":
      return notShown.productPath;
    case "searchPages":
      return notShown.searchPagesPath;
    case "searchTemplates":
      return notShown.searchTemplatesPath;
    case "getAccountCounts":
      return notShown.countsPath;
    default:
      return operation.path;
  }
}

/** Returns the contract of this server, with its real paths and base address. */
export function describe({ document, operations }: Contract, notShown: NotShown, baseUrl: string): OpenapiDocument {
  const moved = new Map(operations.map((operation) => [operation.path, pathOf(operation, notShown)]));
  const paths: Record<string, PathItem> = {};
  for (const [path, item] of Object.entries(document.paths)) {
    const actual = moved.get(path) ?? path;
    paths[actual] = { ...paths[actual], ...renameParameters(document, item, parametersOf(actual)) };
  }
  return { ...document, servers: [{ url: baseUrl }], paths };
}

export function parametersOf(path: string): string[] {
  return [...path.matchAll(/\{(\w+)\}/g)].map((match) => match[1] ?? "");
}

function renameParameters(document: OpenapiDocument, item: PathItem, names: string[]): PathItem {
  if (!Array.isArray(item["parameters"])) return item;
  const parameters = item["parameters"].map((entry: unknown, index) => {
    const parameter = resolve(document, entry) as { name: string };
    const name = names[index] ?? parameter.name;
    return name === parameter.name ? entry : { ...parameter, name };
  });
  return { ...item, parameters };
}
