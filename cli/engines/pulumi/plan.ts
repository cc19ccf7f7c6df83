/** Pulumi's saved plans, compared. Pure. */
import { digestsOf } from "../digests.ts";
import type { Digests } from "../types.ts";

interface ResourcePlan {
  steps?: unknown;
  goal?: { inputDiff?: unknown };
}

/** The same for two plans of the same steps and inputs. Seeds, times and ciphertexts differ each time. */
export function comparablePlan(plan: unknown): Digests {
  const { resourcePlans = {} } = (plan ?? {}) as { resourcePlans?: Record<string, ResourcePlan> };
  return digestsOf(
    Object.entries(resourcePlans).map(([urn, { steps, goal }]) => [
      urn,
      JSON.stringify([steps, goal?.inputDiff], withoutCiphertext),
    ]),
  );
}

function withoutCiphertext(key: string, value: unknown): unknown {
  if (key === "ciphertext") return undefined;
  if (typeof value !== "object" || value === null || Array.isArray(value)) return value;
  return Object.fromEntries(Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1)));
}
