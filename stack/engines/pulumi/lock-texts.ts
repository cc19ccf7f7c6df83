/** What Pulumi tells of locks, which it does in texts alone. Pure. */
import type { LockHolder } from "../../../engine/index.ts";

/** Pulumi names them by the address of their lock, which may hold more than anybody should see. */
export function holdersIn(told: string): LockHolder[] {
  const lines = told.matchAll(/: created by (.+)@(.+) \(pid (\d+)\) at (\S+)/g);
  return [...lines].map(([, username = "", hostname = "", pid, timestamp = ""]) => ({
    username,
    hostname,
    pid: Number(pid),
    timestamp,
  }));
}

/** A run whose lock somebody has removed finds at its end that it isn't there to be given back (3.245). */
export function tellsOfLostLock(told: string): boolean {
  return /problem deleting the lock at .*(?:code=NotFound|key not found)/.test(told);
}
