/** The finding of a look at a public page after its publication: as data, and in words. */
import { listed } from "../values/wording.ts";
import type { Json } from "../values/json.ts";

export interface SeenLive {
  /**
   * `seen`: the page shows what was published. `answers`: it does, and the revision before may have shown it as well. `old`: it still
   * serves the old text. `absent`: it shows neither. `hidden`: its HTML shows no text.
   */
  readonly outcome: "seen" | "answers" | "old" | "absent" | "hidden" | "unreachable" | "refused";
  readonly url: string;
  readonly afterMs: number;
  /** Content keys whose texts it does not show. */
  readonly keys: readonly string[];
  readonly reason?: string;
}

export interface SeenLiveNotice extends SeenLive {
  readonly code: "seen-live";
  readonly kind: string;
  readonly id: string;
  readonly name: string | undefined;
}

export function isSeen({ outcome }: Pick<SeenLive, "outcome">): boolean {
  return outcome === "seen" || outcome === "answers";
}

export function seenLiveText(notice: SeenLiveNotice): string {
  const { id, name, url } = notice;
  return `publish: ${name === undefined ? `page ${id}` : `page ${id} ("${name}")`}: ${outcomeText(notice)}${url === "" ? "" : ` (${url})`}`;
}

/** Returns the outcome in words, without the page's name and address. */
export function outcomeText({ outcome, afterMs, keys, reason = "" }: SeenLive): string {
  const after = `${(afterMs / 1000).toFixed(1)} s`;
  const named = keys.length === 0 ? "" : ` of ${listed(keys)}`;
  const cut = reason === "" ? "" : ` (${reason})`;
  switch (outcome) {
    case "seen":
      return `seen after ${after}${keys.length === 0 ? "" : `, but without a text of ${listed(keys)}`}`;
    case "answers":
      return `shows its texts after ${after}. The change has no text to look for, so this may be the earlier revision`;
    case "old":
      return `published, still serves the old text${named} after ${after}. A cache may keep it: look at the page later`;
    case "absent":
      return `published, and does not show the text${named} after ${after}${cut}. Look at the page; if somebody has published another text, publish it again in the app`;
    case "hidden":
      return `published, and its HTML shows no text${named}: the visitor's browser may make it. Look at the page`;
    case "unreachable":
      return `published, and its address does not answer after ${after}: ${reason}`;
    case "refused":
      return `published, but Landform did not look at it: ${reason}`;
  }
}

export const withoutAddress: SeenLive = {
  ...{ outcome: "refused", url: "", afterMs: 0, keys: [] },
  reason: "the service tells no address of it",
};

/** Returns the public address: absolute as it is, else on the page's domain. */
export function addressOf({ status, url, domain, slug }: Record<string, Json>): string | undefined {
  if (status !== "published") return undefined;
  const root = typeof domain === "string" && domain !== "" ? `https://${domain}/` : undefined;
  const path = typeof url === "string" && url !== "" ? url : typeof slug === "string" ? slug : "";
  return URL.parse(path, root)?.href;
}
