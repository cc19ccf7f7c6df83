/** Changes answers for faults of the phase `altered`, so that they break the service's promises. */
import type { ServerResponse } from "node:http";
import { pipeline } from "node:stream/promises";
import { setTimeout as sleep } from "node:timers/promises";
import type { Fault } from "./faults.ts";
import type { Reply } from "../http/http.ts";
import { newId } from "../records/ids.ts";

type Fields = Record<string, unknown>;

/** `page`: the requested page of a list. */
export function altered(reply: Reply, fault: Fault, page: number): Reply {
  if (fault.empty === true) return { ...reply, text: "", type: fault.contentType ?? reply.type };
  const value: unknown = JSON.parse(reply.text);
  const changed = Array.isArray(value)
    ? listed(value as Fields[], fault, page).map((record) => recordOf(record, fault))
    : recordOf(value as Fields, fault);
  return { ...reply, type: fault.contentType ?? reply.type, text: JSON.stringify(changed) };
}

function recordOf(record: Fields, { omit = [], set = {} }: Fault): Fields {
  return { ...Object.fromEntries(Object.entries(record).filter(([field]) => !omit.includes(field))), ...set };
}

function listed(records: Fields[], { list }: Fault, page: number): Fields[] {
  switch (list) {
    case undefined:
      return records;
    case "empty":
      return [];
    case "shifted":
      return page === 0 ? records : records.slice(1);
    case "endless":
      return Array.from({ length: 100 }, (_, index) => more(records[index] ?? {}, index));
  }
}

/** Makes a record that nobody created, under a name that nobody looks for. */
function more(like: Fields, index: number): Fields {
  const names = Object.keys(like).filter((field) => field.endsWith("name"));
  const name = `More ${index}`;
  return { ...like, ...Object.fromEntries(names.map((field) => [field, name])), name, id: newId("more") };
}

const blanks = " ".repeat(64 * 1024);

/** Adds white space behind the value, which JSON ignores. If the caller hangs up, it stops. */
export async function sendPadded(response: ServerResponse, reply: Reply, size: number): Promise<void> {
  const missing = Math.max(0, size - Buffer.byteLength(reply.text));
  const length = Buffer.byteLength(reply.text) + missing;
  response.writeHead(reply.status, { ...headersOf(reply), "Content-Length": length });
  await pipeline(padded(reply.text, missing), response).catch(() => undefined);
}

function* padded(text: string, missing: number): Generator<string> {
  yield text;
  for (let left = missing; left > 0; left -= blanks.length) yield blanks.slice(0, left);
}

/** Sends the answer so slowly that a caller's deadline passes. */
export async function sendSlowly(response: ServerResponse, reply: Reply, bytesPerSecond: number): Promise<void> {
  response.writeHead(reply.status, headersOf(reply));
  const bytes = Buffer.from(reply.text);
  for (let at = 0; at < bytes.length && !response.destroyed; at += bytesPerSecond) {
    response.write(bytes.subarray(at, at + bytesPerSecond));
    await sleep(1000, undefined, { ref: false });
  }
  response.end();
}

function headersOf({ headers, type }: Reply): Record<string, string> {
  return { ...headers, "Content-Type": type, "Cache-Control": "no-store" };
}
