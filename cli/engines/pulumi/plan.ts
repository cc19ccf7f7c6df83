/** Pulumi's saved plans, compared. Pure. */
import type { SecretsManager } from "../../../engine/index.ts";
import { digestsOf } from "../digests.ts";
import type { Digests } from "../types.ts";

interface ResourcePlan {
  steps?: unknown;
  goal?: { inputDiff?: unknown };
}

/**
 * The same for two plans of the same steps and inputs. Seeds, times and ciphertexts differ each time; secrets are compared
 * where they can be decrypted.
 */
export function comparablePlan(plan: unknown, secrets?: Pick<SecretsManager, "decrypt">): Digests {
  const { resourcePlans = {} } = (plan ?? {}) as { resourcePlans?: Record<string, ResourcePlan> };
  return digestsOf(
    Object.entries(resourcePlans).map(([urn, { steps, goal }]) => [
      urn,
      JSON.stringify([steps, goal?.inputDiff], (key, value: unknown) => comparable(key, value, secrets)),
    ]),
  );
}

function comparable(key: string, value: unknown, secrets: Pick<SecretsManager, "decrypt"> | undefined): unknown {
  if (key === "ciphertext") return typeof value === "string" ? plaintext(value, secrets) : undefined;
  if (typeof value !== "object" || value === null || Array.isArray(value)) return value;
  return Object.fromEntries(Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1)));
}

function plaintext(ciphertext: string, secrets: Pick<SecretsManager, "decrypt"> | undefined): string | undefined {
  try {
    return secrets?.decrypt(ciphertext);
  } catch {
    return undefined;
  }
}
