/**
 * Keeps the program's secrets out of the output of a host, because plain `pulumi up` hides none of them. A declared place stays secret, even
 * if somebody has changed the value there. A secret text is hidden in every quote, too.
 */
import { type ForeignEdit, HIDDEN } from "./foreign-edits.ts";
import type { Notice } from "./notices.ts";
import { isMap, type JsonMap } from "../values/json.ts";
import { valueAt, type Path } from "../values/paths.ts";

/** Shorter secrets would hide half of every text. */
const SHORTEST = 4;

export class HiddenValues {
  readonly #texts = new Set<string>();
  readonly #places = new Map<string, readonly Path[]>();

  learn(inputs: JsonMap, places: readonly Path[]): void {
    for (const place of places)
      for (const text of textsIn(valueAt(inputs, place))) if (text.length >= SHORTEST) this.#texts.add(text);
  }

  note(id: string, places: readonly Path[]): void {
    if (places.length > 0) this.#places.set(id, places);
  }

  text(text: string): string {
    // A secret may contain another.
    const longestFirst = [...this.#texts].sort((a, b) => b.length - a.length);
    return longestFirst.reduce(
      (rest, secret) => rest.replaceAll(secret, HIDDEN).replaceAll(JSON.stringify(secret).slice(1, -1), HIDDEN),
      text,
    );
  }

  notice(notice: Notice): Notice {
    const places = this.#places.get(notice.id) ?? [];
    if (places.length === 0 && this.#texts.size === 0) return notice;
    const told =
      notice.code === "foreign-edits"
        ? { ...notice, edits: notice.edits.map((edit) => unsaid(edit, (at) => isIn(places, at))) }
        : notice;
    return this.#clean(told) as Notice;
  }

  #clean(value: unknown): unknown {
    if (typeof value === "string") return this.text(value);
    if (Array.isArray(value)) return value.map((item) => this.#clean(item));
    if (!isMap(value)) return value;
    return Object.fromEntries(
      Object.entries(value).map(([key, item]) => [key, key === "id" ? item : this.#clean(item)]),
    );
  }
}

/** Hides an edit, and all that it replaces, if it stands at the place of a secret. */
export function unsaid(edit: ForeignEdit, isSecretAt: (at: Path) => boolean): ForeignEdit {
  if (edit.kind !== "field" && edit.kind !== "node") return edit;
  const { at, over } = edit;
  const all = [...(at === undefined ? [] : [at]), ...(edit.kind === "node" ? (edit.insteadOf ?? []) : [])];
  if (!all.some(isSecretAt)) return edit;
  const hidden = over && { over: { ...over, then: HIDDEN, code: HIDDEN } };
  const said = edit.kind === "field" ? { now: HIDDEN } : { texts: edit.texts.map(() => HIDDEN) };
  return { ...edit, ...said, ...hidden } as ForeignEdit;
}

/** Tells if a secret stands at the place, around it or within it. */
function isIn(places: readonly Path[], at: Path): boolean {
  return places.some((place) => place.slice(0, at.length).every((step, index) => String(at[index]) === String(step)));
}

function textsIn(value: unknown): string[] {
  if (typeof value === "string") return [value];
  if (typeof value === "number") return [String(value)];
  return typeof value === "object" && value !== null ? Object.values(value).flatMap(textsIn) : [];
}
