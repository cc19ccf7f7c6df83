/**
 * The record of creations as a file of the stack: one line a creation, and one that crosses it out. Lines are only ever
 * added, since several processes may have the file open. It stands beside the state where that is a folder, so that it
 * goes wherever the state goes; elsewhere it is tags of the stack (record-tags.ts), and under plain `pulumi up` a file in Pulumi's own folder of this machine.
 */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import type {
  CreationRecord,
  LostCreation,
  OpenQuestion,
  RecordedCreation,
  SoughtCreation,
  UnwantedCreation,
} from "../reconcile/creation-record.ts";
import { stackIn } from "../reconcile/identity.ts";
import { append, appendDurably, isThere, UnwrittenFileError } from "./owned-files.ts";
import {
  doubtfulOnes,
  lineOf,
  namedOnes,
  noteKey,
  notesIn,
  openCreations,
  openQuestions,
  readLines,
  soughtOnes,
  unansweredOnes,
  unwantedOnes,
  type Line,
} from "./record-lines.ts";

/** A stack's file in such a folder. */
export function recordFileIn(folder: string, stack: string): string {
  return join(folder, `${stack}.jsonl`);
}

/** The records of all stacks that a process works on. They are read when they are first asked for. */
export class RecordFolder implements CreationRecord {
  readonly #folder: () => string;
  readonly #kept: boolean;
  readonly #files = new Map<string, RecordFile>();

  /** `kept`: it goes where the state goes, and every run that wrote the state kept it. */
  constructor(folder: () => string, kept: boolean) {
    this.#folder = folder;
    this.#kept = kept;
  }

  /** The file itself says so: the command line made it before the run. */
  begin(): Promise<void> {
    return Promise.resolve();
  }

  covers(own: string): boolean {
    return this.#kept && !this.#of(own).isDoubtful(own);
  }

  made(creation: RecordedCreation): Promise<void> {
    return this.#of(creation.own).made(creation);
  }

  noted(own: string, id: string, note: string): Promise<void> {
    return this.#of(own).noted(own, id, note);
  }

  note(own: string, id: string): string | undefined {
    return this.#of(own).note(own, id);
  }

  asked(own: string, question?: OpenQuestion): Promise<void> {
    return this.#of(own).asked(own, question);
  }

  named(own: string, spec: string): Promise<void> {
    return this.#of(own).named(own, spec);
  }

  openQuestions(own: string): readonly OpenQuestion[] {
    return this.#of(own).questions.filter((one) => one.own === own);
  }

  lost(creation: LostCreation): Promise<void> {
    return this.#of(creation.own).lost(creation);
  }

  sought(creation: SoughtCreation): Promise<void> {
    return this.#of(creation.own).noteSought(creation);
  }

  failed(own: string): void {
    this.#of(own).failed(own);
  }

  isUnanswered(own: string): boolean {
    return this.#of(own).isUnanswered(own);
  }

  find(own: string): RecordedCreation | undefined {
    return this.#of(own).find(own);
  }

  settled(own: string, id: string): void {
    this.#of(own).settled(own, id);
  }

  held(own: string, spec: string): void {
    this.#of(own).held(own, spec);
  }

  #of(own: string): RecordFile {
    const stack = stackIn(own);
    const file = this.#files.get(stack) ?? new RecordFile(recordFileIn(this.#folder(), stack));
    this.#files.set(stack, file);
    return file;
  }
}

export class RecordFile {
  readonly #path: string;
  readonly #open: Map<string, RecordedCreation>;
  readonly #notes: Map<string, string>;
  readonly #doubtful: Set<string>;
  readonly #unanswered: Set<string>;
  readonly #named: Map<string, string>;
  readonly #questions: readonly OpenQuestion[];
  readonly #lost: Map<string, LostCreation>;
  readonly #unwanted: readonly UnwantedCreation[];
  readonly #sought: ReadonlyMap<string, SoughtCreation>;
  #waiting: string[] = [];
  /** The flush that lines added now will be part of. */
  #next: Promise<void> | undefined;
  #last: Promise<void> = Promise.resolve();

  constructor(path: string) {
    this.#path = path;
    const text = isThere(path) ? readFileSync(path, "utf8") : "";
    const lines = readLines(text);
    this.#open = openCreations(lines);
    this.#notes = notesIn(text, this.#open);
    this.#doubtful = doubtfulOnes(lines);
    this.#unanswered = unansweredOnes(lines);
    this.#named = namedOnes(lines);
    this.#questions = openQuestions(lines);
    this.#unwanted = unwantedOnes(lines);
    this.#sought = soughtOnes(lines);
    this.#lost = new Map(lines.flatMap((line) => ("lost" in line ? [[line.own, line.lost]] : [])));
  }

  isDoubtful(own: string): boolean {
    return this.#doubtful.has(own);
  }

