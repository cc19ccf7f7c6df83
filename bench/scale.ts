/** Measures how time and memory grow with an account that is ten times as large. */
import { live, type Life } from "./lifecycle.ts";
import type { StepTitle } from "./reasons.ts";

export interface Growth {
  readonly small: Life;
  readonly large: Life;
  /** The size of the state file after the up from empty. */
  readonly bytes: { readonly small: number; readonly large: number };
  /** The bytes that the up from empty prints. */
  readonly printed: { readonly small: number; readonly large: number };
}

const STEPS: readonly StepTitle[] = [
  "up from empty",
  "refresh",
  "preview without changes",
  "up without changes",
  "up of one content key",
  "destroy",
];

export async function measureGrowth(pages: number): Promise<Growth> {
  const measure = (count: number): Promise<Life> =>
    live({ engine: "embedded", form: "entry", size: { pages: count }, steps: STEPS }, undefined);
  const [small, large] = [await measure(pages / 10), await measure(pages)];
  return {
    small,
    large,
    bytes: { small: small.stateBytes, large: large.stateBytes },
    printed: { small: printedIn(small), large: printedIn(large) },
  };
}

function printedIn({ took }: Life): number {
  return took["up from empty"]?.printedBytes ?? 0;
}
