/** The inputs of a call, apart from what the resource class adds for the lifecycle. */
import type { JsonMap } from "../values/json.ts";

export interface Raw {
  readonly inputs: JsonMap;
  /** What the creation marker is derived from. Left out of every diff. */
  readonly identity: string | undefined;
  readonly provider: unknown;
  /** Paths that the program leaves to others (ignored.ts). */
  readonly ignored: readonly string[];
}

export function splitInputs(raw: JsonMap): Raw {
  const { __provider, __identity, __ignored, ...inputs } = raw;
  return {
    inputs,
    identity: typeof __identity === "string" ? __identity : undefined,
    provider: __provider,
    ignored: Array.isArray(__ignored) ? __ignored.filter((path) => typeof path === "string") : [],
  };
}
