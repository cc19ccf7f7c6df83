/**
 * Tests every kind of the registry against the service over HTTP, by its own definition. Nothing here knows a kind. The test names everything that a
 * new kind lacks.
 */
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import type { z } from "zod";
import { scopesFor } from "../../stack/report/impact.ts";
import { startEmulator } from "../../emulator/index.ts";
import { validate } from "../../manifest/index.ts";
import { Deferred, deferredIn, type Entry, type Tree } from "../../manifest/declare/model.ts";
import { buildModel } from "../../manifest/export/build.ts";
import { readAccount } from "../../manifest/export/read.ts";
import { LandformApi, type Operation, type OperationName, operations } from "../../provider/api/index.ts";
import { collect, type Collection } from "../../provider/definition/collection.ts";
import type { AnyDefinition } from "../../provider/definition/define.ts";
import { camelKeys, type Json, type JsonMap, snake } from "../../provider/values/json.ts";
import { Claims } from "../../provider/reconcile/check.ts";
import { type Handler, handlerFor } from "../../provider/reconcile/handler.ts";
import { identityFor } from "../../provider/ledger/identity.ts";
import { ObjectState } from "../../provider/reconcile/object-state.ts";
import { RunContext, SeenStates } from "../../provider/reconcile/run-context.ts";
import { unkeptLedger } from "../../provider/ledger/ledger.ts";
import { lookupId } from "../../provider/lookups/index.ts";
import { refersTo, schemaBelow, shapeOf } from "../../provider/definition/schema-walk.ts";
import { type Kind, registry } from "../../provider/kinds/registry.ts";
import { loadDocument, operationsOf } from "../schema/openapi.ts";
import { forAllTests } from "../suite/opened.ts";

const EXAMPLES = join(import.meta.dirname, "every-kind.yaml");
const described = operationsOf(loadDocument());
const kinds = Object.entries(registry) as [Kind, AnyDefinition][];

const { manifest, diagnostics } = validate(EXAMPLES);
const entries = new Map(manifest?.entries.map((entry) => [entry.kind, entry]));

const emulator = forAllTests(() => startEmulator({ seed: "demo", notShown: { unknownFields: "refuse" } }));
const api = forAllTests(() => new LandformApi(emulator));

test("every kind has an example", () => {
  expect(diagnostics).toEqual([]);
  const missing = kinds.filter(([kind]) => !entries.has(kind)).map(([, { section }]) => section);
  expect(missing, "sections that test/conformance/every-kind.yaml has no entry in").toEqual([]);
});

describe.each(kinds)("%s, by its definition", (_kind, definition) => {
  const { calls, collection, lookup, type } = definition;

  test("its calls are operations of schema/api.yaml", () => {
    const known = new Set(described.map(({ method, path }) => `${method} ${anonymous(path)}`));
    const named: OperationName[] = [
      ...(Object.keys(calls) as (keyof typeof calls)[]).flatMap((step) => calls[step] ?? []),
      ...[collection, lookup].flatMap(callsOf),
    ];
    expect(named.filter((name) => !known.has(signature(operations[name])))).toEqual([]);
  });

  test("its scopes are known", () => {
    const change = { urn: "", type, name: "", op: "create" as const, fields: [] };
    expect(scopesFor([change]), `calls.create of ${type} names no call with a scope`).not.toEqual([]);
  });

  test("it is looked up, or the definition says that the service never lists it", () => {
    const told = definition.exporting?.hidden?.text;
    expect(lookup ?? told, `${type} has neither a collection nor exporting.hidden`).toBeDefined();
  });

  test("what the lists are narrowed by is taken by the service", () => {
    for (const one of new Set([collection, lookup])) {
      if (!one) continue;
      const list = described.find(
        ({ method, path }) => `${method} ${anonymous(path)}` === signature(operations[one.calls.list]),
      );
      const taken = list?.parameters.map(({ name }) => name) ?? [];
      expect(taken).toEqual(expect.arrayContaining(Object.keys(one.filters.shape).map(snake)));
    }
  });

  test("everything that the service shows of it is an output", async () => {
    const [row] = collection ? await collect(collection.all(api, {}, { limit: 1 })) : [];
    const unknown = Object.keys(row ? camelKeys(row) : {}).filter((field) => !(field in definition.outputs.shape));
    expect(unknown, `outputs of ${type} lack what its records have`).toEqual([]);
  });
});

type Made = { readonly id: string; readonly inputs: JsonMap; outs: JsonMap };

/** One person, or one run, with its own knowledge of the account. */
class Person {
  readonly #run: RunContext;
  readonly #claims = new Claims();

