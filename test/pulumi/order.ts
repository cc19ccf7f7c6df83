import { references } from "./checkpoint.ts";
import type { Deployment, Resource } from "./scenario.ts";
import type { Call } from "./toy/store.ts";

const writes = new Set<Call["method"]>(["create", "update", "delete"]);

function nameOf(resource: Resource): string {
  const inputs = resource.inputs as { name?: unknown } | undefined;
  return typeof inputs?.name === "string" ? inputs.name : resource.urn;
}

/** Returns for every thing the names of all its dependencies, direct or not, in any of the states. */
function reachable(states: Deployment[]): Map<string, Set<string>> {
  const resources = states.flatMap((state) => state.resources ?? []);
  const named = new Map(resources.map((resource) => [resource.urn, nameOf(resource)]));
  const direct = new Map<string, Set<string>>();
  for (const resource of resources) {
    const known = direct.get(nameOf(resource)) ?? new Set();
    for (const urn of references(resource)) known.add(named.get(urn) ?? urn);
    direct.set(nameOf(resource), known);
  }
  const closure = (name: string, seen = new Set<string>()): Set<string> => {
    for (const next of direct.get(name) ?? []) if (!seen.has(next)) closure(next, seen.add(next));
    return seen;
  };
  return new Map([...direct.keys()].map((name) => [name, closure(name)]));
}

const label = (call: Call): string =>
  [call.method, call.name, ...(call.method === "delete" ? [call.id] : [])].join(" ");

/**
 * Returns the meaningful part of the order of an operation's writes: for every two that touch the same thing, or things that depend on each other,
 * which one came first. Independent writes may come in any order.
 */
export function meaningfulOrder(calls: Call[], before: Deployment, after: Deployment): string[] {
  const reach = reachable([before, after]);
  const connected = (a: Call, b: Call) =>
    (a.name === b.name && a.method !== b.method) ||
    reach.get(a.name)?.has(b.name) === true ||
    reach.get(b.name)?.has(a.name) === true;
  const done = calls.filter((call) => writes.has(call.method));
  return done
    .flatMap((first, position) =>
      done
        .slice(position + 1)
        .filter((second) => connected(first, second))
        .map((second) =>
          first.end < second.start
            ? `${label(first)} before ${label(second)}`
            : [label(first), label(second)].sort().join(" together with "),
        ),
    )
    .sort();
}
