/**
 * Of which source each translation is: a digest of both, in a file beside the manifest that is committed. A translation is
 * stale where its source has moved since, and it has not. XLIFF needs no record: it holds its sources itself.
 */
import { createHash } from "node:crypto";
import { join } from "node:path";
import { z } from "zod";
import { readKeptFile } from "../source/folder.ts";

export const COPY_FILE = "landform.copy.json";

const format = z.strictObject({
  landformCopy: z.literal(1),
  /** By file, relative to the manifest, with its column where it has several; by key. */
  translations: z.record(z.string(), z.record(z.string(), z.string().regex(/^[\w-]{16} [\w-]{16}$/))),
});

export interface Recorded {
  readonly source: string;
  readonly target: string;
}

export class CopyRecord {
  readonly #files = new Map<string, Map<string, string>>();

  static read(folder: string): CopyRecord {
    const remedy = "Take back the change to it, or remove it: then no translation is known to be stale";
    const kept = readKeptFile(join(folder, COPY_FILE), format, remedy);
    const record = new CopyRecord();
    for (const [name, keys] of Object.entries(kept?.translations ?? {}))
      record.#files.set(name, new Map(Object.entries(keys)));
    return record;
  }

  of(file: string, key: string): Recorded | undefined {
    const [source = "", target = ""] = this.#files.get(file)?.get(key)?.split(" ") ?? [];
    return source === "" ? undefined : { source, target };
  }

  set(file: string, key: string, texts: { readonly source: string; readonly target: string }): void {
    const keys = this.#files.get(file) ?? new Map<string, string>();
    keys.set(key, `${digestOf(texts.source)} ${digestOf(texts.target)}`);
    this.#files.set(file, keys);
  }

  /** Sorted, so that a difference shows what is new, and two branches rarely write the same line. Undefined where nothing is kept. */
  text(): string | undefined {
    if (this.#files.size === 0) return undefined;
    const translations = sorted(this.#files).map(([file, keys]) => [file, Object.fromEntries(sorted(keys))] as const);
    return `${JSON.stringify({ landformCopy: 1, translations: Object.fromEntries(translations) }, undefined, 2)}\n`;
  }
}

export function digestOf(text: string): string {
  return createHash("sha256").update(text).digest("base64url").slice(0, 16);
}

function sorted<Value>(map: ReadonlyMap<string, Value>): [string, Value][] {
  return [...map].sort(([a], [b]) => (a < b ? -1 : 1));
}
