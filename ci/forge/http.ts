/** Calls the APIs of code hosts: JSON over HTTP, paged by links, with new tries if a host is overloaded. */
import { setTimeout as wait } from "node:timers/promises";
import { crc32, inflateRawSync } from "node:zlib";
import type { z } from "zod";
import type { Asked, Forge } from "./forge.ts";

export class ForgeError extends Error {
  readonly status: number | undefined;

  constructor(method: string, url: string, what: string, status?: number, options?: ErrorOptions) {
    super(`${method} ${url}: ${what}`, options);
    this.name = "ForgeError";
    this.status = status;
  }
}

export async function asked<Answer>(ask: () => Promise<Answer>): Promise<Asked<Answer>> {
  try {
    return { answer: await ask() };
  } catch (error) {
    if (error instanceof ForgeError) return { unasked: error.message };
    throw error;
  }
}

interface ForgeHttpOptions {
  readonly apiUrl: string;
  readonly headers: Readonly<Record<string, string>>;
}

type Method = "GET" | "POST" | "PATCH" | "PUT" | "DELETE";

interface Answer {
  readonly body: unknown;
  readonly headers: Headers;
}

const ATTEMPTS = 4;
const TIMEOUT_MS = 20_000;
/** A code host may ask for an hour's wait. No job waits that long for a comment. */
const LONGEST_WAIT_MS = 30_000;
/** More comments than these pages hold are no discussion. */
const MOST_PAGES = 100;
/** A page of a hundred comments of the greatest length has less than half of it. */
const MOST_MEBIBYTES = 16;

export class ForgeHttp {
  readonly #apiUrl: string;
  readonly #headers: Readonly<Record<string, string>>;

  constructor({ apiUrl, headers }: ForgeHttpOptions) {
    this.#apiUrl = apiUrl;
    this.#headers = { "content-type": "application/json", "user-agent": "landform", ...headers };
  }

  urlOf(path: string): string {
    return this.#apiUrl + path;
  }

  async send(method: Method, path: string, body?: unknown): Promise<void> {
    await this.#answer(method, this.urlOf(path), body);
  }

