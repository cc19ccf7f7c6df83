/** Secrets of two plans, compared without showing them. Pure. */
import type { SecretKeys } from "./types.ts";

/** By URN and input, what tells a secret from another. */
export type PlannedSecrets = ReadonlyMap<string, ReadonlyMap<string, string>>;

/** Of the resources that both plan something for, the inputs whose secrets differ, or that are secret in one plan alone. */
export function changedKeys(reviewed: PlannedSecrets, now: PlannedSecrets): SecretKeys {
  const both = [...now].flatMap(([urn, today]) => {
    const then = reviewed.get(urn);
    if (then === undefined) return [];
    const keys = [...new Set([...then.keys(), ...today.keys()])].filter((key) => then.get(key) !== today.get(key));
    return keys.length === 0 ? [] : [[urn, keys] as const];
  });
  return new Map(both);
}
