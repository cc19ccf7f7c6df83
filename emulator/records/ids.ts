import { randomBytes } from "node:crypto";

const alphabet = "0123456789abcdefghijklmnopqrstuv";

/** Makes an id such as `page_7k2m…`: opaque, and safe in a path. */
export function newId(kind: string): string {
  return `${kind}_${[...randomBytes(16)].map((byte) => alphabet.charAt(byte % 32)).join("")}`;
}

/** The time as ISO 8601 in milliseconds. It never repeats, so `updated_at` tells any two writes apart. */
export class Clock {
  #last = 0;

  now(): string {
    this.#last = Math.max(Date.now(), this.#last + 1);
    return new Date(this.#last).toISOString();
  }
}
