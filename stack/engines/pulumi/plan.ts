/** What Pulumi's saved plans say of secrets. Pure. */
import type { SecretsManager } from "../../../engine/index.ts";
import type { PlannedSecrets } from "../changed-secrets.ts";

interface ResourcePlan {
  goal?: { inputDiff?: { adds?: Record<string, unknown>; updates?: Record<string, unknown> } };
}

/** By URN, the inputs that hold a secret, decrypted: ciphertexts differ each time. Undefined where one can't be. */
export function plannedSecrets(plan: unknown, secrets: Pick<SecretsManager, "decrypt">): PlannedSecrets | undefined {
  const { resourcePlans = {} } = (plan ?? {}) as { resourcePlans?: Record<string, ResourcePlan> };
  try {
    return new Map(Object.entries(resourcePlans).map(([urn, planned]) => [urn, secretInputs(planned, secrets)]));
  } catch {
    return undefined;
  }
}

function secretInputs(planned: ResourcePlan, secrets: Pick<SecretsManager, "decrypt">): Map<string, string> {
  const { adds, updates } = planned.goal?.inputDiff ?? {};
  return new Map(Object.entries({ ...adds, ...updates }).flatMap(([key, value]) => secretEntry(key, value, secrets)));
}

function secretEntry(key: string, value: unknown, secrets: Pick<SecretsManager, "decrypt">): [string, string][] {
  const found: string[] = [];
  JSON.stringify(value, (name, inner: unknown) => {
    if (name === "ciphertext" && typeof inner === "string") found.push(secrets.decrypt(inner));
    return inner;
  });
  return found.length === 0 ? [] : [[key, JSON.stringify(found)]];
}
