/** The reads of pages that an account got. */
import type { Emulator } from "../../emulator/index.ts";

/** Returns the reads of single pages since the last time, by the name of the page. */
export function readsIn(emulator: Emulator): Record<string, Record<string, number>> {
  const rows = emulator.records()["pages"] as unknown as { id: string; pageName: string }[];
  const names = new Map(rows.map(({ id, pageName }) => [id, pageName]));
  const reads: Record<string, Record<string, number>> = {};
  for (const { method, path, route } of emulator.requests.splice(0)) {
    const id = /page_id=([^&]+)/.exec(path)?.[1] ?? /^\/pages\/([^/?]+)$/.exec(path)?.[1] ?? "";
    const name = names.get(id);
    if (method !== "GET" || name === undefined) continue;
    const own = (reads[name] ??= {});
    own[route] = (own[route] ?? 0) + 1;
  }
  return reads;
}
