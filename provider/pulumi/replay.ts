/**
 * Runs a program that declares the values of a state: an undo is a plan like any other. References come back as references, so others refer
 * to an object that is made anew by its new id. The engine is held to targets: anything else stays as it is.
 */
import { readFileSync } from "node:fs";
import * as pulumi from "@pulumi/pulumi";
import { unseal } from "../history/kept.ts";
import { isMap, type Json } from "../values/json.ts";
import { definitionOf, keyOfType, objectsMeantAt } from "../kinds/registry.ts";
import { draftsOf } from "./release-scope.ts";
import { KEY_VARIABLE } from "./run-facts.ts";
import { addressIn, addressOutputs, type Replay, REPLAY_VARIABLE, type ReplayedResource } from "./replayed.ts";
import type { ObjectKey } from "../ledger/identity.ts";

const SIGNATURE = "4dabf18193072939515e22adb298388d";
const SECRET = "1b47061264138c4ac30d75fd1eb44270";
const ROOT = "pulumi:pulumi:Stack";
const DYNAMIC_PROVIDER = "pulumi:providers:pulumi-nodejs";

/** The place of a value, and the resources that it depends on. `seen`: those of them that show in it. */
interface Place {
  readonly type: string;
  readonly path: readonly PropertyKey[];
  readonly dependencies: readonly string[];
  readonly seen: Set<string>;
}

class Replayed extends pulumi.CustomResource {
  /** Returns an output; undefined if it is in no state and was not asked for. */
  answer(name: string): pulumi.Output<unknown> | undefined {
    const value = (this as unknown as Record<string, unknown>)[name];
    return pulumi.Output.isInstance(value) ? value : undefined;
  }
}

class Provider extends pulumi.ProviderResource {}

class Component extends pulumi.ComponentResource {
  constructor(type: string, name: string, outputs: pulumi.Inputs, options: pulumi.ComponentResourceOptions) {
    super(type, name, {}, options);
    this.registerOutputs(outputs);
  }
}

export default function replay(): Record<string, unknown> {
  const file = process.env[REPLAY_VARIABLE] ?? "";
  const held = unseal(process.env[KEY_VARIABLE] ?? "", readFileSync(file, "utf8")) as Replay;
  return new Registration(held).run();
}

class Registration {
  readonly #replay: Replay;
  readonly #byUrn: ReadonlyMap<string, ReplayedResource>;
  readonly #made = new Map<string, pulumi.Resource>();
  readonly #renewed: ReadonlyMap<ObjectKey, string>;
  readonly #underWay = new Set<string>();

  constructor(replay: Replay) {
    this.#replay = replay;
    this.#byUrn = new Map(replay.resources.map((one) => [one.urn, one]));
    const renewed = replay.resources.filter(({ isNew, custom, id }) => isNew && custom && id !== "");
    this.#renewed = new Map(renewed.map(({ type, id, urn }) => [keyOfType(type, id), urn]));
  }

