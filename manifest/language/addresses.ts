/** Addresses such as `pages.offer.url`: outputs, references and dependsOn use them. */
import type { AnyDefinition } from "../../provider/definition/define.ts";
import { type Kind, registry } from "../../provider/kinds/registry.ts";
import { escaped } from "../source/file.ts";

export const sections: ReadonlyMap<string, { kind: Kind; definition: AnyDefinition }> = new Map(
  (Object.entries(registry) as [Kind, AnyDefinition][]).map(([kind, definition]) => [
    definition.section,
    { kind, definition },
  ]),
);

export function addressOf(section: string, key: string): string {
  return below(section, key);
}

export function below(path: string, key: string): string {
  if (path === "") return key;
  return /^[\w$-]+$/.test(key) ? `${path}.${key}` : `${path}[${JSON.stringify(key)}]`;
}

/** Returns the steps of a path such as `pages["a.b"].steps[0].pageId`; undefined if it is no path. */
export function parsePath(path: string): string[] | undefined {
  const steps: string[] = [];
  let rest = path;
  while (rest !== "") {
    const found = /^(?:\.?([\p{L}\p{M}\p{N}_$-]+)|\[(\d+)\]|\[("(?:[^"\\]|\\.)*")\])/u.exec(rest);
    if (!found) return undefined;
    const [whole, word, index, quoted] = found;
    if (word !== undefined && steps.length > 0 !== whole.startsWith(".")) return undefined;
    steps.push(word ?? index ?? unquoted(quoted ?? '""'));
    rest = rest.slice(whole.length);
  }
  return steps.length > 0 ? steps : undefined;
}

function unquoted(text: string): string {
  try {
    return JSON.parse(text) as string;
  } catch {
    return text.slice(1, -1);
  }
}

/** Returns the readable names of a resource: its inputs and outputs, its id and its URN. */
export function readable({ inputs, outputs }: AnyDefinition): string[] {
  return ["id", "urn", ...new Set([...Object.keys(outputs.shape), ...Object.keys(inputs.shape)])];
}

const compiled = new Map<string, RegExp>();

export function matches(pattern: string, name: string): boolean {
  const known = compiled.get(pattern);
  const expression = known ?? new RegExp(`^${pattern.split("*").map(escaped).join(".*")}$`, "s");
  if (known === undefined) compiled.set(pattern, expression);
  return expression.test(name);
}

/** Tells if a path matches a pattern, however both write a key: `pages.offer.content.*` matches `pages.offer.content["hero.title"]`, too. */
export function matchesPath(pattern: string, path: string): boolean {
  return matches(dotted(pattern), dotted(path));
}

/** Writes every key with a dot, as a person types it. */
export function dotted(path: string): string {
  return path.replaceAll(/\["((?:[^"\\]|\\.)*)"\]/g, ".$1");
}

/** Returns the limit of a name: its own, or the limit of the longest pattern that it matches. */
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
