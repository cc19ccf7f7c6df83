/** Who of those that begin at once may stay, where there is room for some of them. Pure. */
import type { StackSummary } from "../stacks/types.ts";

/** What holds something stays; of the others the first by name, so that they agree without a word. */
export function hasRoom(
  live: readonly Pick<StackSummary, "name" | "resources">[],
  name: string,
  most: number,
): boolean {
  const others = live.filter((stack) => stack.name !== name);
  return others.filter((other) => (other.resources ?? 0) > 0 || other.name < name).length < most;
}
