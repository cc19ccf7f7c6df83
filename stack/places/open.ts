/**
 * A folder or a bucket for files of ours that several machines share: stored plans, histories.
 *
 *   const place = await openPlace("s3://team-state/plans?region=eu-central-1");   // or a folder: "plans", "file:///srv/plans"
 *   await place.put("shop/dev/3f2a.json", bytes);                                  // replaces what is there
 *   await place.put("shop/dev/3f2a.json", bytes, { ifAbsent: true });              // false: somebody was first, nothing is written
 *   await place.get("shop/dev/3f2a.json");                                         // undefined: there is none
 *   await place.list("shop/dev/");                                                 // the keys that begin so, sorted
 *   await place.delete("shop/dev/3f2a.json");                                      // also where there is none
 *
 * A put is whole or not there at all, for every reader. What can't be asked is a PlaceError, never an empty answer.
 * Buckets are spoken to with AWS's own settings and rules (aws-settings.ts), and with the query that Pulumi knows:
 * region, endpoint, profile, s3ForcePathStyle, disableSSL, ssetype, kmskeyid. Files may hold what is not for everybody:
 * in a folder, their owner alone can read them.
 */
import { resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { UsageError } from "../exit/codes.ts";
import { FolderPlace } from "./folder.ts";
import type { Place } from "./place.ts";
import { openBucket } from "./s3.ts";

/** `base`: what a relative folder starts from. */
export async function openPlace(text: string, base = process.cwd()): Promise<Place> {
  const [, scheme] = /^([a-z][a-z0-9+.-]*):\/\//i.exec(text) ?? [];
  if (text.trim() === "") throw new UsageError("the place is empty: name a folder, or a bucket as s3://BUCKET/PREFIX");
  if (scheme === undefined) return new FolderPlace(resolve(base, text));
  if (scheme === "file") return new FolderPlace(folderOf(text, base));
  if (scheme === "s3") return openBucket(text);
  throw new UsageError(
    `${scheme}:// is no place that is known here: name a folder, or a bucket as s3://BUCKET/PREFIX (Google's buckets have an S3 interface: s3://BUCKET?endpoint=https://storage.googleapis.com)`,
  );
}

/** `file://./plans` is relative, as it is to Pulumi. */
function folderOf(text: string, base: string): string {
  const path = text.slice("file://".length);
  return path.startsWith("/") ? fileURLToPath(text) : resolve(base, path);
}
