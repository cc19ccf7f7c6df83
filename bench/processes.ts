/**
 * What the processes of a command use, as Linux tells it: Pulumi and OpenTofu report nothing by themselves, and a host that is ended
 * by a signal doesn't either. Looked at many times a second, since nobody can be asked about a process that has ended; elsewhere nothing is
 * seen, and those of Node alone are counted.
 */
import { readdirSync, readFileSync } from "node:fs";

export interface Used {
  readonly cpuMs: number;
  /** At the most. */
  readonly megabytes: number;
}

const LOOK_MS = 25;
/** Of the clock that /proc counts in, the same on all usual kernels. */
const MS_A_TICK = 10;

/** The process and all that come from it, also when those between have ended. */
export function watchProcesses(root: number): { readonly end: () => ReadonlyMap<number, Used> } {
  const family = new Map<number, Used>();
  const strangers = new Set<number>();
  const look = (): void => {
    for (const pid of pids()) {
      if (strangers.has(pid)) continue;
      const seen = processOf(pid);
      if (seen === undefined) continue;
      if (pid === root || family.has(pid) || family.has(seen.parent)) family.set(pid, most(seen, family.get(pid)));
      // A parent that was not looked at yet has a lower number, but for the one time that numbers start again.
      else strangers.add(pid);
    }
  };
  look();
  const timer = setInterval(look, LOOK_MS);
  return {
    end: () => {
      clearInterval(timer);
      return family;
    },
  };
}

/** One that is about to end has no memory any more. */
function most({ used }: { readonly used: Used }, before: Used = used): Used {
  const { cpuMs, megabytes } = before;
  return { cpuMs: Math.max(cpuMs, used.cpuMs), megabytes: Math.max(megabytes, used.megabytes) };
}

function pids(): number[] {
  try {
    return readdirSync("/proc")
      .filter((name) => /^\d+$/.test(name))
      .map(Number)
      .sort((a, b) => a - b);
  } catch {
    return [];
  }
}

function processOf(pid: number): { readonly parent: number; readonly used: Used } | undefined {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, "utf8");
    // After the name, which may hold anything: state, parent, and as the 12th and 13th the ticks in the program and in the system.
    const fields = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
    const ticks = Number(fields[11]) + Number(fields[12]);
    const peak = /^VmHWM:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${pid}/status`, "utf8"))?.[1] ?? "0";
    return { parent: Number(fields[1]), used: { cpuMs: ticks * MS_A_TICK, megabytes: Number(peak) / 1024 } };
  } catch {
    return undefined;
  }
}
