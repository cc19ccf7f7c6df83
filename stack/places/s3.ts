/** A bucket as a place: any service that speaks S3. Conditional puts are `If-None-Match: *`. */
import { setTimeout as delay } from "node:timers/promises";
import { UsageError } from "../exit/codes.ts";
import { type Credentials, credentialsFor, encoded, regionFor, signed } from "./aws.ts";
import { checkKey, PlaceError, type Place } from "./place.ts";

interface Bucket {
  readonly name: string;
  /** The bucket's address, with a slash at its end. */
  readonly base: URL;
  /** Empty, or with a slash at its end. */
  readonly prefix: string;
  readonly region: string;
  readonly credentials: Credentials;
  /** Headers for encryption, for puts. */
  readonly putHeaders: Readonly<Record<string, string>>;
}

const WAIT_MS = 30_000;
const TRIES = 4;
const FIRST_PAUSE_MS = 200;

export async function openBucket(text: string, env: NodeJS.ProcessEnv = process.env): Promise<Place> {
  const url = URL.parse(text);
  if (url === null || url.hostname === "")
    throw new UsageError(`${text} is no address of a bucket: s3://BUCKET/PREFIX`);
  const { searchParams: query } = url;
  const profile = query.get("profile") ?? undefined;
  const region = query.get("region") ?? (await regionFor(env, profile));
  const path = decodeURIComponent(url.pathname).replace(/^\/+|\/+$/g, "");
  return new BucketPlace({
    name: `s3://${url.hostname}${path === "" ? "" : `/${path}`}`,
    base: baseOf(url.hostname, query, region, env),
    prefix: path === "" ? "" : `${path}/`,
    region,
    credentials: await credentialsFor(env, profile),
    putHeaders: encryption(query),
  });
}

