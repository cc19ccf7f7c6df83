/**
 * Reads from Linux what the processes of a command use. Pulumi and OpenTofu report nothing, and neither does a host that a signal ends. It looks many
 * times a second, because nobody can ask about an ended process. On other systems it sees nothing, and only Node's own reports count.
 */
import { readdirSync, readFileSync } from "node:fs";

export interface Used {
  readonly cpuMs: number;
  /** The peak. */
  readonly megabytes: number;
}

const LOOK_MS = 25;
/** The clock tick of /proc, the same on all usual kernels. */
const MS_A_TICK = 10;

/** Watches the process and its descendants, also if a process between them has ended. */
export function watchProcesses(root: number): { readonly end: () => ReadonlyMap<number, Used> } {
  const family = new Map<number, Used>();
  const strangers = new Set<number>();
  const look = (): void => {
    for (const pid of pids()) {
      if (strangers.has(pid)) continue;
      const seen = processOf(pid);
      if (seen === undefined) continue;
      if (pid === root || family.has(pid) || family.has(seen.parent)) family.set(pid, most(seen, family.get(pid)));
      // An unseen parent has a lower number, except once when the numbers start again.
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

/** A process that is about to end has no memory any more. */
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
    // The fields after the name, which may hold anything: the state, the parent, and the ticks in the program and in the system as the 12th and 13th.
    const fields = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
    const ticks = Number(fields[11]) + Number(fields[12]);
    const peak = /^VmHWM:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${pid}/status`, "utf8"))?.[1] ?? "0";
    return { parent: Number(fields[1]), used: { cpuMs: ticks * MS_A_TICK, megabytes: Number(peak) / 1024 } };
  } catch {
    return undefined;
  }
}
