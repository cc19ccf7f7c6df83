/**
 * Time that runs faster: what waits for a minute waits for a second and a half. Every wait of the provider and of the
 * emulator goes through these three, so neither knows; a test file that imports this mocks `node:timers/promises` with
 * `sleep`.
 */
export const FASTER = 40;

const setRealTimeout = globalThis.setTimeout;
const realNow = performance.now.bind(performance);
const start = realNow();

globalThis.setTimeout = ((work: (...args: unknown[]) => void, ms = 0, ...args: unknown[]) =>
  setRealTimeout(() => work(...args), ms / FASTER)) as typeof setTimeout;
performance.now = () => start + (realNow() - start) * FASTER;

/** `setTimeout` of `node:timers/promises`. */
export function sleep<Value>(ms: number, value: Value, { ref = true }: { ref?: boolean } = {}): Promise<Value> {
  return new Promise((resolve) => {
    const timer = setRealTimeout(() => resolve(value), ms / FASTER);
    if (!ref) timer.unref();
  });
}
