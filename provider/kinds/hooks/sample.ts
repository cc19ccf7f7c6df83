import type { EventType, LandformApi } from "../../api/index.ts";
import { LookupError } from "../../definition/collection.ts";

/** An example of what is delivered for an event. */
export async function getHookSample(
  api: LandformApi,
  { eventType }: { readonly eventType: EventType },
): Promise<Readonly<Record<string, unknown>>> {
  const [sample] = await api.hooks.sample(eventType);
  if (sample) return sample;
  throw new LookupError(`The service has no sample of ${eventType} (GET /hooks/sample/${eventType}).`);
}
