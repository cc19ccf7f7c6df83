/**
 * The values in a node, one by one: whether what moved in it is what we wrote. A text of a few letters, a number or an empty text
 * stands everywhere, so that it explains a place alone, and what stood there before has to fit. Pure.
 */
import { isMap, type Json } from "../../../values/json.ts";

export type Scalar = string | number | boolean | null;

interface Leaf {
  readonly path: string;
  readonly value: Scalar;
  readonly set: (value: Scalar) => void;
}

const NAMES = new Set(["id", "node_id", "nodeId", "node", "type"]);

/** Without those that name the node or another one. */
export function leavesOf(value: Json, path = ""): Leaf[] {
  const entries: [string | number, Json][] = Array.isArray(value)
    ? [...value.entries()]
    : isMap(value)
      ? Object.entries(value)
      : [];
  return entries.flatMap(([key, item]): Leaf[] => {
    const place = `${path}/${key}`;
    if (typeof item === "object" && item !== null) return leavesOf(item, place);
    if (typeof item === "string" && NAMES.has(String(key))) return [];
    const set = (scalar: Scalar): void => void Object.assign(value as object, { [key]: scalar });
    return [{ path: place, value: item, set }];
  });
}

/** The leaf with `then` in the place of `now`, in the forms that a service may have it in; none where it doesn't say `now`. */
export function exchanged(leaf: Scalar, now: Json, then: Json): Scalar[] {
  const [text, former] = [asText(now), asText(then)];
  if (asText(leaf) === text) return isScalar(then) && then !== former ? [then, former] : [former];
  const { open, inner, close } = partsOf(leaf);
  if (open === "") return [];
  if (inner === text) return [open + former + close];
  return inner === escaped(text) ? [open + escaped(former) + close] : [];
}

/** All that differs between the two nodes is that the later one says `values`, in the same markup. */
export function isMovedBy(values: readonly Json[], before: string, after: string): boolean {
  const node = JSON.parse(after) as Json;
  const was = new Map(leavesOf(JSON.parse(before) as Json).map(({ path, value }) => [path, value]));
  for (const { path, value, set } of leavesOf(node)) {
    const then = was.get(path);
    if (then !== undefined && then !== value && values.some((one) => saysInstead(value, one, then))) set(then);
  }
  return JSON.stringify(node) === before;
}

function saysInstead(leaf: Scalar, now: Json, then: Scalar): boolean {
  const text = asText(now);
  if (asText(leaf) === text) return true;
  const [{ open, inner, close }, former] = [partsOf(leaf), partsOf(then)];
  const isAlike = open !== "" && open === former.open && close === former.close;
  return isAlike && (inner === text || inner === escaped(text));
}

/** A text may stand between tags. */
function partsOf(leaf: Scalar): { readonly open: string; readonly inner: string; readonly close: string } {
  const text = asText(leaf);
  const open = /^(?:<[a-z][^<>]*>)+/i.exec(text)?.[0] ?? "";
  const close = /(?:<\/[a-z][^<>]*>)+$/i.exec(text.slice(open.length))?.[0] ?? "";
  return { open, inner: text.slice(open.length, text.length - close.length), close };
}

function asText(value: Json): string {
  return typeof value === "string" ? value : JSON.stringify(value);
}

function isScalar(value: Json): value is Scalar {
  return typeof value !== "object" || value === null;
}

const ENTITIES = [
  ["&", "&amp;"],
  ["<", "&lt;"],
  [">", "&gt;"],
] as const;

function escaped(text: string): string {
  return ENTITIES.reduce((done, [character, entity]) => done.replaceAll(character, entity), text);
}
