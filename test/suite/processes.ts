/** Ends a command as a power failure does: with everything that it has started, in any group. */
import { readdirSync, readFileSync } from "node:fs";

/** Works on Linux only. */
export function killTree(root: number): void {
  const stopped = new Set<number>();
  // A stopped process starts nothing more. The tree is complete when a look finds no new process.
  for (let found = [root]; found.length > 0; found = treeOf(root).filter((pid) => !stopped.has(pid)))
    for (const pid of found) {
      signal(pid, "SIGSTOP");
      stopped.add(pid);
    }
  for (const pid of stopped) signal(pid, "SIGKILL");
}

function treeOf(root: number): number[] {
  const children = new Map<number, number[]>();
  for (const pid of readdirSync("/proc").filter((name) => /^\d+$/.test(name))) {
    const parent = parentOf(pid);
    if (parent !== undefined) children.set(parent, [...(children.get(parent) ?? []), Number(pid)]);
  }
  const below = (pid: number): number[] => [pid, ...(children.get(pid) ?? []).flatMap(below)];
  return below(root);
}

function parentOf(pid: string): number | undefined {
  try {
    const [, parent] = /^\d+ \(.*\) \S (\d+) /s.exec(readFileSync(`/proc/${pid}/stat`, "utf8")) ?? [];
    return parent === undefined ? undefined : Number(parent);
  } catch {
    return undefined;
  }
}

function signal(pid: number, name: NodeJS.Signals): void {
  try {
    process.kill(pid, name);
  } catch {
    // It has ended by itself in the meantime.
  }
}
