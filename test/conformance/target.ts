/**
 * The server under test. By default it is an emulator of this repository, one a test file. LANDFORM_CONFORMANCE_URL and LANDFORM_CONFORMANCE_KEY name
 * any other server that claims to be the service. Such a server skips tests that need more than one key, or records that no operation can create.
 */
import { afterAll } from "vitest";
import type { Emulator, EmulatorOptions } from "../../emulator/index.ts";
import { type OperationRow, operations } from "../schema/specification.ts";
import { loadDocument, objectFields, operationsOf, type Schema } from "../schema/openapi.ts";
import { violations } from "../schema/validator.ts";
import { type Fields, list, record } from "./expectations.ts";

const foreignUrl = process.env.LANDFORM_CONFORMANCE_URL;
const foreignKey = process.env.LANDFORM_CONFORMANCE_KEY;

/** True if the server is ours to fill with records, keys and accounts. */
export const ownServer = foreignUrl === undefined;

export interface Call {
  /** The value of the only parameter in the path. */
  at?: string;
  query?: Record<string, string | number | boolean>;
  body?: unknown;
  /** A text that is sent as it is, instead of `body`. */
  raw?: string;
  /** null: no Authorization header. */
  key?: string | null;
  headers?: Record<string, string>;
}

export interface Answer {
  status: number;
  contentType: string;
  text: string;
  /** Undefined if the text is not JSON. */
  body: unknown;
}

export interface Connection {
  readonly baseUrl: string;
  readonly key: string;
  call(id: string, call?: Call): Promise<Answer>;
  /** Makes a call that succeeds. Returns the record that the specification promises, or the list of them. */
  record(id: string, call?: Call): Promise<Fields>;
  list(id: string, call?: Call): Promise<Fields[]>;
  send(method: string, path: string, call?: Call): Promise<Answer>;
}

export interface Target extends Connection {
  /** Runs after the file's tests, last first. */
  later(cleanup: () => Promise<unknown>): void;
  readonly emulator: Emulator;
}

/** Opens the server under test for one test file. */
export async function openTarget(options: EmulatorOptions = {}): Promise<Target> {
  const emulator = ownServer ? await startOwn(options) : undefined;
  const connection = connect(foreignUrl ?? emulator?.baseUrl ?? "", foreignKey ?? emulator?.apiKey ?? "");
  const cleanups: (() => Promise<unknown>)[] = [];
  afterAll(async () => {
    for (const cleanup of cleanups.reverse()) await cleanup();
    await emulator?.close();
  });
  return {
    ...connection,
    later: (cleanup) => void cleanups.push(cleanup),
    get emulator() {
      if (!emulator) throw new Error("This test needs a server of its own: mark it with test.runIf(ownServer)");
      return emulator;
    },
  };
}

/** Calls by operation id against any server. */
export function connect(base: string, key: string): Connection {
  const baseUrl = base.replace(/\/$/, "");
  const paths = new Map(operations.filter((row) => row.pathShown).map((row) => [row.id, row.path]));

  const send = (method: string, path: string, call: Call = {}) => request(baseUrl, key, method, path, call);

  async function call(id: string, call: Call = {}): Promise<Answer> {
    const row = operations.find((candidate) => candidate.id === id);
    if (!row) throw new Error(`The specification has no operation ${id}`);
    if (!paths.has(id)) await learnPaths();
    const template = paths.get(id) ?? row.path;
    const answer = await send(row.method, template.replace(/\{\w+\}/, encodeURIComponent(call.at ?? "")), call);
    // The specification names only some parts of these two answers.
    if (ownServer && answer.status < 300 && !["getOpenapi", "getHookSample"].includes(id))
      expectPromised(id, answer.body);
    return answer;
  }

  /** Reads the paths that the specification does not show from the server's own description. */
  async function learnPaths(): Promise<void> {
    const { body } = await send("GET", "/openapi.json");
    const served = routesOf(body);
    for (const row of operations) {
      if (paths.has(row.id)) continue;
      const operation = served.find(({ id }) => id === row.id) ?? served.find((other) => sameShape(row, other));
      paths.set(row.id, operation?.path ?? row.path);
    }
  }

  const promisedBy = (id: string): string => operations.find((row) => row.id === id)?.result.replace("[]", "") ?? "";

  return {
    ...{ baseUrl, key, call, send },
    record: async (id, asked) => record(promisedBy(id), await call(id, asked)),
    list: async (id, asked) => list(promisedBy(id), await call(id, asked)),
  };
}

/** Checks that our own server keeps every promise of schema/api.yaml, and answers with nothing else. */
function expectPromised(id: string, body: unknown): void {
  const [schema] = Object.entries(promised.get(id)?.responses ?? {}).flatMap(([status, response]) =>
    status.startsWith("2") && response.schema !== undefined ? [response.schema] : [],
  );
  if (schema === undefined) throw new Error(`schema/api.yaml promises no answer of ${id}`);
  const wrong = violations(schema, body);
  const unknown = unknownFields(schema, body);
  if (wrong.length + unknown.length > 0)
    throw new Error(`The answer of ${id} is not what was promised: ${[...wrong, ...unknown].join("; ")}`);
}

const promised = new Map(operationsOf(loadDocument()).map((operation) => [operation.id, operation]));

/** Returns the unknown fields of a record, or of each in a list. If the specification leaves a field's content open, the service decides it. */
function unknownFields(schema: Schema, value: unknown): string[] {
  if (Array.isArray(value)) return value.flatMap((item) => unknownFields(schema.items ?? {}, item));
  if (typeof value !== "object" || value === null || schema.additionalProperties !== undefined) return [];
  const { properties } = objectFields(schema);
  return Object.keys(value).flatMap((field) => (field in properties ? [] : [`${field} is not known`]));
}

async function startOwn(options: EmulatorOptions): Promise<Emulator> {
  const { startEmulator } = await import("../../emulator/index.ts");
  return startEmulator({ seed: "demo", ...options });
}

type Route = { id: string | undefined; method: string; path: string };

function routesOf(document: unknown): Route[] {
  const { paths } = document as { paths: Record<string, Record<string, { operationId?: string }>> };
  return Object.entries(paths).flatMap(([path, item]) =>
    Object.entries(item).map(([method, { operationId }]) => ({ id: operationId, method: method.toUpperCase(), path })),
  );
}

const sameShape = (row: OperationRow, other: Route): boolean =>
  row.method === other.method && blank(row.path) === blank(other.path);

const blank = (path: string): string => path.replaceAll(/\{\w+\}/g, "{}");

async function request(baseUrl: string, key: string, method: string, path: string, call: Call): Promise<Answer> {
  const url = new URL(baseUrl + path);
  for (const [name, value] of Object.entries(call.query ?? {})) url.searchParams.set(name, String(value));
  const headers: Record<string, string> = { ...call.headers };
  if (call.key !== null) headers.Authorization = `Bearer ${call.key ?? key}`;
  const body = call.raw ?? (call.body === undefined ? undefined : JSON.stringify(call.body));
  if (body !== undefined) headers["Content-Type"] ??= "application/json";
  const response = await fetch(url, { method, headers, body });
  const text = await response.text();
  return { status: response.status, contentType: response.headers.get("content-type") ?? "", text, body: parsed(text) };
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
