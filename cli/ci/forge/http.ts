/** The APIs of code hosts: JSON over HTTP, paged by links, asked again where they are short of breath. */
import { setTimeout as wait } from "node:timers/promises";

/** What a code host answered instead of what was asked for. */
export class ForgeError extends Error {
  readonly status: number | undefined;

  constructor(method: string, url: string, what: string, status?: number, options?: ErrorOptions) {
    super(`${method} ${url}: ${what}`, options);
    this.name = "ForgeError";
    this.status = status;
  }
}

export interface ForgeHttpOptions {
  readonly apiUrl: string;
  readonly headers: Readonly<Record<string, string>>;
}

interface Answer<T> {
  readonly body: T;
  readonly headers: Headers;
}

const ATTEMPTS = 4;
const TIMEOUT_MS = 20_000;
/** A code host may ask for an hour's rest; no job waits so long for a comment. */
const LONGEST_WAIT_MS = 30_000;
/** A thousand comments and more are no discussion any more. */
const MOST_PAGES = 100;

export class ForgeHttp {
  readonly #apiUrl: string;
  readonly #headers: Readonly<Record<string, string>>;

  constructor({ apiUrl, headers }: ForgeHttpOptions) {
    this.#apiUrl = apiUrl;
    this.#headers = { "content-type": "application/json", "user-agent": "landform", ...headers };
  }

  async send<T>(method: "GET" | "POST" | "PATCH" | "PUT" | "DELETE", path: string, body?: unknown): Promise<T> {
    return (await this.#answer<T>(method, this.#apiUrl + path, body)).body;
  }

  /** Undefined where there is nothing at the path. */
  async find<T>(path: string): Promise<T | undefined> {
    return this.send<T>("GET", path).catch((error: unknown) => {
      if (error instanceof ForgeError && error.status === 404) return undefined;
      throw error;
    });
  }

  /** Every row of a list, page by page. A page that fails is an error, never the end. */
  async *rows<Row>(path: string): AsyncGenerator<Row> {
    const first = new URL(this.#apiUrl + path);
    first.searchParams.set("per_page", "100");
    let next: string | undefined = first.href;
    for (let page = 1; next !== undefined; page += 1) {
      if (page > MOST_PAGES) throw new ForgeError("GET", first.href, `more than ${MOST_PAGES} pages`);
      const url: string = next;
      const { body, headers }: Answer<Row[]> = await this.#answer<Row[]>("GET", url, undefined);
      if (!Array.isArray(body)) throw new ForgeError("GET", url, "the answer is no list");
      yield* body;
      next = nextPage(url, headers);
    }
  }

  async #answer<T>(method: string, url: string, body: unknown): Promise<Answer<T>> {
    for (let attempt = 1; ; attempt += 1) {
      const response = await this.#fetch(method, url, body);
      const pause = attempt < ATTEMPTS ? pauseOf(method, response, attempt) : undefined;
      if (pause === undefined) return answerOf<T>(method, url, response);
      await wait(pause);
    }
  }

  async #fetch(method: string, url: string, body: unknown): Promise<Response | Error> {
    const init = {
      method,
      headers: this.#headers,
      signal: AbortSignal.timeout(TIMEOUT_MS),
      redirect: "error" as const,
    };
    const whole = body === undefined ? init : { ...init, body: JSON.stringify(body) };
    return fetch(url, whole).catch((error: unknown) => (error instanceof Error ? error : new Error(String(error))));
  }
}

/** Links lead where they say only on the host that was asked: a token goes nowhere else. */
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

/** Milliseconds until it is worth asking again; undefined where it isn't. A POST that may have arrived is not repeated. */
function pauseOf(method: string, response: Response | Error, attempt: number): number | undefined {
  const again = 500 * 2 ** attempt * (0.5 + Math.random() / 2);
  if (response instanceof Error) return method === "POST" ? undefined : again;
  const limited = response.status === 429 || (response.status === 403 && response.headers.has("retry-after"));
  if (!limited && (response.status < 500 || method === "POST")) return undefined;
  const asked = Number(response.headers.get("retry-after") ?? Number.NaN) * 1_000;
  if (Number.isNaN(asked)) return again;
  return asked > LONGEST_WAIT_MS ? undefined : Math.max(asked, 100);
}

async function answerOf<T>(method: string, url: string, response: Response | Error): Promise<Answer<T>> {
  if (response instanceof Error) throw new ForgeError(method, url, reasonOf(response), undefined, { cause: response });
  const text = await response.text();
  if (!response.ok) throw new ForgeError(method, url, `${response.status} ${messageIn(text)}`.trim(), response.status);
  try {
    return { body: (text === "" ? undefined : JSON.parse(text)) as T, headers: response.headers };
  } catch (error) {
    throw new ForgeError(method, url, "the answer is no JSON", response.status, { cause: error });
  }
}

function reasonOf(error: Error): string {
  if (error.name === "TimeoutError") return `no answer within ${TIMEOUT_MS / 1000} s`;
  const cause = error.cause instanceof Error ? error.cause.message : undefined;
  return cause ?? error.message;
}

const LONGEST_MESSAGE = 300;

/** What the code host says of it, where it says so in JSON. */
function messageIn(text: string): string {
  try {
    const { message, error } = JSON.parse(text) as { message?: unknown; error?: unknown };
    const said = message ?? error;
    return (typeof said === "string" ? said : JSON.stringify(said ?? "")).slice(0, LONGEST_MESSAGE).toWellFormed();
  } catch {
    return "";
  }
}
