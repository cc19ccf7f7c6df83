/**
 * Registers the resources of a manifest like a program: the same classes, the key as logical name, no component around them. So a manifest and a
 * program of the same resources have the same URNs and the same state.
 */
import { dirname, resolve } from "node:path";
import { Script } from "node:vm";
import * as pulumi from "@pulumi/pulumi";
import { isNullable } from "../../provider/definition/schema-walk.ts";
import { lookupId } from "../../provider/lookups/index.ts";
import { Account } from "../../provider/pulumi/resource.ts";
import { clientFor } from "../../provider/pulumi/lookup-forms.ts";
import { registeredOptions } from "../../provider/pulumi/registered.ts";
import { inRelease } from "../../provider/pulumi/release-scope.ts";
import { ReleasePublication } from "../../provider/pulumi/components.ts";
import * as classes from "../../provider/pulumi/resources.ts";
import { validate } from "../check/validate.ts";
import { Deferred, type Entry, type Manifest, type Tree, type TreeMap } from "../declare/model.ts";
import { membersOf } from "../declare/order.ts";
import { Diagnostics } from "../source/diagnostics.ts";
import type { Place } from "../source/file.ts";
import { renderText, toldText } from "../source/report.ts";
import { asInput, type Outside, Values } from "./outside-values.ts";

type StackOutput = pulumi.Output<unknown> | Record<string, pulumi.Output<unknown>>;
export type Outputs = Record<string, StackOutput>;

type ResourceClass = new (name: string, args: object, options: pulumi.CustomResourceOptions) => pulumi.CustomResource;

/** Runs a manifest as the program. One message lists everything that is wrong with it. */
export async function run(path: string): Promise<Outputs> {
  const file = resolve(path);
  const { manifest, diagnostics } = validate(file, { cwd: dirname(file) });
  if (!manifest) throw new pulumi.RunError(renderText(diagnostics));
  for (const warning of diagnostics) await pulumi.log.warn(toldText(warning));
  const found = new Diagnostics();
  const values = await Values.find(manifest, outside, found);
  if (found.failed) throw new pulumi.RunError(renderText(found.list()));
  return new Registration(manifest, values).outputs();
}

const outside: Outside = {
  env: process.env,
  // A getter, because the stack is known only when the program runs.
  get stack() {
    return pulumi.getStack();
  },
  config: (key) => {
    const separator = key.indexOf(":");
    const namespace = separator === -1 ? pulumi.getProject() : key.slice(0, separator);
    const name = key.slice(separator + 1);
    const value = new pulumi.Config(namespace).get(name);
    return value === undefined ? undefined : { value, secret: isSecret(`${namespace}:${name}`) };
  },
  lookup: (what, name, account) => lookupId(what, clientFor({ account }), { name }),
};

/** The SDK has the function but doesn't declare it (3.270, 2026-11-21). If nobody can tell, the value is kept secret. */
function isSecret(key: string): boolean {
  const { isConfigSecret } = pulumi.runtime as { isConfigSecret?: (key: string) => boolean };
  return isConfigSecret?.(key) ?? true;
}

class Registration {
  readonly #manifest: Manifest;
  readonly #values: Values;
  readonly #accounts = new Map<string, Account>();
  readonly #resources = new Map<string, pulumi.CustomResource>();
  readonly #entries: ReadonlyMap<string, Entry>;
  /** The release that publishes a page, by the page's address. */
  readonly #releases = new Map<string, string>();

  constructor(manifest: Manifest, values: Values) {
    this.#manifest = manifest;
    this.#values = values;
    this.#entries = new Map(manifest.entries.map((entry) => [entry.address, entry]));
    for (const { key, settings } of manifest.accounts) {
      this.#accounts.set(key, new Account(key, values.account(settings)));
    }
    for (const entry of manifest.entries) for (const page of membersOf(entry)) this.#releases.set(page, entry.key);
    for (const entry of manifest.entries) this.#resources.set(entry.address, this.#inScope(entry));
  }

