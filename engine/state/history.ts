import { join } from "node:path";
import { gunzipSync } from "node:zlib";
import { CorruptCheckpointError } from "./errors.ts";
import { copyIfThere, makeFolder, namesIn, readIfThere, writeAtomic } from "./files.ts";
import type { StackRef, UpdateRecord } from "./types.ts";

/** Adds a record for `pulumi stack history`: one file per update, and a copy of its checkpoint. */

export async function addHistory(
  folder: string,
  ref: StackRef,
  record: UpdateRecord,
  checkpoint: string,
): Promise<void> {
  const prefix = join(folder, `${ref.stack}-${nanoseconds()}`);
  await writeAtomic(`${prefix}.history.json`, JSON.stringify(record));
  await copyIfThere(checkpoint, `${prefix}.checkpoint.json${compression(checkpoint)}`);
}

export async function addBackup(folder: string, ref: StackRef, checkpoint: string): Promise<void> {
  await makeFolder(folder);
  await copyIfThere(checkpoint, join(folder, `${ref.stack}.${nanoseconds()}.json${compression(checkpoint)}`));
}

/** Reads the records, newest first: the names sort by time. */
export async function readHistory(folder: string): Promise<UpdateRecord[]> {
  const entries = (await namesIn(folder))
    .filter((name) => /\.history\.json(\.gz)?$/.test(name))
    .sort()
    .reverse();
  return Promise.all(entries.map((name) => readRecord(join(folder, name))));
}

/** Returns the stamp of Pulumi's files: nanoseconds since 1970, as fine as the clock is. */
export function nanoseconds(): string {
  return String(BigInt(Math.round((performance.timeOrigin + performance.now()) * 1000)) * 1000n);
}

async function readRecord(file: string): Promise<UpdateRecord> {
  const bytes = (await readIfThere(file)) ?? Buffer.alloc(0);
  try {
    return JSON.parse((file.endsWith(".gz") ? gunzipSync(bytes) : bytes).toString("utf8")) as UpdateRecord;
  } catch (error) {
    throw new CorruptCheckpointError(`${file} is not a history record; remove the file`, { cause: error });
  }
}

function compression(checkpoint: string): string {
  return checkpoint.endsWith(".gz") ? ".gz" : "";
}
