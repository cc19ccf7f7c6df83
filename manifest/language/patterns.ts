/** Names with `*` for any run of characters: `hero.*`, `pages.offer-*`. */

const compiled = new Map<string, RegExp>();

export function matches(pattern: string, name: string): boolean {
  const known = compiled.get(pattern);
  const expression = known ?? new RegExp(`^${pattern.split("*").map(escaped).join(".*")}$`, "s");
  if (known === undefined) compiled.set(pattern, expression);
  return expression.test(name);
}

/** The same for paths, however they write a key: `pages.offer.content.*` is `pages.offer.content["hero.title"]`, too. */
export function matchesPath(pattern: string, path: string): boolean {
  return matches(dotted(pattern), dotted(path));
}

function dotted(path: string): string {
  return path.replaceAll(/\["((?:[^"\\]|\\.)*)"\]/g, ".$1");
}

export function escaped(text: string): string {
  return text.replace(/[.*+?^${}()|[\]\\/]/g, "\\$&");
}

/** The limit of a name: its own, or that of the longest pattern that it matches. */
export function limitsBy(limits: Readonly<Record<string, number>>): (name: string) => number | undefined {
  const patterns = Object.keys(limits).sort((a, b) => b.length - a.length);
  const known = new Map<string, number | undefined>();
  return (name) => {
    if (!known.has(name)) {
      const pattern = Object.hasOwn(limits, name) ? name : patterns.find((one) => matches(one, name));
      known.set(name, pattern === undefined ? undefined : limits[pattern]);
    }
    return known.get(name);
  };
}
