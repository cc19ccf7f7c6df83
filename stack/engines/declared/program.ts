/**
 * A landform.yaml as a program of the embedded engine, without a process. It registers what the same manifest registers through the SDK on
 * Pulumi's own engine (manifest/run/register.ts). A test holds the two equal.
 */
import {
  containsSecret,
  type DirectEngine,
  type DirectProgram,
  isRecord,
  isSecret,
  isUnknown,
  type Json,
  makeSecret,
  ProgramError,
  type PropertyMap,
  type SourcePosition,
  UNKNOWN,
} from "../../../engine/index.ts";
import { membersOf } from "../../../manifest/declare/order.ts";
import type { Entry, Manifest } from "../../../manifest/declare/model.ts";
import { Diagnostics } from "../../../manifest/source/diagnostics.ts";
import { renderText, toldText } from "../../../manifest/index.ts";
import { Values } from "../../../manifest/run/outside-values.ts";
import type { Place } from "../../../manifest/source/file.ts";
import { identityFor } from "../../../provider/ledger/identity.ts";
import {
  isToldByValue,
  type Making,
  plain,
  registered,
  registeredOptions,
  shownSecrets,
} from "../../../provider/pulumi/registered.ts";
import { resourceType } from "../../../provider/kinds/registry.ts";
import { mapBy } from "../../../provider/values/json.ts";
import { asOne, type Evaluated, Evaluation, fixed, Made, openOutside, type Surroundings } from "./values.ts";

const PROVIDER_TYPE = "pulumi:providers:pulumi-nodejs";

type Inputs = Record<string, Evaluated>;

export function declaredProgram(manifest: Manifest, around: Surroundings): DirectProgram {
  return async (engine) => {
    for (const warning of around.warnings) engine.warn(toldText(warning));
    const { outside, close } = openOutside(around);
    try {
      const found = new Diagnostics();
      const values = await Values.find(manifest, outside, found);
      if (found.failed) throw new ProgramError(renderText(found.list()));
      return await new Declared(engine, manifest, values, around.steady).run();
    } finally {
      await close();
    }
  };
}

class Declared {
  readonly #engine: DirectEngine;
  readonly #manifest: Manifest;
  readonly #values: Values;
  readonly #steady: Surroundings["steady"];
  readonly #evaluation: Evaluation;
  readonly #made = new Map<string, Promise<Made>>();
  /** By URN, the secret outputs of the registered resources. */
  readonly #secrets = new Map<string, readonly string[]>();
  /** References of the providers, by the account's key. */
  readonly #accounts = new Map<string, Promise<string>>();
  /** Addresses of the pages that a release publishes. */
  readonly #released: ReadonlySet<string>;

  constructor(engine: DirectEngine, manifest: Manifest, values: Values, steady: Surroundings["steady"]) {
    this.#engine = engine;
    this.#manifest = manifest;
    this.#values = values;
    this.#steady = engine.dryRun ? steady : undefined;
    this.#evaluation = new Evaluation(values, this.#made);
    this.#released = new Set(manifest.entries.flatMap(membersOf));
  }

