/**
 * Wraps the calls of a client so that reads show its writes. Each call compares answers with the client's memory, and waits while an answer
 * is older.
 */
import { type Call, type OperationName, operations } from "../api/operations.ts";
import { NotFoundError } from "../api/errors.ts";
import { madeBy, type Memory, nounOf, type Subject, subjectOf } from "./memory.ts";
import { patientLook } from "./patience.ts";

export function consistent(call: Call, memory: Memory, patienceMs: number): Call {
  return async (name, schema, input = {}) => {
    const { effect, lists } = operations[name];
    const send = () => call(name, schema, input);
    if (effect === "create") return making(name, send, memory);
    const subject = subjectOf(name, input);
    if (effect === "idempotent") return subject === undefined ? send() : writing(name, subject, send, memory);
    if (lists) return withNewer(name, await send(), memory);
    return subject !== undefined && isRecord(name) ? reading(subject, send, memory, patienceMs) : send();
  };
}

async function making<T>(name: OperationName, send: () => Promise<T>, memory: Memory): Promise<T> {
  const answer = await send();
  const made = madeBy(name, answer);
  if (made !== undefined) memory.made(made);
  return answer;
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
  if (isWhole(name)) memory.saw(subject, answer);
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
const isWhole = (name: OperationName): boolean => WHOLE.has(name);
