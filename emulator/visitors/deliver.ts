import { request as requestHttp } from "node:http";
import { request as requestHttps } from "node:https";
import type { LookupFunction } from "node:net";
import { isIPv6 } from "node:net";
import { setTimeout as sleep } from "node:timers/promises";
import { checkTarget, type HookRules } from "./hook-rules.ts";
import type { NotShown } from "../not-shown.ts";
import type { HookRecord } from "../records/records.ts";

/** One attempt to deliver an event to a receiver. `status` is undefined if no answer came. */
export interface Delivery {
  subscriptionId: string;
  eventId: string;
  eventType: string;
  attempt: number;
  status: number | undefined;
  error: string | undefined;
  at: string;
}

export interface HookEvent {
  id: string;
  event_type: string;
  [field: string]: unknown;
}

/** Sends events to the receivers of the active subscriptions, in the background. */
export class Deliverer {
  /** Every attempt, newest last. */
  readonly attempts: Delivery[] = [];
  readonly #rules: HookRules;
  readonly #notShown: NotShown;
  readonly #pending = new Set<Promise<void>>();
  readonly #closing = new AbortController();

  constructor(rules: HookRules, notShown: NotShown) {
    this.#rules = rules;
    this.#notShown = notShown;
  }

  /** Refuses a `target_url` that breaks the rules. */
  async check(targetUrl: string): Promise<void> {
    await checkTarget(targetUrl, this.#rules);
  }

  /** `isActive` runs before every attempt: a disabled subscription gets nothing more. */
  send(event: HookEvent, hooks: readonly HookRecord[], isActive: (hook: HookRecord) => boolean): void {
    for (const hook of hooks) {
      const work = this.#deliver(event, hook, isActive).finally(() => this.#pending.delete(work));
      this.#pending.add(work);
    }
  }

  /** Resolves when no delivery is left. */
  async idle(): Promise<void> {
    while (this.#pending.size > 0) await Promise.all(this.#pending);
  }

  async close(): Promise<void> {
    this.#closing.abort();
    await this.idle();
  }

  async #deliver(event: HookEvent, hook: HookRecord, isActive: (hook: HookRecord) => boolean): Promise<void> {
    for (let attempt = 1; attempt <= this.#notShown.deliveryAttempts; attempt++) {
      if (this.#closing.signal.aborted || !isActive(hook)) return;
      const result = await this.#attempt(event, hook.targetUrl);
      const at = new Date().toISOString();
      const { status, error } = result;
      this.attempts.push({
        subscriptionId: hook.id,
        eventId: event.id,
        eventType: event.event_type,
        attempt,
        status,
        error,
        at,
      });
      if (status !== undefined && status >= 200 && status < 300) return;
      if (attempt === this.#notShown.deliveryAttempts) return;
      await sleep(100 * attempt, undefined, { signal: this.#closing.signal }).catch(() => undefined);
    }
  }

  async #attempt(event: HookEvent, targetUrl: string): Promise<{ status?: number; error?: string }> {
    try {
      const { url, address } = await checkTarget(targetUrl, this.#rules);
      if (address === undefined) return { error: `The host ${url.hostname} has no address.` };
      const signal = AbortSignal.any([this.#closing.signal, AbortSignal.timeout(this.#notShown.deliveryTimeoutMs)]);
      return { status: await post(url, address, JSON.stringify(event), signal) };
    } catch (error) {
      const reason = error instanceof Error ? (error.cause ?? error) : error;
      return { error: reason instanceof Error ? reason.message : String(reason) };
    }
  }
}

/** Posts to the checked address, even if the name resolves to another one by now. It follows no redirects. */
function post(url: URL, address: string, body: string, signal: AbortSignal): Promise<number> {
  const family = isIPv6(address) ? 6 : 4;
  const lookup: LookupFunction = (_host, options, callback) => {
    if (options.all === true) callback(null, [{ address, family }]);
    else callback(null, address, family);
  };
  const headers = { "Content-Type": "application/json", "Content-Length": Buffer.byteLength(body) };
  const request = url.protocol === "https:" ? requestHttps : requestHttp;
  return new Promise((resolve, reject) => {
    const call = request(url, { method: "POST", headers, lookup, signal, agent: false }, (answer) => {
      answer.resume();
      resolve(answer.statusCode ?? 0);
    });
    call.on("error", reject);
    call.end(body);
  });
}