  constructor() {
    const settings = {
      full: true,
      patienceMs: 0,
      foreign: new Set<string>(),
      ledger: unkeptLedger(),
      warn: () => undefined,
    };
    this.#run = new RunContext({ baseUrl: emulator.baseUrl, apiKey: emulator.apiKey }, settings);
  }

  handler(definition: AnyDefinition): Handler {
    return handlerFor(definition, {
      ours: new Set(),
      seen: new SeenStates(unkeptLedger()),
      configure: () => undefined,
      run: () => this.#run,
      expectAccount: () => undefined,
      claims: this.#claims,
    });
  }
}

test("an id says what it refers to, also where it stands in one of several forms of an item", () => {
  const below = (path: readonly PropertyKey[]) => path.reduce<unknown>(schemaBelow, registry.funnel.inputs);
  expect(refersTo(below(["steps", 0, "pageId"]))).toEqual(["page", "quiz"]);
  expect(refersTo(below(["steps", 0, "url"]))).toEqual([]);
  expect(refersTo(below(["steps", 0, "nothing"]))).toEqual([]);
});

describe("the life of each kind", () => {
  const made = new Map<string, Made>();
  /** Each comes after the ones that it refers to. */
  const living = (manifest?.entries ?? []).map((entry): [string, Entry] => [entry.kind, entry]);

  async function unchanged({ definition }: Entry, { id, outs, inputs }: Made): Promise<void> {
    expect(await new Person().handler(definition).diff(id, outs, inputs)).toEqual({ changes: false, replaces: [] });
    const read = await new Person().handler(definition).read(id, outs);
    expect(read.inputs, "a refresh finds drift right after an apply").toBeUndefined();
    expect(await new Person().handler(definition).diff(id, read.props, inputs)).toEqual({
      changes: false,
      replaces: [],
    });
  }

  function of({ address }: Entry): Made {
    const found = made.get(address);
    if (!found) throw new Error(`${address} was not created`);
    return found;
  }

  test.each(living)("%s: created, and the second apply plans nothing", async (_kind, entry) => {
    const inputs = await inputsOf(entry, made);
    const handler = new Person().handler(entry.definition);
    expect((await handler.check({}, inputs)).failures).toEqual([]);
    const { id, outs } = await handler.create(inputs);
    made.set(entry.address, { id, inputs, outs });
    await unchanged(entry, of(entry));
  });

  test.each(living)("%s: the drift of each readable field is found, and repaired", async (_kind, entry) => {
    const { definition } = entry;
    const resource = of(entry);
    for (const field of readable(definition)) {
      const [ours, theirs] = twoValues(definition.inputs.shape[field] as z.ZodType);
      const inputs = { ...resource.inputs, [field]: ours };
      const handler = new Person().handler(definition);
      const applied = (await handler.update(resource.id, resource.outs, inputs)).outs;
      await new Person().handler(definition).update(resource.id, applied, { ...inputs, [field]: theirs });
      const seen = await new Person().handler(definition).read(resource.id, applied);
      expect(seen.inputs?.[field], `drift of ${field}`).toEqual(theirs);
      const repaired = (await new Person().handler(definition).update(resource.id, seen.props, inputs)).outs;
      await unchanged(entry, { id: resource.id, inputs, outs: repaired });
      const { outs } = await handler.update(resource.id, repaired, resource.inputs);
      resource.outs = outs;
    }
  });

  test.each(living)("%s: exported with every field that is shown", async (kind, entry) => {
    const { definition } = entry;
    if (!definition.collection) return;
    const { id } = of(entry);
    const { resources } = buildModel(await readAccount(api, { include: [kind as Kind] }));
    const exported = resources.find((resource) => resource.id === id);
    expect(exported, `${definition.type} ${id} is not exported`).toBeDefined();
    const lost = readable(definition).filter((field) => field !== "name" && !(field in (exported?.inputs ?? {})));
    expect(lost, `readable inputs that the export of ${definition.type} drops`).toEqual([]);
  });

  test.each(living)("%s: looked up by its id", async (_kind, { definition, ...entry }) => {
    const { lookup } = definition;
    if (!lookup) return;
    const { id } = of({ definition, ...entry });
    expect(await lookupId(lookup.what, api, { id })).toBe(id);
  });

  test.each(living)("%s: adopted, and the second apply plans nothing", async (_kind, entry) => {
    const { definition } = entry;
    if (!definition.collection) return;
    const { id, inputs } = of(entry);
    const { __identity, ...rest } = inputs;
    const replaced = Object.keys(rest).filter((field) => isFixedAndHidden(definition, field));
    const adopting = {
      ...Object.fromEntries(Object.entries(rest).filter(([field]) => !replaced.includes(field))),
      adoptId: id,
    };
    const adopted = await new Person().handler(definition).create(adopting);
    expect(adopted.id).toBe(id);
    await unchanged(entry, { id, inputs: adopting, outs: adopted.outs });
  });

  test.each(living.toReversed())(
    "%s: deleted, and gone or left behind as the definition says",
    async (_kind, entry) => {
      const { definition } = entry;
      const { id, outs } = of(entry);
      await new Person().handler(definition).delete(id, outs);
      if (!definition.collection) return;
      const left = await new Person().handler(definition).read(id, outs);
      const stays = definition.leaves === "in place" || isKept(entry);
      expect(left.id, `${definition.type} ${id} after its deletion`).toBe(stays ? id : "");
    },
  );
});

