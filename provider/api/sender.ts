/**
 * Sends one request until it is answered or given up: through the gate, with the deadline, repeated where that is safe. Only the headers
 * that a sender closes over hold the key.
 */
import { setTimeout as sleep } from "node:timers/promises";
import { HttpClient } from "./client.ts";
import type { CheckedConfig } from "./config.ts";
import {
  decide,
  type Failure,
  fullBudget,
  isThrottling,
  mayHaveReached,
  readExchange,
  type Reading,
  refund,
  spend,
  troubleOf,
} from "./failure.ts";
import { Gate } from "./gate.ts";
import type { Effect } from "./operations.ts";
import type { WireRequest } from "./calls.ts";

export interface SendOptions {
  readonly effect: Effect;
  readonly withKey: boolean;
  readonly maxBytes: number;
}

export type Sent =
  | { readonly ok: true; readonly status: number; readonly value: unknown; readonly attempts: number }
  | {
      readonly ok: false;
      readonly failure: Failure;
      readonly attempts: number;
      /** True when any of the attempts may have been committed. */
      readonly mayHaveReached: boolean;
    };

export interface Sender {
  readonly send: (request: WireRequest, options: SendOptions) => Promise<Sent>;
  readonly close: () => Promise<void>;
}

export function createSender(config: CheckedConfig): Sender {
  const { origin, pathname } = new URL(config.baseUrl);
  const prefix = pathname === "/" ? "" : pathname;
  const http = new HttpClient(origin, config.maxConcurrency);
  const gate = new Gate(config.maxConcurrency, config.requestsPerSecond);
  const openHeaders = { accept: "application/json", "user-agent": "landform" };
  const keyHeaders = { ...openHeaders, authorization: `Bearer ${config.apiKey.reveal()}` };
  let budget = fullBudget;

  function prepare({ method, path, query, body }: WireRequest, { withKey, maxBytes }: SendOptions) {
    const given = withKey ? keyHeaders : openHeaders;
    const headers = body === undefined ? given : { ...given, "content-type": "application/json" };
    const request = { method, path: prefix + path + query, headers, body, maxBytes };
    return async (timeoutMs: number): Promise<Reading> =>
      readExchange(await http.exchange({ ...request, timeoutMs }), method, Date.now());
  }

  async function send(request: WireRequest, options: SendOptions): Promise<Sent> {
    const attempt = prepare(request, options);
    let permit = await gate.enter("fresh");
    const deadline = performance.now() + config.timeoutMs;
    let reached = false;
    for (let number = 1; ; number++) {
      const reading = await attempt(deadline - performance.now());
      if (reading.ok) {
        gate.leave(permit, "succeeded");
        budget = refund(budget);
        return { ...reading, attempts: number };
      }
      reached ||= mayHaveReached(reading.failure);
      const givenUp: Sent = { ...reading, attempts: number, mayHaveReached: reached };
      const trouble = troubleOf(reading.failure);
      const remainingMs = deadline - performance.now();
      const decision = decide({ number, effect: options.effect, remainingMs }, trouble, budget, Math.random);
      const throttled = isThrottling(trouble);
      if (throttled && decision.action === "wait") gate.pause(decision.delayMs);
      gate.leave(permit, throttled ? "throttled" : "failed");
      if (decision.action === "give-up") return givenUp;

      budget = spend(budget, decision.cost);
      await sleep(decision.delayMs);
      permit = await gate.enter("repeated");
      if (performance.now() >= deadline) {
        gate.leave(permit, "failed");
        return givenUp;
      }
    }
  }

  return { send, close: () => http.close() };
}
