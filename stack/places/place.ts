/** What a place is: a folder or a bucket behind the same few calls. How it is used: open.ts. */
import { CommandError, exitCodes } from "../exit/codes.ts";

export interface Place {
  /** For people; no secret. */
  readonly name: string;
  /** Undefined where there is none. */
  get(key: string): Promise<Uint8Array | undefined>;
  /** False where `ifAbsent` was asked for and there is one already. */
  put(key: string, content: Uint8Array | string, options?: { ifAbsent?: boolean }): Promise<boolean>;
  /** The keys that begin with `prefix`, sorted. */
  list(prefix?: string): Promise<string[]>;
  delete(key: string): Promise<void>;
}

/** A place that could not be asked, or did not take what was put there. */
export class PlaceError extends CommandError {
  constructor(message: string, options?: ErrorOptions) {
    super(exitCodes.failed, message, options);
  }
}

/** What is there is no file of ours: asked again, it is the same. */
export class DamagedError extends PlaceError {}

/** Keys are the same in a folder and in a bucket: names with single slashes between them. */
export function checkKey(key: string): string {
  const segments = key.split("/");
  if (segments.every((segment) => /^(?!\.)[^\\\p{Cc}:*?"<>|]+$/u.test(segment))) return key;
  throw new TypeError(`${JSON.stringify(key)} is no key: names with single slashes between them, none hidden`);
}
