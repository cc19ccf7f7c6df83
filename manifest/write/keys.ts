/**
 * Logical keys made from names: short, unique in their section, and the same whenever they are made from the same
 * account. A key begins with a letter and holds letters, digits and dashes, so that no YAML reader takes it for a number,
 * a date or a keyword.
 */
const KEYWORDS = new Set(["true", "false", "null", "yes", "no", "on", "off", "y", "n", "constructor"]);
const MAX_LENGTH = 50;

/** A name as a key; `fallback` stands in where it has no letter or digit to offer. */
export function slug(name: string, fallback: string): string {
  const plain = name
    .normalize("NFKD")
    .replaceAll(/\p{M}/gu, "")
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/g, "-")
    .slice(0, MAX_LENGTH)
    .replaceAll(/^-+|-+$/g, "");
  if (plain === "") return fallback;
  return /^[a-z]/.test(plain) && !KEYWORDS.has(plain) ? plain : `${fallback}-${plain}`;
}

export interface Named {
  readonly id: string;
  readonly name: string;
  readonly createdAt: string | null;
}

/**
 * Keys by id. Ids that have a key already keep it; of several objects of one name the oldest gets the plain key.
 * `reserved` are keys that something else has.
 */
export function assignKeys(
  objects: readonly Named[],
  fallback: string,
  known: ReadonlyMap<string, string>,
  reserved: Iterable<string> = [],
): Map<string, string> {
  const keys = new Map<string, string>();
  const taken = new Set([...reserved, ...known.values()].map(folded));
  for (const { id } of objects) {
    const key = known.get(id);
    if (key !== undefined) keys.set(id, key);
  }
  for (const { id, name } of [...objects].sort(byAge)) {
    if (keys.has(id)) continue;
    keys.set(id, unique(slug(name, fallback), taken));
  }
  return keys;
}

/** `wanted`, or the first free of its numbered forms; what is taken counts whatever its case, since files may be named after it. */
export function unique(
  wanted: string,
  taken: Set<string>,
  numbered: (n: number) => string = (n) => `${wanted}-${n}`,
): string {
  let free = wanted;
  for (let n = 2; taken.has(folded(free)); n++) free = numbered(n);
  taken.add(folded(free));
  return free;
}

function folded(key: string): string {
  return key.toLowerCase();
}

/** The oldest first, so that the order is the same whatever order the service lists in. */
export function byAge(a: Named, b: Named): number {
  return compare(a.createdAt ?? "", b.createdAt ?? "") || compare(a.id, b.id);
}

function compare(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}