  find(own: string): RecordedCreation | undefined {
    return this.#open.get(own);
  }

  /** All that is in no state, as far as is known. */
  get creations(): RecordedCreation[] {
    return [...this.#open.values()];
  }

  isUnanswered(own: string): boolean {
    return this.#unanswered.has(own);
  }

  /** Creations that were begun, and of which no run knows what became of them. */
  get unanswered(): ReadonlySet<string> {
    return this.#unanswered;
  }

  /** Those of them of which a run has said so. */
  get lostOnes(): LostCreation[] {
    return [...this.#lost.values()].filter(({ own }) => this.#unanswered.has(own));
  }

  /** As the file tells, the older ones first: each may have made one. */
  get questions(): readonly OpenQuestion[] {
    return this.#questions;
  }

  /** As the file tells. */
  get unwanted(): readonly UnwantedCreation[] {
    return this.#unwanted;
  }

  /** As the file tells. */
  get sought(): readonly SoughtCreation[] {
    return [...this.#sought.values()];
  }

  noteSought(creation: SoughtCreation): Promise<void> {
    return this.#addDurably({ own: creation.own, sought: creation });
  }

  forgetSought(own: string): void {
    this.#addIfItCan({ own, sought: false });
  }

  async noteUnwanted(creations: readonly UnwantedCreation[]): Promise<void> {
    await Promise.all(creations.map((unwanted) => this.#addDurably({ own: unwanted.own, unwanted })));
  }

  forgetUnwanted(own: string): void {
    this.#addIfItCan({ own, unwanted: false });
  }

  lost(creation: LostCreation): Promise<void> {
    const { own } = creation;
    this.#unanswered.add(own);
    this.#lost.set(own, creation);
    return this.#addDurably({ own, asked: true, lost: creation });
  }

  asked(own: string, question?: OpenQuestion): Promise<void> {
    this.#unanswered.add(own);
    return this.#addDurably({ own, asked: true, ...(question && { question }) });
  }

  named(own: string, spec: string): Promise<void> {
    this.#unanswered.add(own);
    this.#named.set(own, spec);
    return this.#addDurably({ own, asked: true, named: spec });
  }

  /** Need not be durable: the next run finds it once more. */
  held(own: string, spec: string): void {
    if (this.#named.get(own) === spec) this.failed(own);
  }

  /** Need not be durable: the next run would say too much, and not too little. */
  failed(own: string): void {
    if (this.#unanswered.delete(own)) this.#addIfItCan({ own, asked: false });
  }

  made(creation: RecordedCreation): Promise<void> {
    this.#open.set(creation.own, creation);
    this.#unanswered.delete(creation.own);
    return this.#addDurably(creation);
  }

  noted(own: string, id: string, note: string): Promise<void> {
    this.#notes.set(noteKey(own, id), note);
    return this.#addDurably({ own, of: id, noted: note });
  }

  note(own: string, id: string): string | undefined {
    return this.#open.get(own)?.id === id ? this.#notes.get(noteKey(own, id)) : undefined;
  }

  /** Calls made while the disk is busy share the next flush. */
  #addDurably(line: Line): Promise<void> {
    this.#waiting.push(lineOf(line));
    this.#next ??= this.#last.catch(() => undefined).then(() => this.#flush());
    this.#last = this.#next;
    return this.#next;
  }

  /** Need not be durable: a line that is lost is said again by the next run. */
  settled(own: string, id: string): void {
    if (this.#open.get(own)?.id !== id) return;
    this.#open.delete(own);
    this.#addIfItCan({ own, settled: id });
  }

  /**
   * For who has the whole state, before a run: crosses out what it holds, and leaves a file in any case. Of creations that
   * were interrupted before there was a file nothing is known.
   */
  begin(isHeld: (made: RecordedCreation) => boolean, interrupted: readonly string[]): void {
    const doubtful = isThere(this.#path) ? [] : interrupted;
    const settled = [...this.#open.values()].filter(isHeld);
    for (const { own } of settled) this.#open.delete(own);
    const lines: Line[] = [
      ...doubtful.map((own) => ({ own, doubtful: true as const })),
      ...settled.map(({ own, id }) => ({ own, settled: id })),
    ];
    this.#append(lines.map(lineOf).join(""));
  }

  /** A plan finds out what is settled, and may stand where nothing can be written. */
  #addIfItCan(line: Line): void {
    try {
      this.#append(lineOf(line));
    } catch (error) {
      if (!(error instanceof UnwrittenFileError)) throw error;
    }
  }

  #append(text: string): void {
    append(this.#path, text);
  }

  async #flush(): Promise<void> {
    this.#next = undefined;
    const lines = this.#waiting;
    this.#waiting = [];
    await appendDurably(this.#path, lines.join(""));
  }
}