  async ask<T>(shape: z.ZodType<T>, method: Method, path: string, body?: unknown): Promise<T> {
    const url = this.urlOf(path);
    return shaped(shape, (await this.#answer(method, url, body)).body, method, url);
  }

  async find<T>(path: string, shape: z.ZodType<T>): Promise<T | undefined> {
    return this.ask(shape, "GET", path).catch((error: unknown) => {
      if (error instanceof ForgeError && error.status === 404) return undefined;
      throw error;
    });
  }

  /** Gets a file, even if the code host keeps it elsewhere. The token goes only to the code host. Returns undefined if the file is gone. */
  async file(path: string): Promise<Buffer | undefined> {
    const url = this.urlOf(path);
    const asked = await this.#response("GET", url, undefined, "manual");
    const elsewhere =
      asked instanceof Response && asked.status >= 300 && asked.status < 400 ? asked.headers.get("location") : null;
    const given = elsewhere === null ? asked : await fetched(new URL(elsewhere, url).href, { redirect: "error" });
    if (given instanceof Response && (given.status === 404 || given.status === 410)) return undefined;
    return bytesOf("GET", url, given);
  }

  /** Reads every row of a list, page by page. A page that fails, or a row of another form, is an error and never the end. */
  async *rows<Row>(path: string, shape: z.ZodType<Row>): AsyncGenerator<Row> {
    const first = new URL(this.urlOf(path));
    first.searchParams.set("per_page", "100");
    let next: string | undefined = first.href;
    for (let page = 1; next !== undefined; page += 1) {
      if (page > MOST_PAGES) throw new ForgeError("GET", first.href, `more than ${MOST_PAGES} pages`);
      const url: string = next;
      const { body, headers }: Answer = await this.#answer("GET", url, undefined);
      if (!Array.isArray(body)) throw new ForgeError("GET", url, "the answer is no list");
      for (const row of body) yield shaped(shape, row, "GET", url);
      next = nextPage(url, headers);
    }
  }

  async list<Row>(path: string, shape: z.ZodType<Row>): Promise<Row[]> {
    const all: Row[] = [];
    for await (const row of this.rows(path, shape)) all.push(row);
    return all;
  }

  async #answer(method: string, url: string, body: unknown): Promise<Answer> {
    const response = await this.#response(method, url, body, "error");
    const text = (await bytesOf(method, url, response)).toString();
    const { headers, status } = response as Response;
    try {
      return { body: text === "" ? undefined : (JSON.parse(text) as unknown), headers };
    } catch (error) {
      throw new ForgeError(method, url, "the answer is no JSON", status, { cause: error });
    }
  }

  async #response(method: string, url: string, body: unknown, redirect: "error" | "manual"): Promise<Response | Error> {
    // The form itself says of which type it is.
    const { "content-type": _, ...formed } = this.#headers;
    const sent = body instanceof FormData ? body : JSON.stringify(body);
    const init = { method, headers: sent === body ? formed : this.#headers, redirect };
    for (let attempt = 1; ; attempt += 1) {
      const response = await fetched(url, { ...init, body: sent });
      const pause = attempt < ATTEMPTS ? pauseOf(method, response, attempt) : undefined;
      if (pause === undefined) return response;
      await wait(pause);
    }
  }
}

function fetched(url: string, init: RequestInit): Promise<Response | Error> {
  return fetch(url, { ...init, signal: AbortSignal.timeout(TIMEOUT_MS) }).catch((error: unknown) =>
    error instanceof Error ? error : new Error(String(error)),
  );
}

/** Follows links only to the host that was asked, because the token goes nowhere else. */
function nextPage(url: string, headers: Headers): string | undefined {
  const link = /<([^>]+)>\s*;[^,]*\brel="?next"?/.exec(headers.get("link") ?? "")?.[1];
  if (link !== undefined) {
    const target = new URL(link, url);
    if (target.origin !== new URL(url).origin) throw new ForgeError("GET", url, `the next page is on ${target.host}`);
    return target.href;
  }
  const number = headers.get("x-next-page");
  if (number === null || number === "") return undefined;
  const target = new URL(url);
  target.searchParams.set("page", number);
  return target.href;
}

/** Refuses an answer in another form, such as a proxy's. */
function shaped<T>(shape: z.ZodType<T>, value: unknown, method: string, url: string): T {
  const { data, error, success } = shape.safeParse(value);
  if (success) return data;
  const [issue] = error.issues;
  const where = issue?.path.join(".") ?? "";
  throw new ForgeError(method, url, `the answer is not what a code host says${where === "" ? "" : ` (${where})`}`);
}

/** Returns the milliseconds until the next try; undefined if another try is useless. A POST that may have arrived is not repeated. */
function pauseOf(method: string, response: Response | Error, attempt: number): number | undefined {
  const again = 500 * 2 ** attempt * (0.5 + Math.random() / 2);
  if (response instanceof Error) return method === "POST" ? undefined : again;
  const limited = response.status === 429 || (response.status === 403 && response.headers.has("retry-after"));
  if (!limited && (response.status < 500 || method === "POST")) return undefined;
  const asked = Number(response.headers.get("retry-after") ?? Number.NaN) * 1_000;
  if (Number.isNaN(asked)) return again;
  return asked > LONGEST_WAIT_MS ? undefined : Math.max(asked, 100);
}

async function bytesOf(method: string, url: string, response: Response | Error): Promise<Buffer> {
  if (response instanceof Error) throw new ForgeError(method, url, reasonOf(response), undefined, { cause: response });
  const bytes = await received(response).catch((error: unknown) => {
    throw new ForgeError(method, url, error instanceof Error ? reasonOf(error) : String(error), undefined, {
      cause: error,
    });
  });
  if (response.ok) return bytes;
  throw new ForgeError(method, url, `${response.status} ${messageIn(bytes.toString())}`.trim(), response.status);
}

/** Reads the answer up to a limit, even if it never ends. */
async function received({ body }: Response): Promise<Buffer> {
  const parts: Uint8Array[] = [];
  let size = 0;
  for await (const part of (body ?? []) as AsyncIterable<Uint8Array>) {
    size += part.length;
    if (size > MOST_MEBIBYTES * 1024 * 1024) throw new Error(`the answer is larger than ${MOST_MEBIBYTES} MiB`);
    parts.push(part);
  }
  return Buffer.concat(parts);
}

function reasonOf(error: Error): string {
  if (error.name === "TimeoutError") return `no answer within ${TIMEOUT_MS / 1000} s`;
  const cause = error.cause instanceof Error ? error.cause.message : undefined;
  return cause ?? error.message;
}

const LONGEST_MESSAGE = 300;

function messageIn(text: string): string {
  try {
    const { message, error } = JSON.parse(text) as { message?: unknown; error?: unknown };
    const said = message ?? error;
    return (typeof said === "string" ? said : JSON.stringify(said ?? "")).slice(0, LONGEST_MESSAGE).toWellFormed();
  } catch {
    return "";
  }
}

const END = { signature: 0x06054b50, size: 22, longestComment: 0xffff };
const ENTRY = { signature: 0x02014b50, size: 46 };
const LOCAL_SIZE = 30;
const [STORED, DEFLATED] = [0, 8];
const LARGEST = 256 * 1024 * 1024;

/** Returns undefined if the archive has no such file. Throws if it is no archive or is damaged. */
export function fileInZip(zip: Buffer, path: string): Buffer | undefined {
  let at = zip.readUInt32LE(endOf(zip) + 16);
  for (let left = zip.readUInt16LE(endOf(zip) + 10); left > 0; left -= 1) {
    if (zip.readUInt32LE(at) !== ENTRY.signature) throw new Error("the archive is damaged");
    const [name, extra, comment] = [28, 30, 32].map((offset) => zip.readUInt16LE(at + offset)) as [
      number,
      number,
      number,
    ];
    if (zip.toString("utf8", at + ENTRY.size, at + ENTRY.size + name) === path) return contentOf(zip, at);
    at += ENTRY.size + name + extra + comment;
  }
  return undefined;
}

function endOf(zip: Buffer): number {
  for (let at = zip.length - END.size; at >= Math.max(0, zip.length - END.size - END.longestComment); at -= 1)
    if (zip.readUInt32LE(at) === END.signature) return at;
  throw new Error("that is no zip archive");
}

function contentOf(zip: Buffer, entry: number): Buffer {
  const method = zip.readUInt16LE(entry + 10);
  const [crc, size, local] = [16, 20, 42].map((offset) => zip.readUInt32LE(entry + offset)) as [number, number, number];
  const start = local + LOCAL_SIZE + zip.readUInt16LE(local + 26) + zip.readUInt16LE(local + 28);
  const packed = zip.subarray(start, start + size);
  if (method !== STORED && method !== DEFLATED) throw new Error(`the archive uses an unknown compression (${method})`);
  const content = method === STORED ? packed : inflateRawSync(packed, { maxOutputLength: LARGEST });
  if (crc32(content) !== crc) throw new Error("the archive is damaged");
  return content;
}

type Kind = Forge["kind"];

export function tokenVariable(kind: Kind): string {
  return kind === "github" ? "GITHUB_TOKEN" : "GITLAB_TOKEN";
}

const NEEDED: Readonly<Record<Kind, string>> = {
  github: "the job's permissions need contents, pull-requests and actions: read",
  gitlab: "use a project access token that has the scope api and has not expired; a job's own token does not work",
};

export function wayOut({ status, message }: ForgeError, kind: Kind, needed = NEEDED[kind]): string {
  const refused = (status === 401 || status === 403) && !/rate limit/i.test(message);
  return refused
    ? `${tokenVariable(kind)} may not do that: ${needed}. Then run this job again`
    : "Run this job again once the code host answers";
}
