/** What an object may be in or on by an input: a project, a site. No item of a list, and no copy of its own kind. */
import type { AnyDefinition } from "../../provider/definition/define.ts";
import { refersTo } from "../../provider/definition/references.ts";
import { definitionOf, registry } from "../../provider/kinds/registry.ts";
import { schemaBelow } from "../../provider/definition/schema-walk.ts";

export function homesAt(type: string, path: string): AnyDefinition[] {
  const definition = definitionOf(type);
  const wanted = refersTo(path.split(".").reduce<unknown>(schemaBelow, definition?.inputs));
  return Object.values<AnyDefinition>(registry).filter(
    (other) => other !== definition && wanted.includes(other.collection?.what ?? ""),
  );
}
