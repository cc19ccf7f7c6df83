/** Digests of what a state or a plan says of each resource, to tell what has changed without keeping it. Pure. */
import { createHash } from "node:crypto";
import type { Digests } from "./types.ts";

/** The same URN may stand there twice, while a replacement is under way. */
export function digestsOf(entries: readonly (readonly [urn: string, value: unknown])[]): Digests {
  const byUrn = Map.groupBy(entries, ([urn]) => urn);
  return Object.fromEntries([...byUrn].map(([urn, values]) => [urn, digest(values.map(([, value]) => value))]));
}

function digest(value: unknown): string {
  return createHash("sha256").update(JSON.stringify(value)).digest("hex");
}

/** The URNs that only one of the two knows, or that differ. */
export function differences(a: Digests, b: Digests): string[] {
  return [...new Set([...Object.keys(a), ...Object.keys(b)])].filter((urn) => a[urn] !== b[urn]);
}
