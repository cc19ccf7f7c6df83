/** Answers that are not what the service promises: what a fault of the phase `altered` makes of one. */
import type { ServerResponse } from "node:http";
import { pipeline } from "node:stream/promises";
import { setTimeout as sleep } from "node:timers/promises";
import type { Fault } from "./faults.ts";
import type { Reply } from "../http/http.ts";
import { newId } from "../records/ids.ts";

type Fields = Record<string, unknown>;

/** `page`: which page of a list was asked for. */
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

/** A record that nobody made, under a name that nobody looks for. */
function more(like: Fields, index: number): Fields {
  const names = Object.keys(like).filter((field) => field.endsWith("name"));
  const name = `More ${index}`;
  return { ...like, ...Object.fromEntries(names.map((field) => [field, name])), name, id: newId("more") };
}

const blanks = " ".repeat(64 * 1024);

/** White space behind the value changes nothing of what JSON says. Whoever hangs up is sent no more of it. */
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

/** Sends the answer so slowly that whoever has a deadline meets it. */
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
