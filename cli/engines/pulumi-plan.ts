/** Pulumi's saved plans, compared. Pure. */

/** The same text for two plans of the same steps: without seeds, times and ciphertexts, which differ each time. */
export function comparablePlan(plan: unknown): string {
  const { resourcePlans = {} } = (plan ?? {}) as { resourcePlans?: Record<string, unknown> };
  const sorted = Object.entries(resourcePlans).sort(([a], [b]) => (a < b ? -1 : 1));
  return JSON.stringify(sorted, (key, value: unknown) => {
    if (key === "seed" || key === "ciphertext") return undefined;
    if (typeof value !== "object" || value === null || Array.isArray(value)) return value;
    return Object.fromEntries(Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1)));
  });
}