  run(): Record<string, unknown> {
    for (const { urn } of this.#replay.resources) this.#resource(urn);
    // The outputs of a stack say nothing of where they come from.
    const urns = [...this.#byUrn.keys()];
    return Object.fromEntries(
      Object.entries(this.#replay.outputs).map(([name, value]) => [
        name,
        pulumi.output(this.#live(value, { type: ROOT, path: [], dependencies: urns, seen: new Set() })),
      ]),
    );
  }

  /** Returns the registered resource; undefined if it is not ours to register, or is being registered: a circle of ids that were typed in. */
  #resource(urn: string): pulumi.Resource | undefined {
    const known = this.#made.get(urn);
    const declared = this.#byUrn.get(urn);
    if (known || !declared || !isOurs(declared) || this.#underWay.has(urn)) return known;
    this.#underWay.add(urn);
    const made = this.#register(declared);
    this.#made.set(urn, made);
    return made;
  }

  #register(one: ReplayedResource): pulumi.Resource {
    const name = one.urn.split("::").slice(3).join("::");
    const options = this.#options(one);
    if (!one.custom) return new Component(one.type, name, this.#values(one.type, one.outputs, {}), options);
    const props = this.#props(one);
    if (one.type === DYNAMIC_PROVIDER) return new Provider("pulumi-nodejs", name, props, options);
    const secrets = [...one.additionalSecretOutputs];
    return new Replayed(one.type, name, props, { ...options, additionalSecretOutputs: secrets });
  }

  #props(one: ReplayedResource): pulumi.Inputs {
    const props = this.#values(one.type, one.inputs, one.propertyDependencies);
    // A page tells of its draft again, and its release hears that.
    const definition = definitionOf(one.type);
    const draft = definition?.gathered?.draft;
    if (draft !== undefined && draft in one.outputs) props[draft] = undefined;
    for (const output of one.type === DYNAMIC_PROVIDER ? [] : addressOutputs(one)) props[output] = undefined;
    const gathers = definition?.gathers;
    return gathers ? { ...props, [gathers.drafts]: draftsOf(this.#members(gathers.memberIds(one.inputs))) } : props;
  }

  #members(ids: readonly string[]): pulumi.CustomResource[] {
    // A page has an address.
    const pages = this.#replay.resources.filter(({ type }) => definitionOf(type)?.public === "address");
    const urns = ids.flatMap((id) => pages.find((one) => isKnownAs(one, id))?.urn ?? []);
    return urns.map((urn) => this.#resource(urn)).filter((page) => page instanceof pulumi.CustomResource);
  }

  #options(one: ReplayedResource): pulumi.CustomResourceOptions {
    const { parent, protect, retainOnDelete, deletedWith, customTimeouts, ignoreChanges, aliases } = one;
    const provider =
      one.provider === undefined ? undefined : this.#resource(one.provider.slice(0, one.provider.lastIndexOf("::")));
    const byProperty = new Set(Object.values(one.propertyDependencies).flat());
    const others = one.dependencies.filter((urn) => !byProperty.has(urn));
    return {
      parent: parent === undefined ? undefined : this.#resource(parent),
      provider: provider instanceof pulumi.ProviderResource ? provider : undefined,
      dependsOn: others.flatMap((urn) => this.#resource(urn) ?? []),
      deletedWith: deletedWith === undefined ? undefined : this.#resource(deletedWith),
      aliases: [...aliases],
      ignoreChanges: [...ignoreChanges],
      ...{ protect, retainOnDelete, customTimeouts: timeouts(customTimeouts) },
    };
  }

  #values(
    type: string,
    values: Readonly<Record<string, Json>>,
    dependencies: ReplayedResource["propertyDependencies"],
  ): pulumi.Inputs {
    return Object.fromEntries(
      Object.entries(values).map(([field, value]) => [
        field,
        this.#value(value, { type, path: [field], dependencies: dependencies[field] ?? [] }),
      ]),
    );
  }

  /** Returns the value with its former dependencies, also those that don't show in it. */
  #value(value: Json, place: Omit<Place, "seen">): unknown {
    const seen = new Set<string>();
    const { dependencies } = place;
    const live = this.#live(value, { ...place, seen });
    const others = dependencies.filter((urn) => !seen.has(urn)).flatMap((urn) => this.#resource(urn) ?? []);
    if (others.length === 0) return live;
    return withDependencies(live, pulumi.all(others.map(({ urn }) => urn)));
  }

  #live(value: Json, place: Place): unknown {
    const at = (step: PropertyKey): Place => ({ ...place, path: [...place.path, step] });
    if (typeof value === "string") return this.#reference(value, place) ?? this.#address(value, place) ?? value;
    if (Array.isArray(value)) return value.map((item, index) => this.#live(item, at(index)));
    if (!isMap(value)) return value;
    const map = value as Record<string, Json>;
    if (map[SIGNATURE] === SECRET) return pulumi.secret(this.#live(map["value"] ?? null, place));
    return Object.fromEntries(Object.entries(map).map(([key, item]) => [key, this.#live(item, at(key))]));
  }

  /** Returns the reference for an id of something that the value depends on, or of something that gets another id. */
  #reference(text: string, { type, path, dependencies, seen }: Place): pulumi.Output<string> | undefined {
    const meant = objectsMeantAt(type, path, text);
    const isIt = (one: ReplayedResource | undefined): boolean =>
      one !== undefined && isKnownAs(one, text) && (meant?.includes(keyOfType(one.type, text)) ?? true);
    const urn =
      dependencies.find((one) => isIt(this.#byUrn.get(one))) ??
      meant?.flatMap((key) => this.#renewed.get(key) ?? [])[0];
    const resource = urn === undefined ? undefined : this.#resource(urn);
    if (urn === undefined || !(resource instanceof pulumi.CustomResource)) return undefined;
    seen.add(urn);
    return resource.id;
  }

  #address(text: string, { dependencies, seen }: Place): pulumi.Output<string> | undefined {
    for (const urn of dependencies) {
      const one = this.#byUrn.get(urn);
      const address = one?.custom === true ? addressIn(text, one) : undefined;
      const resource = address && this.#resource(urn);
      const answer = address && resource instanceof Replayed ? resource.answer(address.output) : undefined;
      if (address === undefined || answer === undefined) continue;
      seen.add(urn);
      // A resource that failed, or that a preview knows nothing of, has no address.
      return answer.apply((value) => (typeof value === "string" ? `${value}${address.rest}` : text));
    }
    return undefined;
  }
}

/** Each part depends on them by itself: joined as a whole, one secret would make all parts secret. */
function withDependencies(live: unknown, on: pulumi.Output<unknown>): unknown {
  const isWhole = pulumi.Output.isInstance(live) || !holdsParts(live);
  if (isWhole) return pulumi.all([live, on]).apply(([inner]) => inner);
  if (Array.isArray(live)) return live.map((item) => withDependencies(item, on));
  return Object.fromEntries(Object.entries(live).map(([key, item]) => [key, withDependencies(item, on)]));
}

function holdsParts(value: unknown): value is object {
  return typeof value === "object" && value !== null && Object.keys(value).length > 0;
}

function isKnownAs(one: ReplayedResource | undefined, id: string): boolean {
  return one?.id === id || one?.otherIds.includes(id) === true;
}

/** Tells if it is a component, an account of the program, or something that Landform makes. Resources of other providers stay. */
function isOurs({ type, custom, urn }: ReplayedResource): boolean {
  if (type === ROOT) return false;
  if (type === DYNAMIC_PROVIDER) return !/::default(_[^:]*)?$/.test(urn);
  return !custom || type.startsWith("pulumi-nodejs:dynamic/landform:");
}

function timeouts(seconds: ReplayedResource["customTimeouts"]): pulumi.CustomTimeouts {
  return Object.fromEntries(Object.entries(seconds).map(([step, value]) => [step, `${value}s`]));
}
