/** The runs of one stack: a folder with one file each. A reader of the folder sees who ran what and when. Values are sealed. */
import { readdirSync, readFileSync, renameSync, rmSync, statSync } from "node:fs";
import { join } from "node:path";
import { OWN_FOLDERS } from "../../provider/history/kept.ts";
import { append, isThere, lineOf, refuseLinks } from "../../provider/ledger/owned-files.ts";
import { parseRun, type RunLine, type RunRecord, type UnreadRun } from "./run-file.ts";

/** A run is forgotten when it is old and not among the last ones. */
export const KEPT_RUNS = 30;
export const KEPT_DAYS = 90;
const DAY_MS = 86_400_000;
const ENDING = ".jsonl";

export interface Runs {
  readonly runs: RunRecord[];
  readonly unread: UnreadRun[];
}

export class RunStore {
  readonly folder: string;

  constructor(folder: string) {
    this.folder = folder;
  }

  /** Oldest first, because ids begin with the time. */
  ids(): string[] {
    refuseLinks(this.folder, OWN_FOLDERS - 1);
    return namesIn(this.folder)
      .flatMap((name) => RunStore.idIn(name) ?? [])
      .sort();
  }

  static fileName(id: string): string {
    return `${id}${ENDING}`;
  }

  static idIn(name: string): string | undefined {
    const id = name.slice(0, -ENDING.length);
    return name.endsWith(ENDING) && timeOf(id) !== undefined && !/[/\\]/.test(id) ? id : undefined;
  }

  read(id: string): RunRecord | string {
    refuseLinks(this.file(id), OWN_FOLDERS);
    return parseRun(readFileSync(this.file(id), "utf8"));
  }

  /** Newest first. */
  list(): Runs {
    const all = this.ids()
      .reverse()
      .map((id) => ({ id, run: this.read(id) }));
    return {
      runs: all.flatMap(({ run }) => (typeof run === "string" ? [] : [run])),
      unread: all.flatMap(({ id, run }) => (typeof run === "string" ? [{ id, why: run }] : [])),
    };
  }

  /** Absolute. */
  file(id: string): string {
    return join(this.folder, RunStore.fileName(id));
  }

  has(id: string): boolean {
    return isThere(this.file(id), OWN_FOLDERS);
  }

  sizeOf(id: string): number {
    return this.has(id) ? statSync(this.file(id)).size : 0;
  }

  bytesOf(id: string): Uint8Array {
    refuseLinks(this.file(id), OWN_FOLDERS);
    return readFileSync(this.file(id));
  }

  /** Replaces a run with another machine's file. */
  replace(id: string, content: Uint8Array): void {
    refuseLinks(this.file(id), OWN_FOLDERS);
    const draft = `${this.file(id)}.${process.pid}`;
    rmSync(draft, { force: true });
    append(draft, content, { depth: OWN_FOLDERS });
    renameSync(draft, this.file(id));
  }

  /** Adds lines. They are durable when it returns. */
  add(id: string, lines: readonly RunLine[]): void {
    append(this.file(id), lines.map(lineOf).join(""), { depth: OWN_FOLDERS, durably: true });
  }

  remove(id: string): void {
    rmSync(this.file(id), { force: true });
  }

  forgetOld(now: number): void {
    const ids = this.ids();
    for (const id of ids) if (isForgotten(id, ids, now)) this.remove(id);
  }
}

/** `ids`: all ids, oldest first. */
export function isForgotten(id: string, ids: readonly string[], now: number): boolean {
  const at = timeOf(id);
  return at !== undefined && now - at > KEPT_DAYS * DAY_MS && !ids.slice(-KEPT_RUNS).includes(id);
}

/** `20261122-120438.123-3f2a`: people can read it, it sorts by time, and it is short enough to type. */
export function newRunId(now: Date, random: string): string {
  const digits = now.toISOString().replace(/\D/g, "");
  return `${digits.slice(0, 8)}-${digits.slice(8, 14)}.${digits.slice(14)}-${random}`;
}

function timeOf(id: string): number | undefined {
  const [, y, mo, d, h, mi, s] = /^(\d{4})(\d\d)(\d\d)-(\d\d)(\d\d)(\d\d(?:\.\d{3})?)-/.exec(id) ?? [];
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