  outputs(): Outputs {
    return Object.fromEntries(this.#manifest.outputs.map(({ name, value }) => [name, this.#stackOutput(value)]));
  }

  /** Wraps each value separately: a known value stays known beside an unknown one. */
  #stackOutput(value: Tree): StackOutput {
    if (typeof value !== "object" || value === null || Array.isArray(value) || value instanceof Deferred)
      return pulumi.output(this.#tree(value, AS_IT_IS));
    return Object.fromEntries(
      Object.entries(value).map(([key, one]) => [key, pulumi.output(this.#tree(one, AS_IT_IS))]),
    );
  }

  #inScope(entry: Entry): pulumi.CustomResource {
    const release = this.#releases.get(entry.address);
    return release === undefined ? this.#register(entry) : inRelease(release, () => this.#register(entry)).result;
  }

  #register(entry: Entry): pulumi.CustomResource {
    const { definition, key, place } = entry;
    if (definition.gathers !== undefined) {
      const members = membersOf(entry).flatMap((page) => this.#resources.get(page) ?? []);
      return madeAt(place, ReleasePublication)(key, members, this.#options(entry));
    }
    const { [definition.type]: resourceClass } = classes as unknown as Record<string, ResourceClass | undefined>;
    if (!resourceClass) throw new Error(`no class ${definition.type}; run "npm run generate"`);
    return madeAt(place, resourceClass)(key, this.#args(entry.inputs), this.#options(entry));
  }

  #options({ options, account }: Entry): pulumi.CustomResourceOptions {
    return {
      ...registeredOptions<string | pulumi.Alias>(options, { urn: (urn) => urn, name: (name) => ({ name }) }),
      dependsOn: options.dependsOn.flatMap((target) => this.#resources.get(target) ?? []),
      provider: account === undefined ? undefined : this.#accounts.get(account),
    };
  }

  #args(inputs: TreeMap, told = AS_INPUT): Record<string, unknown> {
    return Object.fromEntries(Object.entries(inputs).map(([name, tree]) => [name, this.#tree(tree, told)]));
  }

  #tree(tree: Tree, told: Telling): unknown {
    if (tree instanceof Deferred) return this.#deferred(tree, told);
    if (Array.isArray(tree)) return tree.map((item) => this.#tree(item, told));
    return typeof tree === "object" && tree !== null ? this.#args(tree, told) : tree;
  }

  #deferred(deferred: Deferred, told: Telling): unknown {
    const { origin } = deferred;
    if (origin.from === "resource") {
      const value = this.#output(origin.target, origin.property);
      const [property = "", ...rest] = origin.property;
      const schema: unknown = this.#entries.get(origin.target)?.definition.outputs.shape[property];
      return rest.length === 0 && isNullable(schema) ? told(value as pulumi.Output<unknown>) : value;
    }
    const found = this.#values.get(deferred);
    return found?.secret ? pulumi.secret(found.value) : found?.value;
  }

  #output(target: string, [property = "", ...rest]: readonly string[]): unknown {
    const resource = this.#resources.get(target) as Record<string, unknown> | undefined;
    const value = resource?.[property];
    return rest.length === 0 ? value : rest.reduce(step, pulumi.output(value));
  }
}

/** Tells an output that may be null. */
type Telling = (value: pulumi.Output<unknown>) => pulumi.Output<unknown>;

const AS_IT_IS: Telling = (value) => value;

const AS_INPUT: Telling = (value) => value.apply(asInput);

/** Reads a property as a program's `offer.publish.slug` does: the known parts of a value are known, even if another part is not. */
function step(here: pulumi.Output<unknown>, name: string): pulumi.Output<unknown> {
  const isOwn = name in here;
  if (!isOwn) return Reflect.get(here, name) as pulumi.Output<unknown>;
  return here.apply((value) => (value as Record<string, unknown> | null | undefined)?.[name]);
}

/** Gives `new made(...args)` the place in the manifest. */
function madeAt<Args extends unknown[], Made>({ file, start }: Place, made: new (...args: Args) => Made) {
  const { line, col } = file.lines.linePos(start);
  const code = `(function entry(made, args) { return (\n${" ".repeat(col - 1)}new made(...args)\n); })`;
  const script = new Script(code, { filename: file.path, lineOffset: line - 2 });
  const make = script.runInThisContext() as (type: typeof made, args: Args) => Made;
  return (...args: Args): Made => make(made, args);
}
