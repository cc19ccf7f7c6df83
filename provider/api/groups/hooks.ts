import type { Call } from "../caller.ts";
import type { EventType, HookCreate } from "../inputs.ts";
import { deleted, hookSample, hookSubscription } from "../records.ts";

export const hooksGroup = (call: Call) => ({
  /** The target URL is a secret: it is never returned, and no message of ours repeats it. */
  create: (body: HookCreate) => call("createHook", hookSubscription, { body, secrets: [body.target_url] }),
  /** Deliveries stop; the subscription stays, inactive. */
  delete: (subscriptionId: string) => call("deleteHook", deleted, { ids: { subscriptionId } }),
  /** An example of an event, in an array of one. */
  sample: (eventType: EventType) => call("getHookSample", hookSample, { ids: { eventType } }),
});
