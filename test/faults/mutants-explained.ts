/** Changes of the code that no test notices, and why that is right; what stands there and what the change made of it, on one line each. */
export interface Explained {
  readonly file: string;
  readonly original: string;
  /** Every replacement, where there is none. */
  readonly replacement?: string;
  readonly why: string;
}

export const EXPLAINED: readonly Explained[] = [];
