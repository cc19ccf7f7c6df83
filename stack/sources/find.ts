/** Finds the source of a text: the places that declare it, and the objects that have it. Pure. */
import { formatPath } from "../../engine/index.ts";
import { rendered } from "../../manifest/match/spelling.ts";
import { addressKey } from "../../provider/values/addresses.ts";
import type { ProjectTexts, RecordedObject, RecordedText, SourceText } from "./texts.ts";

export interface Finding {
  /** `declared`: the code has the text. `computed`: the last run applied it, and no text of the project is the same. */
  readonly kind: "declared" | "computed";
  readonly rank: number;
  readonly place?: { readonly file: string; readonly name: string; readonly line: number; readonly column: number };
  /** The path in the manifest, or in the resource. */
  readonly path?: string;
  readonly text: string;
  /** The text that visitors see, if it differs. */
  readonly shown?: string;
  readonly objects: readonly RecordedObject[];
}

export function findText(wanted: string, { sources, objects, recorded }: ProjectTexts): Finding[] {
  const applied = recorded.flatMap((text) => {
    const rank = best(rankOf(text.value, wanted), rankOf(text.shown, wanted));
    return rank === undefined ? [] : [{ text, rank }];
  });
  const declared = sources.flatMap((source) => declaredAs(source, wanted, objects, applied) ?? []);
  const isExplained = ({ object, path, value }: RecordedText): boolean =>
    declared.some(
      (one) =>
        one.objects.includes(object) &&
        (one.text === value || value.includes(one.text) || one.path?.endsWith(formatPath(path))),
    );
  const computed = applied
    .filter(({ text }) => !isExplained(text))
    .map(({ text, rank }): Finding => ({
      kind: "computed",
      rank,
      path: formatPath(text.path),
      text: text.value,
      ...(text.shown !== text.value && { shown: text.shown }),
      place: text.object.declaredAt,
      objects: [text.object],
    }));
  return [...declared, ...computed].sort((a, b) => a.rank - b.rank);
}

function declaredAs(
  source: SourceText,
  wanted: string,
  objects: readonly RecordedObject[],
  applied: readonly { text: RecordedText; rank: number }[],
): Finding | undefined {
  const { declared, value } = source;
  if (declared !== undefined) {
    const shown = rendered(value, declared.variables);
    const rank = best(rankOf(value, wanted), rankOf(shown, wanted));
    if (rank === undefined) return undefined;
    const { entry, path } = declared;
    const own = objects.filter(({ type, name }) => type === entry.definition.type && name === entry.key);
    const more = shown === value ? {} : { shown };
    return { kind: "declared", rank, place: placeIn(source, wanted), path, text: value, ...more, objects: own };
  }
  const carriers = applied.filter(({ text }) => carries(text, source));
  const [carrier] = carriers;
  const rank = best(rankOf(value, wanted), carrier?.rank);
  if (rank === undefined || (rankOf(value, wanted) === undefined && carrier?.text.value !== value)) return undefined;
  const shown = carrier !== undefined && carrier.text.shown !== carrier.text.value ? { shown: carrier.text.shown } : {};
  return {
    kind: "declared",
    rank,
    place: placeIn(source, wanted),
    ...(carrier && { path: formatPath(carrier.text.path) }),
    text: value,
    ...shown,
    objects: [...new Set(carriers.map(({ text }) => text.object))],
  };
}

function carries({ value }: RecordedText, source: SourceText): boolean {
  const own = source.value.trim();
  return own !== "" && (value === source.value || value.includes(own) || own.includes(value.trim()));
}

/** Returns the present objects at an address. The address may lack its scheme, as browsers show it, or be only a path. */
export function objectsAt(wanted: string, objects: readonly RecordedObject[]): RecordedObject[] {
  const isPath = wanted.startsWith("/");
  const asked = isPath ? `http://any${wanted}` : /^https?:\/\//.test(wanted) ? wanted : `http://${wanted}`;
  if (/\s/.test(wanted) || !URL.canParse(asked)) return [];
  const keyOf = (url: string): string => (isPath ? addressKey(url).replace(/^[^/]*/, "") : addressKey(url));
  return objects.filter(({ url }) => url !== undefined && keyOf(url) === keyOf(asked));
}

function best(...ranks: (number | undefined)[]): number | undefined {
  const known = ranks.filter((rank) => rank !== undefined);
  return known.length === 0 ? undefined : Math.min(...known);
}

/** Returns the line where the text begins. For a longer text that has it in other words, it is the line that shares most of them. */
function placeIn({ name, place: { file, start, end } }: SourceText, wanted: string): Finding["place"] {
  const own = file.text.slice(start, end);
  const within = own.indexOf(wanted);
  const before = file.text.slice(0, start + (within === -1 ? likeliestLine(own, wanted) : within)).split("\n");
  return { file: file.path, name, line: before.length, column: (before.at(-1)?.length ?? 0) + 1 };
}

function likeliestLine(text: string, wanted: string): number {
  let [at, best, found] = [0, 0, 0];
  for (const line of text.split("\n")) {
    const shared = sharedWords(line, wanted);
    if (shared > best) [best, found] = [shared, at];
    at += line.length + 1;
  }
  return found;
}

/** Returns 0 if it is the text, 1 if it contains the text, 2 if they differ only in case, blanks or tags, and undefined otherwise. */
export function rankOf(text: string, wanted: string): number | undefined {
  if (text === wanted) return 0;
  if (text.includes(wanted)) return 1;
  const [here, there] = [loose(text), loose(wanted)];
  return there !== "" && (here.includes(there) || loose(untagged(text)).includes(there)) ? 2 : undefined;
}

function untagged(text: string): string {
  return text
    .replaceAll(/<\/?[a-z][^<>]*>/gi, "")
    .replaceAll("&nbsp;", " ")
    .replaceAll("&amp;", "&");
}

function loose(text: string): string {
  return text.normalize("NFKC").replaceAll(/\s+/g, " ").trim().toLowerCase();
}

const MOST_NEAR = 3;
const LEAST_SHARED = 0.3;

/** Returns texts that share words with the wanted one, the nearest first. */
export function nearestTexts(wanted: string, texts: Iterable<string>): string[] {
  const size = Math.max(1, wordsOf(wanted).size);
  const near = [...new Set(texts)].flatMap((text) => {
    const share = sharedWords(text, wanted) / size;
    return share >= LEAST_SHARED ? [{ text, share }] : [];
  });
  return near
    .sort((a, b) => b.share - a.share)
    .slice(0, MOST_NEAR)
    .map(({ text }) => text);
}

function sharedWords(text: string, wanted: string): number {
  const words = wordsOf(text);
  return [...wordsOf(wanted)].filter((word) => words.has(word)).length;
}

function wordsOf(text: string): Set<string> {
  return new Set(loose(untagged(text)).match(/[\p{L}\p{N}]{2,}/gu) ?? []);
}
