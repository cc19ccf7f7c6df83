import { open, rm } from "node:fs/promises";
import type { FileHandle } from "node:fs/promises";
import { dirname } from "node:path";
import { crc32 } from "node:zlib";
import { JournalCorruptError } from "./errors.ts";
import { FILE_MODE, readIfThere, syncFolder, written } from "./files.ts";
import type { JournalEntry } from "./ledger.ts";

/**
 * The steps of a run, kept beside the checkpoint until they are folded into it. One line a step: the CRC-32 of the JSON, a space, the JSON. The first
 * line names the checkpoint that it starts from by its SHA-256. A line `fold` names the next checkpoint, which tells a finished fold from one that
 * never happened.
 */
export interface JournalHeader {
  journal: 1;
  base: string;
  started: string;
}

export interface JournalContent {
  header: JournalHeader;
  steps: JournalEntry[];
  /** SHA-256 of the checkpoint that holds these steps already, if there is one. */
  folded: string | undefined;
  /** The end of the part that is whole on the disk. */
  length: number;
}

/** Appends lines. The first line that has to be durable creates the file. */
export class JournalWriter {
  readonly #file: string;
  #handle: FileHandle | undefined;
  #waiting: string[];
  /** The flush that will write the lines added now. */
  #next: Promise<void> | undefined;
  #last: Promise<void> = Promise.resolve();

  constructor(file: string, base: string) {
    this.#file = file;
    this.#waiting = [formatLine({ journal: 1, base, started: new Date().toISOString() })];
  }

  /** Adds a line that goes to disk with the next durable one. Without one, it is lost with the process. */
  addLazily(entry: JournalEntry): void {
    this.#waiting.push(formatLine(entry));
  }

  /** Adds a line, which is durable when the promise resolves. Calls made while the disk is busy share the next flush. A failure is final. */
  add(line: JournalEntry | FoldMark): Promise<void> {
    this.#waiting.push(formatLine(line));
    this.#next ??= this.#last.then(() => this.#flush());
    this.#last = this.#next;
    return this.#next;
  }

  /** Names the next checkpoint. A journal without a line needs no such mark. */
  async markFold(result: string): Promise<void> {
    if (this.#handle !== undefined) await this.add({ step: "fold", result });
  }

  async close(): Promise<void> {
    await this.#last.catch(() => undefined);
    await this.#handle?.close();
  }

  async discard(): Promise<void> {
    await this.close();
    if (this.#handle !== undefined) await removeJournal(this.#file);
  }

  async #flush(): Promise<void> {
    this.#next = undefined;
    const lines = this.#waiting;
    this.#waiting = [];
    const created = this.#handle === undefined;
    await written(this.#file, async () => {
      this.#handle ??= await open(this.#file, "ax", FILE_MODE);
      await this.#handle.appendFile(lines.join(""), "utf8");
      await this.#handle.datasync();
    });
    if (created) await syncFolder(dirname(this.#file));
  }
}

/** Returns undefined if there is none, or if its first line never got to disk whole. */
export async function readJournal(file: string): Promise<JournalContent | undefined> {
  const bytes = await readIfThere(file);
  if (bytes === undefined) return undefined;
  const { parsed, length } = parseLines(bytes.toString("utf8"), file);
  const [header, ...lines] = parsed;
  if (header === undefined) return undefined;
  if (!("journal" in header))
    throw new JournalCorruptError(`${file}:1: this is no first line of a journal that this version knows`);
  const content: JournalContent = { header, steps: [], folded: undefined, length };
  for (const line of lines) {
    if ("journal" in line) throw new JournalCorruptError(`${file}: the first line of a journal is there twice`);
    if (line.step === "fold") content.folded = line.result;
    else content.steps.push(line);
  }
  return content;
}

/** Cuts off the broken end of a journal that another process left, then names the next checkpoint. */
export async function markLeftJournal(file: string, length: number, result: string): Promise<void> {
  const handle = await open(file, "r+");
  try {
    await written(file, async () => {
      await handle.truncate(length);
      await handle.write(formatLine({ step: "fold", result }), length, "utf8");
      await handle.datasync();
    });
  } finally {
    await handle.close();
  }
}

export async function removeJournal(file: string): Promise<void> {
  await rm(file, { force: true });
  await syncFolder(dirname(file));
}

interface FoldMark {
  step: "fold";
  result: string;
}

type Line = JournalHeader | JournalEntry | FoldMark;

function formatLine(line: Line): string {
  const json = JSON.stringify(line);
  return `${checksum(json)} ${json}\n`;
}

function checksum(text: string): string {
  return crc32(text).toString(16).padStart(8, "0");
}

/** Parses lines. A broken end comes from a kill, and nobody was told that it is durable. A broken line before the end is damage. */
function parseLines(text: string, file: string): { parsed: Line[]; length: number } {
  const lines = text.split("\n").slice(0, -1);
  const parsed = lines.map(parseLine);
  const firstBroken = parsed.indexOf(undefined);
  const end = parsed.findLastIndex((line) => line !== undefined) + 1;
  if (firstBroken !== -1 && firstBroken < end)
    throw new JournalCorruptError(`${file}:${firstBroken + 1}: the line's checksum is wrong`);
  const length = lines.slice(0, end).reduce((sum, line) => sum + Buffer.byteLength(line) + 1, 0);
  return { parsed: parsed.slice(0, end).filter((line) => line !== undefined), length };
}

function parseLine(line: string): Line | undefined {
  const json = line.slice(9);
  if (line.length < 10 || line[8] !== " " || checksum(json) !== line.slice(0, 8)) return undefined;
  return JSON.parse(json) as Line;
}
