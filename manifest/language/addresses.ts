/** `pages.offer.url`: how outputs, references and dependsOn name things. */
import { registry, type Kind } from "../../provider/kinds/registry.ts";
import type { AnyDefinition } from "../../provider/definition/define.ts";

export const sections: ReadonlyMap<string, { kind: Kind; definition: AnyDefinition }> = new Map(
  (Object.entries(registry) as [Kind, AnyDefinition][]).map(([kind, definition]) => [
    definition.section,
    { kind, definition },
  ]),
);

export function addressOf(section: string, key: string): string {
  return below(section, key);
}

/** The path of what stands under a key. */
export function below(path: string, key: string): string {
  if (path === "") return key;
  return /^[\w$-]+$/.test(key) ? `${path}.${key}` : `${path}[${JSON.stringify(key)}]`;
}

/** The steps of a path such as `pages["a.b"].steps[0].pageId`; undefined when it is none. */
export function parsePath(path: string): string[] | undefined {
  const steps: string[] = [];
  let rest = path;
  while (rest !== "") {
    const found = /^(?:\.?([\w$-]+)|\[(\d+)\]|\[("(?:[^"\\]|\\.)*")\])/.exec(rest);
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

/** What can be read of a resource: its inputs and outputs, its id and its URN. */
export function readable({ inputs, outputs }: AnyDefinition): string[] {
  return ["id", "urn", ...new Set([...Object.keys(outputs.shape), ...Object.keys(inputs.shape)])];
}