/** The bucket is part of the host, except for a numeric address, a name with dots, or if the user says so. */
function baseOf(bucket: string, query: URLSearchParams, region: string, env: NodeJS.ProcessEnv): URL {
  const said = query.get("endpoint") ?? (env["AWS_ENDPOINT_URL_S3"] || env["AWS_ENDPOINT_URL"] || undefined);
  const plain = isTrue(query.get("disableSSL")) || isTrue(query.get("disable_https"));
  const address = said ?? `https://s3.${region}.amazonaws.com`;
  const endpoint = URL.parse(address.includes("://") ? address : `${plain ? "http" : "https"}://${address}`);
  if (endpoint === null) throw new UsageError(`${address} is no address of a service with buckets`);
  if (endpoint.username !== "" || endpoint.password !== "")
    throw new UsageError(
      `the endpoint ${endpoint.host} of s3://${bucket} holds a user name or password. Remove it; AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY are set on their own`,
    );
  const asPath = ["s3ForcePathStyle", "use_path_style", "hostname_immutable"].some((name) => isTrue(query.get(name)));
  const inHost = !asPath && !bucket.includes(".") && !/^[\d.]+$|^\[/.test(endpoint.hostname);
  if (inHost) endpoint.hostname = `${bucket}.${endpoint.hostname}`;
  const folder = endpoint.pathname.replace(/\/*$/, "/");
  return new URL(inHost ? folder : `${folder}${bucket}/`, endpoint);
}

function isTrue(text: string | null): boolean {
  return text === "true" || text === "1" || text === "t";
}

function encryption(query: URLSearchParams): Record<string, string> {
  const [type, key] = [query.get("ssetype"), query.get("kmskeyid")];
  return {
    ...(type === null ? {} : { "x-amz-server-side-encryption": type }),
    ...(key === null ? {} : { "x-amz-server-side-encryption-aws-kms-key-id": key }),
  };
}

class BucketPlace implements Place {
  readonly name: string;
  readonly #bucket: Bucket;

  constructor(bucket: Bucket) {
    this.name = bucket.name;
    this.#bucket = bucket;
  }

  async get(key: string): Promise<Uint8Array | undefined> {
    const { response } = await this.#send("GET", this.#address(key), { accepted: [404] });
    if (response.status !== 404) return new Uint8Array(await response.arrayBuffer());
    const text = await response.text();
    // A missing bucket says nothing about its content.
    if (text.includes("NoSuchBucket")) throw this.#error("GET", 404, text);
    return undefined;
  }

  async put(key: string, content: Uint8Array | string, { ifAbsent = false } = {}): Promise<boolean> {
    const body = typeof content === "string" ? Buffer.from(content) : content;
    const headers = { ...this.#bucket.putHeaders, ...(ifAbsent ? { "if-none-match": "*" } : {}) };
    const accepted = ifAbsent ? [412] : [];
    const { response, doubtful } = await this.#send("PUT", this.#address(key), { body, headers, accepted });
    await response.body?.cancel();
    if (response.status !== 412) return true;
    // The content may come from our own try whose answer was lost.
    const there = doubtful ? await this.get(key) : undefined;
    return there !== undefined && Buffer.compare(there, body) === 0;
  }

  async list(prefix = ""): Promise<string[]> {
    const keys: string[] = [];
    let token: string | undefined;
    do {
      const url = this.#listing(prefix, token);
      const { response } = await this.#send("GET", url);
      const text = await response.text();
      if (!text.includes("<ListBucketResult")) throw this.#error("GET", response.status, text);
      for (const [, key = ""] of text.matchAll(/<Key>([^<]*)<\/Key>/g)) keys.push(this.#keyOf(key));
      token = /<IsTruncated>\s*true/.test(text) ? partOf(text, "NextContinuationToken") : undefined;
    } while (token !== undefined);
    return keys.sort();
  }

  async delete(key: string): Promise<void> {
    const { response } = await this.#send("DELETE", this.#address(key), { accepted: [404] });
    const text = await response.text();
    if (text.includes("NoSuchBucket")) throw this.#error("DELETE", 404, text);
  }

  #address(key: string): URL {
    const path = `${this.#bucket.prefix}${checkKey(key)}`.split("/").map(encoded).join("/");
    return new URL(path, this.#bucket.base);
  }

  #listing(prefix: string, token: string | undefined): URL {
    const url = new URL(this.#bucket.base);
    const next = token === undefined ? "" : `&continuation-token=${encoded(token)}`;
    url.search = `list-type=2&prefix=${encoded(`${this.#bucket.prefix}${prefix}`)}${next}`;
    return url;
  }

  #keyOf(listed: string): string {
    return unescaped(listed).slice(this.#bucket.prefix.length);
  }

  /** Tries again if the service is in trouble. Every request here may be repeated. */
  async #send(
    method: string,
    url: URL,
    { body = NOTHING, headers = {}, accepted = [] }: { body?: Uint8Array; headers?: object; accepted?: number[] } = {},
  ): Promise<{ response: Response; doubtful: boolean }> {
    for (let tries = 1, doubtful = false; ; tries++, doubtful = true) {
      const last = tries === TRIES;
      const response = await this.#once(method, url, body, { ...headers }).catch((error: unknown) => {
        if (last) throw this.#unreached(method, error);
        return undefined;
      });
      if (response?.ok === true || (response && accepted.includes(response.status))) return { response, doubtful };
      if (response && (last || !mayPass(response.status)))
        throw this.#error(method, response.status, await response.text());
      await response?.body?.cancel();
      await delay(FIRST_PAUSE_MS * 2 ** (tries - 1) * (0.5 + Math.random()));
    }
  }

  async #once(method: string, url: URL, body: Uint8Array, headers: Record<string, string>): Promise<Response> {
    const { credentials, region } = this.#bucket;
    const all = signed({ method, url, headers, body }, credentials, region, new Date());
    return fetch(url, {
      method,
      headers: all,
      redirect: "manual",
      signal: AbortSignal.timeout(WAIT_MS),
      ...(method === "PUT" ? { body: Buffer.from(body) } : {}),
    });
  }

  #error(method: string, status: number, text: string): PlaceError {
    const message = partOf(text, "Message")?.replace(/\.+$/, "");
    const told = [partOf(text, "Code"), message].filter((part) => part !== undefined).join(": ");
    const hint = HINTS[status] ?? "";
    return new PlaceError(`${this.name}: ${method} was answered with HTTP ${status} ${told}${hint}`.trim());
  }

  #unreached(method: string, error: unknown): PlaceError {
    const { cause, message } = error as Error;
    const reason = cause instanceof Error ? cause.message : message;
    return new PlaceError(`${this.name} can't be reached at ${this.#bucket.base.origin} (${method}): ${reason}`, {
      cause: error,
    });
  }
}

const NOTHING = new Uint8Array();

const HINTS: Readonly<Record<number, string>> = {
  301: ". The bucket is in another region: add ?region=REGION to its address",
  400: ". Is the region right? Add ?region=REGION to the bucket's address",
  403: ". The key may lack the permission, or belong to another account",
};

function mayPass(status: number): boolean {
  return status >= 500 || status === 429 || status === 409 || status === 408;
}

function partOf(xml: string, name: string): string | undefined {
  const text = new RegExp(`<${name}>([^<]*)</${name}>`).exec(xml)?.[1];
  return text === undefined ? undefined : unescaped(text);
}

function unescaped(text: string): string {
  return text.replace(/&(?:#(\d+)|#x([\da-f]+)|(\w+));/gi, (entity, decimal?: string, hex?: string, name = "") => {
    const code = decimal === undefined ? Number.parseInt(hex ?? "", 16) : Number(decimal);
    return Number.isNaN(code) ? (ENTITIES[String(name)] ?? entity) : String.fromCodePoint(code);
  });
}

const ENTITIES: Readonly<Record<string, string>> = { amp: "&", lt: "<", gt: ">", quot: '"', apos: "'" };
