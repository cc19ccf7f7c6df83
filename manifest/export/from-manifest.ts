/** The model of a manifest: what it declares, with texts rendered as its variables say. */
import type { Kind } from "../../provider/registry.ts";
import { isMap, type JsonMap } from "../../provider/json.ts";
import { render } from "../../provider/resources/pages/variables.ts";
import { Deferred, type Entry, type Manifest, type Tree, type TreeMap } from "../declarations/model.ts";
import { Opaque, Reference, isPlainMap, type Inputs, type Model, type Resource, type Value } from "./model.ts";

export function modelOf({ entries, name, root }: Manifest): Model {
  const own = entries.filter(({ account }) => account === undefined);
  const byAddress = new Map(own.map((entry) => [entry.address, entry]));
  return {
    from: "manifest",
    title: root.name,
    name: name ?? "",
    resources: own.map((entry) => resourceOf(entry, byAddress)),
    leftOut: [],
    copy: false,
    whole: true,
    warnings: [],
  };
}

function resourceOf({ kind, key, inputs }: Entry, entries: ReadonlyMap<string, Entry>): Resource {
  const { name, adoptId, variables, content, ...rest } = inputs;
  const values = valuesOf({ ...rest, ...(content !== undefined && { content }) }, entries);
  if (isPlainMap(values["content"]) && isMap(variables)) values["content"] = rendered(values["content"], variables);
  return {
    kind,
    key,
    id: typeof adoptId === "string" ? adoptId : undefined,
    name: typeof name === "string" ? name : undefined,
    inputs: values,
    notes: [],
  };
}

function rendered(content: Record<string, Value>, variables: Record<string, unknown>): Inputs {
  return Object.fromEntries(
    Object.entries(content).map(([key, value]) => [
      key,
      typeof value === "string" ? render(value, variables as JsonMap) : value,
    ]),
  );
}

function valuesOf(inputs: TreeMap, entries: ReadonlyMap<string, Entry>): Inputs {
  return Object.fromEntries(Object.entries(inputs).map(([field, tree]) => [field, valueOf(tree, entries)]));
}

function valueOf(tree: Tree, entries: ReadonlyMap<string, Entry>): Value {
  if (tree instanceof Deferred) return deferred(tree, entries);
  if (Array.isArray(tree)) return tree.map((item) => valueOf(item, entries));
  return typeof tree === "object" && tree !== null ? valuesOf(tree, entries) : tree;
}

function deferred({ origin }: Deferred, entries: ReadonlyMap<string, Entry>): Value {
  if (origin.from === "env") return new Opaque(`{ env: ${origin.name} }`);
  if (origin.from === "config") return new Opaque(`{ config: ${origin.key} }`);
  if (origin.from === "lookup") return new Opaque(`{ lookup: a ${origin.what} }`);
  const target = entries.get(origin.target);
  const isId = origin.property.join() === "id";
  return target && isId
    ? new Reference(target.kind satisfies Kind, target.key)
    : new Opaque(`{ ref: ${origin.target} }`);
}
