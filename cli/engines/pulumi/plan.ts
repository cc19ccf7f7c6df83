/** Pulumi's saved plans, compared. Pure. */

interface ResourcePlan {
  steps?: unknown;
  goal?: { inputDiff?: unknown };
}

/** The same text for two plans of the same steps and inputs. Seeds, times and ciphertexts differ each time. */
export function comparablePlan(plan: unknown): string {
  const { resourcePlans = {} } = (plan ?? {}) as { resourcePlans?: Record<string, ResourcePlan> };
  const essence = Object.entries(resourcePlans).map(([urn, { steps, goal }]) => [urn, steps, goal?.inputDiff]);
  return JSON.stringify(
    essence.sort(([a], [b]) => (String(a) < String(b) ? -1 : 1)),
    withoutCiphertext,
  );
}

function withoutCiphertext(key: string, value: unknown): unknown {
  if (key === "ciphertext") return undefined;
  if (typeof value !== "object" || value === null || Array.isArray(value)) return value;
  return Object.fromEntries(Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1)));
}
