/** A place: a folder or a bucket behind the same few calls. open.ts shows how to use it. */
import { CommandError, exitCodes } from "../exit/codes.ts";

export interface Place {
  /** For people. It holds no secret. */
  readonly name: string;
  /** Undefined where there is none. */
  get(key: string): Promise<Uint8Array | undefined>;
  /** Returns false if `ifAbsent` is set and the key already exists. */
  put(key: string, content: Uint8Array | string, options?: { ifAbsent?: boolean }): Promise<boolean>;
  /** The keys that begin with `prefix`, sorted. */
  list(prefix?: string): Promise<string[]>;
  delete(key: string): Promise<void>;
}

/** A place that could not be asked, or did not take a file. */
export class PlaceError extends CommandError {
  constructor(message: string, options?: ErrorOptions) {
    super(exitCodes.failed, message, options);
  }
}

/** The file there is not Landform's. Another try would give the same. */
export class DamagedError extends PlaceError {}

/** Keys are the same in a folder and in a bucket: names with single slashes between them. */
export function checkKey(key: string): string {
  const segments = key.split("/");
  if (segments.every((segment) => /^(?!\.)[^\\\p{Cc}:*?"<>|]+$/u.test(segment))) return key;
  throw new TypeError(`${JSON.stringify(key)} is no key: names with single slashes between them, none hidden`);
}
