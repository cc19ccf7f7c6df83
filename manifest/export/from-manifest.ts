/** The model of a manifest: what it declares, with texts rendered as its variables say. */
import { isMap, type JsonMap } from "../../provider/values/json.ts";
import { render } from "../../provider/kinds/page/variables.ts";
import { Deferred, type Entry, type Manifest, type Tree, type TreeMap } from "../declare/model.ts";
import { Opaque, Reference, isPlainMap, type Inputs, type Model, type Resource, type Value } from "../match/model.ts";
import type { OutsideValues } from "../match/outside.ts";

/** With the entries of further accounts only where the other side has some, too: not where it is one account. */
export function modelOf(
  { entries, name, root }: Pick<Manifest, "entries" | "name" | "root">,
  outside: OutsideValues,
  options: ModelOptions,
): Model {
  const own = entries.filter(({ account }) => options.allAccounts || account === undefined);
  const reader = new ValueReader(new Map(own.map((entry) => [entry.address, entry])), outside);
  return {
    from: "manifest",
    title: root.name,
    name: name ?? "",
    resources: own.map((entry) => resourceOf(entry, reader)),
    leftOut: [],
    copy: false,
    whole: true,
    warnings: [],
  };
}

export interface ModelOptions {
  readonly allAccounts: boolean;
}

/** What a manifest says of an entry beside its inputs stands among them: it is declared, too. */
function resourceOf({ kind, key, inputs, options, account }: Entry, reader: ValueReader): Resource {
  const { name, adoptId, ...rest } = inputs;
  const values = reader.values(rest);
  const { content } = values;
  if (isPlainMap(content) && isMap(inputs["variables"])) values["content"] = rendered(content, inputs["variables"]);
  const later = { ...(name instanceof Deferred && { name }), ...(adoptId instanceof Deferred && { adoptId }) };
  const told = Object.entries(options).filter(([, value]) => !Array.isArray(value) || value.length > 0);
  return {
    kind,
    key,
    id: typeof adoptId === "string" ? adoptId : undefined,
    name: typeof name === "string" ? name : undefined,
    inputs: {
      ...values,
      ...reader.values(later),
      ...(told.length > 0 && { options: Object.fromEntries<Value>(told) }),
      ...(account !== undefined && { account }),
    },
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

class ValueReader {
  readonly #entries: ReadonlyMap<string, Entry>;
  readonly #outside: OutsideValues;

  constructor(entries: ReadonlyMap<string, Entry>, outside: OutsideValues) {
    this.#entries = entries;
    this.#outside = outside;
  }

  values(inputs: TreeMap): Inputs {
    return Object.fromEntries(Object.entries(inputs).map(([field, tree]) => [field, this.#value(tree)]));
  }

  #value(tree: Tree): Value {
    if (tree instanceof Deferred) return this.#deferred(tree);
    if (Array.isArray(tree)) return tree.map((item) => this.#value(item));
    return typeof tree === "object" && tree !== null ? this.values(tree) : tree;
  }

  #deferred(deferred: Deferred): Value {
    const { origin } = deferred;
    const known = this.#outside.valueOf(deferred)?.value;
    if (origin.from === "env") return new Opaque(`{ env: ${origin.name} }`, known);
    if (origin.from === "config") return new Opaque(`{ config: ${origin.key} }`, known);
    if (origin.from === "lookup") return new Opaque(`{ lookup: a ${origin.what} }`);
    if (origin.from !== "resource") return new Opaque(textOf(origin), known);
    const target = this.#entries.get(origin.target);
    const isId = origin.property.join() === "id";
    return target && isId ? new Reference(target.kind, target.key) : new Opaque(`{ ref: ${origin.target} }`);
  }
}

/** As it is written, but for what data has put in. */
function textOf(origin: Deferred["origin"]): string {
  if (origin.from === "config") return `\${config.${origin.key}}`;
  if (origin.from !== "text") return "${stack}";
  return origin.parts.map((part) => (typeof part === "string" ? part : textOf(part.origin))).join("");
}
