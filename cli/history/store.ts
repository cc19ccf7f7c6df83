/** The runs of one stack: a folder with a file each. Who may read the folder sees who ran what when; values are sealed. */
import { closeSync, fsyncSync, readdirSync, readFileSync, rmSync, writeSync } from "node:fs";
import { join } from "node:path";
import { lineOf, OWN_FOLDERS } from "../../provider/history/kept-file.ts";
import { openToAppend, refuseLinks } from "../../provider/owned-files.ts";
import { parseRun, type RunLine, type RunRecord } from "./run-file.ts";

/** A run is forgotten when it is neither among the last ones nor young. */
export const KEPT_RUNS = 30;
export const KEPT_DAYS = 90;
const DAY_MS = 86_400_000;
const ENDING = ".jsonl";

export class RunStore {
  readonly folder: string;

  constructor(folder: string) {
    this.folder = folder;
  }

  /** Oldest first: ids begin with the time. */
  ids(): string[] {
    refuseLinks(this.folder, OWN_FOLDERS - 1);
    return namesIn(this.folder)
      .filter((name) => name.endsWith(ENDING))
      .map((name) => name.slice(0, -ENDING.length))
      .sort();
  }

  /** Undefined where there is none, or none that can be read. */
  read(id: string): RunRecord | undefined {
    refuseLinks(this.file(id), OWN_FOLDERS);
    return parseRun(readFileSync(this.file(id), "utf8"));
  }

  /** Newest first. */
  list(): RunRecord[] {
    return this.ids()
      .reverse()
      .flatMap((id) => this.read(id) ?? []);
  }

  /** Absolute. */
  file(id: string): string {
    return join(this.folder, `${id}${ENDING}`);
  }

  /** Durable when it returns. */
  add(id: string, lines: readonly RunLine[]): void {
    const file = openToAppend(this.file(id), OWN_FOLDERS);
    try {
      writeSync(file, lines.map(lineOf).join(""));
      fsyncSync(file);
    } finally {
      closeSync(file);
    }
  }

  remove(id: string): void {
    rmSync(this.file(id), { force: true });
  }

  forgetOld(now: number): void {
    for (const id of this.ids().slice(0, -KEPT_RUNS)) {
      const at = timeOf(id);
      if (at !== undefined && now - at > KEPT_DAYS * DAY_MS) this.remove(id);
    }
  }
}

/** `20261122-120438-3f2a`: to be read, to be sorted, and short enough to be typed. */
export function newRunId(now: Date, random: string): string {
  const digits = now.toISOString().replace(/\D/g, "");
  return `${digits.slice(0, 8)}-${digits.slice(8, 14)}-${random}`;
}

function timeOf(id: string): number | undefined {
  const [, y, mo, d, h, mi, s] = /^(\d{4})(\d\d)(\d\d)-(\d\d)(\d\d)(\d\d)-/.exec(id) ?? [];
  const time = Date.parse(`${y ?? ""}-${mo ?? ""}-${d ?? ""}T${h ?? ""}:${mi ?? ""}:${s ?? ""}Z`);
  return Number.isNaN(time) ? undefined : time;
}

function namesIn(folder: string): string[] {
  try {
    return readdirSync(folder);
  } catch (error) {
    if (error instanceof Error && "code" in error && error.code === "ENOENT") return [];
    throw error;
  }
}