/** Returns the inputs with plain values that a refresh sees and an update sends. */
function readable(definition: AnyDefinition): string[] {
  return Object.entries(definition.inputs.shape).flatMap(([field, schema]) => {
    const { shownValue, onChange = "update", shownOnWrites } = definition.rule(field);
    const { type } = shapeOf(schema);
    const plain = ["text", "number", "boolean"].includes(type) && refersTo(schema).length === 0;
    return shownValue && plain && onChange === "update" && shownOnWrites !== true ? [field] : [];
  });
}

function isFixedAndHidden(definition: AnyDefinition, field: string): boolean {
  const { shownValue, onChange } = definition.rule(field);
  return onChange === "replace" && shownValue === undefined;
}

/** Returns two different values of a field that no rule of length refuses. */
function twoValues(schema: z.ZodType): [Json, Json] {
  const shape = shapeOf(schema);
  if (shape.type === "number") return [3, 7];
  if (shape.type === "boolean") return [true, false];
  return ["One text ".repeat(30).trim(), "Another text ".repeat(30).trim()];
}

/** Tells if an object that the API can't delete refers to it. */
function isKept({ address }: Entry): boolean {
  const targets = ({ inputs }: Entry): string[] =>
    [...deferredIn(inputs)].flatMap(({ origin }) => (origin.from === "resource" ? [origin.target] : []));
  return [...entries.values()].some(
    (other) => other.definition.leaves === "in place" && targets(other).includes(address),
  );
}

async function inputsOf({ inputs, definition, key }: Entry, made: ReadonlyMap<string, Made>): Promise<JsonMap> {
  const urn = `urn:pulumi:dev::every-kind::landform:${definition.type}::${key}`;
  return { ...((await plain(inputs, made)) as JsonMap), __identity: identityFor(urn), __provider: "test" };
}

async function plain(tree: Tree, made: ReadonlyMap<string, Made>): Promise<Json> {
  if (tree instanceof Deferred) {
    const { origin } = tree;
    if (origin.from === "resource") return made.get(origin.target)?.id ?? null;
    if (origin.from !== "lookup" || typeof origin.name !== "string") return null;
    return lookupId(origin.what, api, { name: origin.name });
  }
  if (Array.isArray(tree)) return Promise.all(tree.map((item) => plain(item, made)));
  if (typeof tree !== "object" || tree === null) return tree;
  const fields = Object.entries(tree).map(async ([name, value]) => [name, await plain(value, made)] as const);
  return Object.fromEntries(await Promise.all(fields));
}

function callsOf(collection: Collection | undefined): OperationName[] {
  return collection ? Object.values(collection.calls) : [];
}

function signature({ method, path }: Operation): string {
  return `${method} ${anonymous(path)}`;
}

function anonymous(path: string): string {
  return path.replace(/\{[^}]*\}/g, "{}");
}

test.each(kinds)("%s: what an input is shown by is what is looked at", (_, definition) => {
  const shape = Object.keys(definition.outputs.shape);
  const state = new ObjectState(definition, "id-1");
  for (const field of Object.keys(definition.inputs.shape)) {
    const { shownValue, proxyOutput } = definition.rule(field);
    if (proxyOutput !== undefined) expect(shape).toContain(proxyOutput);
    const looked = new Set<string>();
    const answer = new Proxy<JsonMap>(
      { status: "published" },
      {
        get: (target, name) => {
          if (typeof name === "string") looked.add(name);
          return Reflect.get(target, name) as Json;
        },
      },
    );
    shownValue?.(answer, null);
    if (proxyOutput === undefined)
      expect([field, [...state.shownBy(field)].sort()]).toEqual([field, [...looked].sort()]);
  }
});
