/**
 * Reads a page as a visitor gets it: no key, no cookies, a limit on time and size. The service gives the address, and anybody may give its
 * redirects. So each address has to keep the rules for webhook targets, by its name and by the addresses that the name resolves to.
 */
import { lookup as systemLookup, type LookupAddress } from "node:dns";
import { brotliDecompressSync, constants, gunzipSync, inflateSync } from "node:zlib";
import { addressFault, hostFault } from "./public-hosts.ts";
import { HttpClient, type Answer, type HostLookup } from "./client.ts";
import { isLoopback } from "./config.ts";

export type PublicPage =
  | { readonly kind: "html"; readonly status: number; readonly html: string; readonly cut: boolean }
  /** The rules forbid a request to this address; nothing was sent. */
  | { readonly kind: "refused"; readonly reason: string }
  | { readonly kind: "unreachable"; readonly reason: string };

/** Text behind this limit is not read. */
export const MOST_BYTES = 2 * 1024 * 1024;
const MOST_REDIRECTS = 5;

export class PublicPages {
  readonly #allowsLoopback: boolean;

  /** If the API is on this machine, its pages are here, too. Otherwise loopback is refused like every address that is not public. */
  constructor(baseUrl: string) {
    this.#allowsLoopback = isLoopback(new URL(baseUrl).hostname);
  }

  /** Returns the reason why the address may not be requested, as far as its text tells. */
  fault(address: string): string | undefined {
    const url = URL.parse(address);
    if (url === null || !["http:", "https:"].includes(url.protocol)) return "it is no http or https address";
    if (url.username !== "" || url.password !== "") return "it carries a user name or password";
    const host = url.hostname.replace(/\.+$/, "").toLowerCase();
    return this.#allowsLoopback && isLoopback(host) ? undefined : hostFault(host);
  }

  async read(address: string, timeoutMs: number): Promise<PublicPage> {
    const deadline = performance.now() + timeoutMs;
    let url = address;
    for (let hops = 0; hops <= MOST_REDIRECTS; hops++) {
      const fault = this.fault(url);
      if (fault !== undefined) return { kind: "refused", reason: hops === 0 ? fault : `it leads to ${url}: ${fault}` };
      const answer = await this.#get(new URL(url), deadline - performance.now());
      if (answer.kind !== "answer") return answer;
      const next = redirectOf(answer, url);
      if (next === undefined) return { kind: "html", status: answer.status, html: answer.body, cut: answer.cut };
      url = next;
    }
    return { kind: "unreachable", reason: `it redirects more than ${MOST_REDIRECTS} times` };
  }

  async #get(
    url: URL,
    timeoutMs: number,
  ): Promise<(Answer & { cut: boolean }) | Exclude<PublicPage, { kind: "html" }>> {
    let fault: string | undefined;
    let cut = false;
    const lookup: HostLookup = (host, options, done) => {
      resolveHost(host, this.#allowsLoopback, (reason, found) => {
        fault = reason;
        if (reason !== undefined) done(new Error(reason), "", 0);
        else if (options.all === true) done(null, [...found]);
        else done(null, found[0]?.address ?? "", found[0]?.family ?? 0);
      });
    };
    const http = new HttpClient(url.origin, 1, lookup);
    try {
      const exchange = await http.exchange({
        method: "GET",
        path: `${url.pathname}${url.search}`,
        // Browsers ask like this. Many caches keep one copy of a page for each encoding.
        headers: { accept: "text/html,*/*;q=0.5", "accept-encoding": "gzip, deflate, br", "user-agent": "landform" },
        body: undefined,
        timeoutMs: Math.max(1, timeoutMs),
        maxBytes: MOST_BYTES,
        cut: true,
        decode: (packed, answered) => {
          const bytes = unpacked(packed, String(answered["content-encoding"] ?? ""));
          cut = Math.max(packed.length, bytes.length) >= MOST_BYTES;
          return textOf(bytes.subarray(0, MOST_BYTES), answered);
        },
      });
      if (exchange.kind === "answer") return { ...exchange, cut };
      if (fault !== undefined) return { kind: "refused", reason: fault };
      const reason = "cause" in exchange ? exchange.cause.message : "it did not answer in time";
      return { kind: "unreachable", reason };
    } finally {
      void http.close();
    }
  }
}

/** Resolves a host, so that the connection goes to the address that was checked. */
function resolveHost(
  host: string,
  allowsLoopback: boolean,
  done: (fault: string | undefined, found: readonly LookupAddress[]) => void,
): void {
  // Browsers take such a name for this machine without asking anybody, and resolvers don't.
  if (allowsLoopback && isLoopback(host)) {
    done(undefined, [host === "::1" ? { address: host, family: 6 } : { address: "127.0.0.1", family: 4 }]);
    return;
  }
  systemLookup(host, { all: true }, (error, found) => {
    if (error) {
      done(`${host} can't be resolved (${error.code ?? error.message})`, []);
      return;
    }
    const inner = found.map(({ address }) => addressFault(address)).find((fault) => fault !== undefined);
    done(inner === undefined ? undefined : `${host}: ${inner}`, found);
  });
}

function redirectOf({ status, headers: { location } }: Answer, from: string): string | undefined {
  if (status < 300 || status >= 400 || typeof location !== "string") return undefined;
  return URL.parse(location, from)?.href ?? location;
}

function textOf(bytes: Buffer, headers: Answer["headers"]): string {
  const charset = /charset=["']?([\w-]+)/i.exec(String(headers["content-type"] ?? ""))?.[1] ?? "utf-8";
  try {
    return new TextDecoder(charset).decode(bytes);
  } catch {
    return bytes.toString("utf8");
  }
}

/** Unpacks a cut body as far as it goes. Returns nothing for a body that is packed beyond measure. */
function unpacked(bytes: Buffer, encoding: string): Buffer {
  const unpack = UNPACK[encoding.trim().toLowerCase()];
  try {
    return unpack?.(bytes) ?? bytes;
  } catch {
    return Buffer.alloc(0);
  }
}

const MOST_UNPACKED = { maxOutputLength: 8 * MOST_BYTES };
const ZLIB = { ...MOST_UNPACKED, finishFlush: constants.Z_SYNC_FLUSH };
const UNPACK: Readonly<Record<string, (bytes: Buffer) => Buffer>> = {
  gzip: (bytes) => gunzipSync(bytes, ZLIB),
  "x-gzip": (bytes) => gunzipSync(bytes, ZLIB),
  deflate: (bytes) => inflateSync(bytes, ZLIB),
  br: (bytes) => brotliDecompressSync(bytes, { ...MOST_UNPACKED, finishFlush: constants.BROTLI_OPERATION_FLUSH }),
};
