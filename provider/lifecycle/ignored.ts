/**
 * Inputs that the program leaves to others with `ignoreChanges`. The engine puts in their place what the state has, which after a
 * refresh is what somebody is at work on: taken for the program's own word, it would go public.
 */
import type { Path } from "../paths.ts";

/** Whether the input at `path`, or what it is part of, is left to others. `paths`: as Pulumi writes them, with `*` for any step. */
export function isIgnored(paths: readonly string[], path: Path): boolean {
  return paths.some((one) => {
    const steps = stepsOf(one);
    return steps.length > 0 && steps.every((step, index) => step === "*" || step === String(path[index]));
  });
}

const STEP = /\["((?:[^"\\]|\\.)*)"\]|\[([^\]]*)\]|([^.[\]]+)/g;

function stepsOf(path: string): string[] {
  return [...path.matchAll(STEP)].map(
    ([, quoted, index, name]) => quoted?.replace(/\\(.)/g, "$1") ?? index ?? name ?? "",
  );
}
