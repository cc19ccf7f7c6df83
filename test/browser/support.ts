import { existsSync } from "node:fs";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { type Browser, type BrowserContext, chromium, type Page } from "playwright-core";
import { afterAll, beforeAll, describe } from "vitest";
import { type Emulator, startEmulator } from "../../emulator/index.ts";
import { inTheApp } from "../suite/app.ts";

const executablePath = process.env.CHROMIUM_PATH ?? "/usr/bin/chromium";
const installed = existsSync(executablePath);

/** Undefined if there is none. */
export const chromiumAt = installed ? executablePath : undefined;

export const desktop = { width: 1280, height: 800 };
export const phone = { width: 390, height: 844 };

/** Pages of a running emulator, in a real browser. */
export interface Stage {
  emulator: Emulator;
  /** Calls the API with a full key; fails the test when the answer is an error. */
  call<T = Record<string, string>>(method: string, path: string, body?: object): Promise<T>;
  /** Makes a page from a template, fills all placeholders, and publishes it on the stage's site. */
  publish(template: string, slug: string, content?: Record<string, string>): Promise<{ id: string; url: string }>;
  /** Opens an address in a new window. */
  open(url: string, options?: { viewport?: typeof desktop; javaScriptEnabled?: boolean }): Promise<Window>;
}

export interface Window {
  page: Page;
  /** The complaints of a visitor's browser: script errors, failed loads, dialogs. */
  complaints: string[];
  /** Hosts that the browser asked for anything. */
  hosts: Set<string>;
}

/** `describe` with a stage that exists during the tests. It skips the tests if there is no Chromium. */
export function describeInBrowser(name: string, tests: (stage: Stage) => void): void {
  const title = installed ? name : `${name} (skipped: no Chromium at ${executablePath}; set CHROMIUM_PATH)`;
  describe.skipIf(!installed)(title, () => {
    const stage = {} as Stage;
    let browser: Browser;
    beforeAll(async () => {
      browser = await chromium.launch({
        executablePath,
        args: [
          ...["--no-sandbox", "--disable-gpu", "--disable-background-networking", "--disable-component-update"],
          ...["--disable-sync", "--no-first-run"],
        ],
      });
      Object.assign(stage, await setUp(browser));
    });
    afterAll(async () => {
      await browser.close();
      await stage.emulator.close();
    });
    tests(stage);
  });
}

async function setUp(browser: Browser): Promise<Stage> {
  const emulator = await startEmulator({ allowLoopbackHooks: true });
  const call = <T>(method: string, path: string, body?: object): Promise<T> =>
    inTheApp<T>({ emulator }, method, path, body);
  const site = await call<{ id: string }>("POST", "/sites", { name: "shop.example" });
  return {
    emulator,
    call,
    publish: async (template, slug, content = {}) => {
      const kind = template.startsWith("tpl-quiz") ? "quizzes" : "pages";
      const { id } = await call<{ id: string }>("POST", `/${kind}/from-template`, {
        template_id: template,
        name: slug,
      });
      if (Object.keys(content).length > 0) await call("PATCH", "/pages/content", { page_id: id, updates: content });
      await fillPlaceholders(call, id);
      const { url } = await call<{ url: string }>("POST", "/pages/publish", { page_id: id, site_id: site.id, slug });
      return { id, url };
    },
    open: async (url, options) => {
      const context = await browser.newContext({ viewport: desktop, ...options });
      const window = await watched(context);
      await window.page.goto(url);
      return window;
    },
  };
}

async function fillPlaceholders(call: Stage["call"], id: string): Promise<void> {
  const map = await call<{ variables: string }>("GET", `/search/page-content-map?page_id=${id}`);
  const names = JSON.parse(map.variables) as string[];
  const values = Object.fromEntries(names.map((name) => [name, "Tidewell"]));
  await call("POST", "/pages/replace-variables", { page_id: id, variables: values });
}

async function watched(context: BrowserContext): Promise<Window> {
  const page = await context.newPage();
  const window: Window = { page, complaints: [], hosts: new Set() };
  page.on("pageerror", (error) => window.complaints.push(error.message));
  page.on("console", (message) => message.type() === "error" && window.complaints.push(message.text()));
  page.on("requestfailed", (request) => window.complaints.push(`failed: ${request.url()}`));
  page.on("dialog", (dialog) => {
    window.complaints.push(`dialog: ${dialog.message()}`);
    void dialog.dismiss();
  });
  page.on("request", (request) => {
    const { protocol, hostname } = new URL(request.url());
    if (protocol !== "data:") window.hosts.add(hostname);
  });
  return window;
}

/** Starts a receiver of hooks on loopback, which keeps what it got. */
export async function receiver(): Promise<{ url: string; received: Record<string, unknown>[]; close(): void }> {
  const received: Record<string, unknown>[] = [];
  const server: Server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on("data", (chunk: Buffer) => chunks.push(chunk));
    request.on("end", () => {
      received.push(JSON.parse(Buffer.concat(chunks).toString()) as Record<string, unknown>);
      response.end("{}");
    });
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  return { url: `http://127.0.0.1:${port}/hook`, received, close: () => void server.close() };
}