  async run(): Promise<PropertyMap> {
    for (const { key, settings, place } of this.#manifest.accounts) {
      this.#accounts.set(key, this.#registerAccount(key, this.#values.account(settings), place));
    }
    for (const entry of this.#manifest.entries) this.#made.set(entry.address, this.#register(entry));
    const all = await Promise.allSettled([...this.#accounts.values(), ...this.#made.values()]);
    for (const one of all) if (one.status === "rejected") throw one.reason;
    const outputs = this.#manifest.outputs.map(
      async ({ name, value }) => [name, await this.#evaluation.of(value)] as const,
    );
    return valuesOf(Object.fromEntries(await Promise.all(outputs)));
  }

  async #registerAccount(name: string, settings: object, place: Place): Promise<string> {
    const inputs = Object.fromEntries(
      Object.entries(settings).map(([key, value]) => [`landform:${key}`, String(value)]),
    );
    const propertyDependencies = Object.fromEntries(Object.keys(inputs).map((key) => [key, []]));
    const account = { type: PROVIDER_TYPE, name, inputs, propertyDependencies, place: positionOf(place) };
    const { urn, id } = await this.#engine.register(account);
    return `${urn}::${id === "" ? UNKNOWN : id}`;
  }

  async #register(entry: Entry): Promise<Made> {
    const { definition, key: name, place, options, address } = entry;
    const args = await this.#args(entry);
    const identity = fixed(identityFor(this.#engine.urn(resourceType(definition), name)));
    const isInRelease = this.#released.has(address);
    const { ignoreChanges } = options;
    const hidden = isToldByValue(definition) ? secretsIn(args) : undefined;
    const made = registered({ definition, name, args, identity, ignoreChanges, hidden, isInRelease }, PLAIN_VALUES);
    // Inputs without a value aren't sent.
    const isTold = (one: [string, Evaluated | undefined]): one is [string, Evaluated] => one[1]?.value !== undefined;
    const inputs = Object.fromEntries(Object.entries(made.inputs).filter(isTold));
    const values = plain(valuesOf(inputs), "") as PropertyMap;
    const shown = await shownSecrets(definition, {
      isSecretAt: (path) => isSecretAt(values, path),
      secretsBehind: (input) => [...(inputs[input]?.urns ?? [])].flatMap((urn) => this.#secrets.get(urn) ?? []),
    });
    const secrets = [...new Set([...made.secrets, ...shown])];
    const registration = await this.#engine.register({
      type: made.type,
      name,
      inputs: values,
      propertyDependencies: Object.fromEntries(Object.entries(inputs).map(([name, { urns }]) => [name, [...urns]])),
      additionalSecretOutputs: secrets,
      ...(await this.#options(entry, Object.values(inputs))),
      place: positionOf(place),
    });
    this.#secrets.set(registration.urn, secrets);
    return new Made({
      definition,
      args: valuesOf(args),
      inputs: values,
      registered: registration,
      dryRun: this.#engine.dryRun,
      steady: this.#steady,
    });
  }

  async #options({ options, account }: Entry, inputs: readonly Evaluated[]) {
    const explicit = await this.#resources(options.dependsOn);
    const urns = [...explicit.map(({ urn }) => urn), ...inputs.flatMap((input) => [...input.urns])];
    const provider = account === undefined ? undefined : await this.#accounts.get(account);
    return {
      dependencies: [...new Set(urns)],
      ...registeredOptions(options, {
        urn: (urn): { urn: string } | { name: string; parent: string } => ({ urn }),
        name: (name) => ({ name, parent: this.#engine.stackUrn }),
      }),
      ...(provider === undefined ? {} : { provider }),
    };
  }

  async #args(entry: Entry): Promise<Inputs> {
    const { gathers } = entry.definition;
    if (gathers === undefined) return this.#evaluation.inputs(entry.inputs);
    const members = await this.#resources(membersOf(entry));
    const urns = new Set(members.map(({ urn }) => urn));
    const ids = members.map((member) => member.value(["id"]) ?? null);
    const inputs = gathers.filledIn(ids, asOne(members.map((member) => member.draft() ?? "")));
    return Object.fromEntries(Object.entries(inputs).map(([name, value]) => [name, { value: value as Json, urns }]));
  }

  #resources(addresses: readonly string[]): Promise<Made[]> {
    return Promise.all(addresses.flatMap((address) => this.#made.get(address) ?? []));
  }
}

const PLAIN_VALUES: Making<Evaluated> = {
  fixed: (value) => fixed(value),
  secret: ({ value, urns }) => ({ value: value === undefined ? undefined : asSecret(value), urns }),
};

function secretsIn(args: Inputs): Evaluated | undefined {
  const places = Object.keys(args).flatMap((name) => placesIn(args[name]?.value ?? null, [name]));
  return places.length === 0 ? undefined : fixed(places);
}

function placesIn(value: Json, path: readonly string[]): string[][] {
  if (isSecret(value)) return [[...path]];
  if (typeof value !== "object" || value === null || !containsSecret(value)) return [];
  return Object.entries(value).flatMap(([key, part]) => placesIn(part, [...path, key]));
}

function isSecretAt(value: Json | undefined, [name, ...rest]: readonly string[]): boolean {
  if (value === undefined) return false;
  if (name === undefined || isSecret(value)) return containsSecret(value);
  return isRecord(value) && isSecretAt(value[name], rest);
}

function asSecret(value: Json): Json {
  const one = asOne(value);
  return isUnknown(one) ? one : makeSecret(one);
}

function valuesOf(inputs: Inputs): PropertyMap {
  return mapBy(Object.keys(inputs), (name) => inputs[name]?.value);
}

function positionOf({ file, start }: Place): SourcePosition {
  const { line, col } = file.lines.linePos(start);
  return { file: file.path, line, column: col };
}
