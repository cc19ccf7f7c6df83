/** Formats figures for the report. Pure. */
import type { Took } from "./command.ts";

export function total({ calls }: Pick<Took, "calls">): number {
  return Object.values(calls).reduce((sum, count) => sum + count, 0);
}

export function seconds(value: number): string {
  return `${value.toFixed(value < 10 ? 2 : 1)} s`;
}

export function megabytes({ megabytes: value }: Pick<Took, "megabytes">): string {
  return `${Math.round(value)} MB`;
}

export function kilobytes(bytes: number): string {
  return `${Math.round(bytes / 1024).toLocaleString("en")} kB`;
}
