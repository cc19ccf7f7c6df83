import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import type { Duplex } from "node:stream";
import { Api, type RequestRecord } from "./http/api.ts";
import type { KeyOptions } from "./http/auth.ts";
import { loadContract } from "./http/contract.ts";
import { Deliverer, type Delivery } from "./visitors/deliver.ts";
import { answerOf, Refusal } from "./http/errors.ts";
import { type Fault, Faults } from "./faults/faults.ts";
import { home } from "./visitors/home.ts";
import { html, json, type Reply, send, target } from "./http/http.ts";
import type { Lookup } from "./visitors/hook-rules.ts";
import { type NotShown, positions } from "./not-shown.ts";
import { handlersOf } from "./operations/index.ts";
import type { Handler } from "./operations/operation.ts";
import { labelOfHost, preview, receive, visit } from "./visitors/public.ts";
import { detach, dropProject, renameSite, seedDemo, seedVideos, sendForm } from "./records/seed.ts";
import { Service } from "./records/service.ts";
import { Store } from "./records/store.ts";

export interface EmulatorOptions {
  /** 0, the default, takes a free port. */
  port?: number;
  /** The SQLite file that keeps the account. Default: none, in memory. */
  data?: string;
  /** Milliseconds before every answer of the API. */
  latency?: number;
  /** Calls that fail on purpose. */
  faults?: Fault[];
  /** Switches for what the specification leaves open; the list is below. */
  notShown?: Partial<NotShown>;
  /** Allows hook receivers on this machine, and http. */
  allowLoopbackHooks?: boolean;
  /** The plan of the account. Default: "pro". null and "free" are no paid plan. */
  plan?: string | null;
  /** The content of a new account: some videos ("empty", the default), or a small example of everything ("demo"). */
  seed?: "demo" | "empty";
  /** Resolves the hosts of hooks. Default: the system's resolver. */
  lookup?: Lookup;
}

export interface Emulator {
  /** http://127.0.0.1:PORT */
  url: string;
  /** `url` with the version segment. */
  baseUrl: string;
  /** A key with every scope. It stays the same after a restart with the same file. */
  apiKey: string;
  /** The account of the key. */
  accountId: string;
  /** Calls of the API, newest last. You may empty it. */
  requests: RequestRecord[];
  /** Attempts to deliver hooks, newest last. You may empty it. */
  deliveries: Delivery[];
  /** Adds faults from the next call on, or ends all. */
  faults: { add(fault: Fault): void; clear(): void };
  /** Returns everything in the account, as it is stored. */
  records(): Record<string, { id: string }[]>;
  /** Puts the account back to the result of `records`. */
  restore(records: Record<string, { id: string }[]>): void;
  /** The switches. You may change them at any time. */
  notShown: NotShown;
  /** Makes a further key. */
  createKey(options?: KeyOptions): string;
  /** Revokes a key: it gets 401 from the next call on. */
  revokeKey(key: string): void;
  /** Sends a form of a published page, as a visitor does: the first form of the page, unless `form_id` names another. */
  submitForm(pageId: string, fields: Record<string, string>, options?: { abandoned?: boolean }): { leadId: string };
  /** Takes a page off its site and leaves it published. No API call makes such a page. */
  detachPage(pageId: string): void;
  /** Renames a site, as a person may in the app. No API call does this. */
  renameSite(siteId: string, name: string): void;
  /** Deletes a project that is in use, as a person may in the app. No API call does this. */
  dropProject(projectId: string): void;
  /** Resolves when no hook delivery is under way. */
  idle(): Promise<void>;
  /** Ends the emulator. An account in a file stays. */
  close(): Promise<void>;
}

const base = "/v1";

