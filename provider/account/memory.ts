/** Remembers what one client wrote and was shown. Every call goes through it, so no caller has to report anything. */
import { type Call, type CallInput, type OperationName, operations } from "../api/operations.ts";
import { NotFoundError } from "../api/errors.ts";
import { patientLook } from "./presence.ts";

export interface Subject {
  readonly noun: string;
  readonly id: string;
}

interface Remembered {
  /** This client made it, and no read has shown it yet. */
  isAwaited: boolean;
  /** This client deleted it. */
  isGone: boolean;
  date: number;
  /** The record of that date, unless a write came after it. */
  record: Row | undefined;
}

type Row = Readonly<Record<string, unknown>>;

/** The service answers a new quiz with the page that it is on. */
const ANSWERED_AS: Partial<Record<OperationName, OperationName>> = {
  createQuiz: "createPage",
  createQuizFromTemplate: "createPage",
};

export class Memory {
  readonly #objects = new Map<string, Remembered>();
  onWrite: (id: string, isGone: boolean) => void = () => undefined;
  /** The dates of this service go back by themselves, so an older date proves nothing. Learned once. */
  datesGoBack = false;

  /** Notes a write, also if its answer was lost. */
  wrote({ noun, id }: Subject, isDeletion: boolean): void {
    const object = this.#objectOf(noun, id);
    object.record = undefined;
    object.isGone = isDeletion;
    this.onWrite(id, isDeletion);
  }

  made({ noun, id }: Subject): void {
    this.#objectOf(noun, id).isAwaited = true;
  }

  /** Notes that the service showed the object. `row`: a whole record. */
  saw({ noun, id }: Subject, row: unknown): void {
    const object = this.#objectOf(noun, id);
    object.isAwaited = false;
    if (!isRecordOf(id, row)) return;
    const date = dateOf(row);
    if (date < object.date) return;
    object.date = date;
    object.record = row;
  }

  isAwaited({ noun, id }: Subject): boolean {
    const object = this.#objects.get(`${noun} ${id}`);
    return object?.isAwaited === true && !object.isGone;
  }

  isBehind({ noun, id }: Subject, row: unknown): boolean {
    if (this.datesGoBack || !isRecordOf(id, row)) return false;
    const date = dateOf(row);
    return date > 0 && date < (this.#objects.get(`${noun} ${id}`)?.date ?? 0);
  }

  withNewer<T>(noun: string, rows: readonly T[]): T[] {
    return rows.map((row) => {
      const { id } = (row ?? {}) as Row;
      if (typeof id !== "string") return row;
      const object = this.#objects.get(`${noun} ${id}`);
      if (object === undefined) return row;
      object.isAwaited = false;
      return object.record !== undefined && this.isBehind({ noun, id }, row) ? (object.record as T) : row;
    });
  }

  #objectOf(noun: string, id: string): Remembered {
    const key = `${noun} ${id}`;
    const known = this.#objects.get(key) ?? { isAwaited: false, isGone: false, date: 0, record: undefined };
    this.#objects.set(key, known);
    return known;
  }
}

/** Finds the subject by the name of an id: `pageId` in a path, `page_id` in a body. */
export function subjectOf(name: OperationName, { ids = {}, body = {} }: CallInput): Subject | undefined {
  const [named] = Object.entries(ids);
  if (named) return { noun: named[0].replace(/Id$/, ""), id: named[1] };
  const [first] = operations[name].names ?? [];
  const id = first === undefined ? undefined : (body as Row)[first];
  return first !== undefined && typeof id === "string" ? { noun: first.replace(/_id$/, ""), id } : undefined;
}

function madeBy(name: OperationName, answer: unknown): Subject | undefined {
  const { id } = (answer ?? {}) as Row;
  if (typeof id !== "string") return undefined;
  return { noun: nounOf(ANSWERED_AS[name] ?? name), id };
}

/** `listPages`, `createPageFromTemplate` and `duplicatePage` are about pages. */
function nounOf(name: OperationName): string {
  const [, noun = ""] = /^[a-z]+([A-Z][a-z]+)/.exec(name) ?? [];
  return noun.toLowerCase().replace(/(?<=z)zes$|s$/, "");
}

function isRecordOf(id: string, row: unknown): row is Row {
  return typeof row === "object" && row !== null && (row as Row)["id"] === id;
}

function dateOf({ updated_at: date }: Row): number {
  const time = typeof date === "string" ? Date.parse(date) : Number.NaN;
  return Number.isNaN(time) ? 0 : time;
}

/** Compares each answer of a client with its memory, and waits while an answer is older. */
export function consistent(call: Call, memory: Memory, patienceMs: number): Call {
  return async (name, schema, input = {}) => {
    const { effect, lists } = operations[name];
    const send = () => call(name, schema, input);
    if (effect === "create") {
      const answer = await send();
      const made = madeBy(name, answer);
      if (made !== undefined) memory.made(made);
      return answer;
    }
    const subject = subjectOf(name, input);
    if (effect === "idempotent") return subject === undefined ? send() : writing(name, subject, send, memory);
    if (lists) return withNewer(name, await send(), memory);
    return subject !== undefined && isRecord(name) ? reading(subject, send, memory, patienceMs) : send();
  };
}

/** Makes a write. If the answer is a whole record, the memory keeps it as the newest one. */
async function writing<T>(name: OperationName, subject: Subject, send: () => Promise<T>, memory: Memory): Promise<T> {
  const isDeletion = operations[name].method === "DELETE";
  if (!isDeletion) memory.wrote(subject, false);
  const answer = await send().catch((error: unknown) => {
    memory.wrote(subject, false);
    throw error;
  });
  memory.wrote(subject, isDeletion);
  if (WHOLE.has(name)) memory.saw(subject, answer);
  return answer;
}

function withNewer<T>(name: OperationName, answer: T, memory: Memory): T {
  return Array.isArray(answer) ? (memory.withNewer(nounOf(name), answer) as T) : answer;
}

/** Reads a record by its id. Asks again if the record is older than the memory knows, or if a new object is not found yet. */
async function reading<T>(subject: Subject, send: () => Promise<T>, memory: Memory, patienceMs: number): Promise<T> {
  let behind: { readonly record: T } | undefined;
  let missing: NotFoundError | undefined;
  const found = await patientLook(async () => {
    try {
      const record = await send();
      if (!memory.isBehind(subject, record)) return { record };
      behind = { record };
    } catch (error) {
      if (!(error instanceof NotFoundError) || !memory.isAwaited(subject)) throw error;
      missing = error;
    }
    return undefined;
  }, patienceMs);
  if (found === undefined && behind === undefined && missing !== undefined) throw missing;
  const { record } = found ?? behind ?? { record: await send() };
  if (found === undefined && patienceMs > 0) memory.datesGoBack = true;
  memory.saw(subject, record);
  return record;
}

/** Tells if the operation reads a record. If its path is a guess, "not found" may be about the path. */
const isRecord = (name: OperationName): boolean => name.startsWith("get") && operations[name].unlisted !== true;

/** The writes that the service answers with the whole record. */
const WHOLE = new Set<OperationName>(["updateProject", "updateFunnel", "updateProduct", "updateVideo"]);
