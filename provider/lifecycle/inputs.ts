/** The inputs of a call, apart from what the resource class adds for the lifecycle. */
import type { JsonMap } from "../json.ts";

export interface Raw {
  readonly inputs: JsonMap;
  /** What the creation marker is derived from. Left out of every diff. */
  readonly identity: string | undefined;
  readonly provider: unknown;
}

export function splitInputs(raw: JsonMap): Raw {
  const { __provider, __identity, ...inputs } = raw;
  return { inputs, identity: typeof __identity === "string" ? __identity : undefined, provider: __provider };
}