export async function startEmulator(options: EmulatorOptions = {}): Promise<Emulator> {
  const notShown = positions(options.notShown);
  const rules = { allowLoopback: options.allowLoopbackHooks ?? false, lookup: options.lookup };
  const contract = loadContract();
  const faults = new Faults();
  for (const fault of options.faults ?? []) faults.add(fault);
  const service = new Service(new Store(options.data), notShown, new Deliverer(rules, notShown), options.plan);
  const api = new Api(contract, service, faults, options.latency ?? 0);
  const server = createServer((request, response) => void serve(service, api, request, response));
  server.on("clientError", answerMalformed);
  const port = await listen(server, options.port ?? 0).catch(async (error: unknown) => {
    await service.close();
    throw error;
  });
  service.origin = new URL(`http://127.0.0.1:${port}`);
  if (service.isNew) await seed(service, handlersOf(contract), options.seed);
  return {
    url: service.origin.origin,
    baseUrl: service.origin.origin + base,
    apiKey: service.account.apiKey,
    accountId: service.account.id,
    requests: api.requests,
    deliveries: service.deliverer.attempts,
    faults,
    notShown,
    records: () => structuredClone(service.records()),
    restore: (records) => committed(service, () => service.restore(structuredClone(records))),
    createKey: (key) => committed(service, () => service.keys.create(key)),
    revokeKey: (key) => committed(service, () => service.keys.revoke(key)),
    submitForm: (pageId, fields, form) => committed(service, () => sendForm(service, pageId, fields, form?.abandoned)),
    detachPage: (pageId) => committed(service, () => detach(service, pageId)),
    dropProject: (projectId) => committed(service, () => dropProject(service, projectId)),
    renameSite: (siteId, name) => committed(service, () => renameSite(service, siteId, name)),
    idle: () => service.deliverer.idle(),
    close: () => close(service, server),
  };
}

async function seed(service: Service, handlers: Map<string, Handler>, kind: EmulatorOptions["seed"]): Promise<void> {
  seedVideos(service);
  if (kind === "demo") await seedDemo(service, handlers);
  service.commit();
}

function listen(server: Server, port: number): Promise<number> {
  return new Promise((resolve, reject) => {
    server.once("error", ({ message }) => {
      reject(new Error(`The emulator can't listen on port ${port} of 127.0.0.1: ${message}. Give another port.`));
    });
    server.listen(port, "127.0.0.1", () => resolve((server.address() as AddressInfo).port));
  });
}

async function close(service: Service, server: Server): Promise<void> {
  server.closeAllConnections();
  await new Promise((resolve) => server.close(resolve));
  await service.close();
}

function committed<T>(service: Service, change: () => T): T {
  const result = change();
  service.commit();
  return result;
}

/** Serves the API below its base address, the sites by host name or below /_sites, and the emulator's own pages. */
async function serve(service: Service, api: Api, request: IncomingMessage, response: ServerResponse): Promise<void> {
  try {
    const { path } = target(request);
    const label = labelOfHost(request.headers.host);
    if (label === undefined && path.startsWith(`${base}/`)) await api.handle(request, response, base);
    else send(response, await page(service, request, path, label));
  } catch (error) {
    const { status, body } = answerOf(error, service.notShown);
    if (response.headersSent) response.destroy();
    else send(response, json(status, body));
  }
}

async function page(service: Service, request: IncomingMessage, path: string, label?: string): Promise<Reply> {
  const [, first = "", second = "", ...rest] = path.split("/");
  if (first === "_submit") return receive(service, second, request);
  const isRead = request.method === "GET" || request.method === "HEAD";
  if (!isRead) throw new Refusal("wrong_method", "Pages are read with GET.");
  if (label !== undefined) return visit(service, label, path, "host");
  if (path === "/") return html(200, home(service));
  if (first === "_edit") return preview(service, second);
  if (first !== "_sites") throw new Refusal("no_route", `There is nothing at ${path}. The API is at ${base}.`);
  return visit(service, second, rest.join("/"), "path");
}

/** Answers a request that Node's parser could not read as HTTP. */
function answerMalformed(error: Error, socket: Duplex): void {
  if (!socket.writable) return;
  const text = JSON.stringify({ error: "invalid_request", message: `This is not a request: ${error.message}.` });
  const head = `HTTP/1.1 400 Bad Request\r\nContent-Type: application/json\r\nContent-Length: ${Buffer.byteLength(text)}`;
  socket.end(`${head}\r\nConnection: close\r\n\r\n${text}`);
}
