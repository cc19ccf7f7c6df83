import { notFound } from "../http/errors.ts";
import { samples } from "../records/samples.ts";
import type { HookRecord } from "../records/records.ts";
import type { Call, Operations } from "./operation.ts";

interface HookCreate {
  target_url: string;
  event_type: string;
  filters?: Record<string, unknown>;
}

export const hooks: Operations = {
  createHook: async (service, { body }: Call<unknown, HookCreate>) => {
    await service.deliverer.check(body.target_url);
    const { id, createdAt } = service.born("hook");
    const { event_type: eventType, target_url: targetUrl, filters = null } = body;
    return hookOnWire(service.hooks.put({ id, eventType, targetUrl, filters, active: true, createdAt }));
  },

  deleteHook: (service, { params }: Call) => {
    const id = params["subscriptionId"] ?? "";
    const hook = service.hooks.get(id);
    if (hook === undefined) throw notFound("subscription", id);
    service.hooks.put({ ...hook, active: false });
    return { success: true };
  },

  getHookSample: (_service, { params }: Call) => [
    samples.find(({ event_type }) => event_type === params["eventType"]) ?? samples[0],
  ],
};

/** Leaves out the target URL, which the service never returns. */
function hookOnWire({ id, eventType, active, createdAt }: HookRecord) {
  return { id, event_type: eventType, active, created_at: createdAt };
}
