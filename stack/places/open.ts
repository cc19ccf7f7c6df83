/**
 * A folder or a bucket for files of Landform that several machines share: stored plans, histories.
 *
 *   const place = await openPlace("s3://team-state/plans?region=eu-central-1");   // or a folder: "plans", "file:///srv/plans"
 *   await place.put("shop/dev/3f2a.json", bytes);                                  // replaces what is there
 *   await place.put("shop/dev/3f2a.json", bytes, { ifAbsent: true });              // false: somebody was first, nothing is written
 *   await place.get("shop/dev/3f2a.json");                                         // undefined: there is none
 *   await place.list("shop/dev/");                                                 // the keys that begin so, sorted
 *   await place.delete("shop/dev/3f2a.json");                                      // also where there is none
 *
 * A reader finds a put whole or not at all. A place that can't be asked throws a PlaceError and never gives an empty answer.
 * A bucket follows AWS's own settings and rules (aws.ts), and the query that Pulumi knows:
 * region, endpoint, profile, s3ForcePathStyle, disableSSL, ssetype, kmskeyid. Files may be confidential:
 * in a folder, only their owner can read them.
 */
import { resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { UsageError } from "../exit/codes.ts";
import { FolderPlace } from "./folder.ts";
import type { Place } from "./place.ts";
import { openBucket } from "./s3.ts";

/** `base`: the folder that a relative path starts from. */
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

/** `file://./plans` is relative, as for Pulumi. */
function folderOf(text: string, base: string): string {
  const path = text.slice("file://".length);
  return path.startsWith("/") ? fileURLToPath(text) : resolve(base, path);
}
