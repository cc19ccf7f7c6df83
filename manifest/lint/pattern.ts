/** Names with `*` for any run of characters: `hero.*`, `pages.offer-*`. */

const compiled = new Map<string, RegExp>();

export function matches(pattern: string, name: string): boolean {
  const known = compiled.get(pattern);
  const expression = known ?? new RegExp(`^${pattern.split("*").map(escaped).join(".*")}$`, "s");
  if (known === undefined) compiled.set(pattern, expression);
  return expression.test(name);
}

export function escaped(text: string): string {
  return text.replace(/[.*+?^${}()|[\]\\/]/g, "\\$&");
}
