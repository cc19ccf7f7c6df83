/**
 * The embedded engine in one process: planner, executor, state and our own handlers are the real ones; what is replaced are
 * the three doors to other processes (the program, the connection that it asks by, and the provider's host), so that a walk
 * of many applies costs no start of a process. The same walks run on
 * Pulumi's own engine with its processes.
 */
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname } from "node:path";
import type * as AliasMessages from "@pulumi/pulumi/proto/alias_pb.js";
import type { MonitorHandlers, DeploymentFacts } from "../../engine/program/monitor.ts";
import type { ProgramRun } from "../../engine/program/process.ts";
import type { Child } from "../../engine/host/child.ts";
import type { Created, ProviderClient, Updated } from "../../engine/host/provider-client.ts";
import type { HostOptions } from "../../engine/host/host-options.ts";
import type { ProviderHost } from "../../engine/host/provider-host.ts";
import type { ProviderIdentity } from "../../engine/host/wire.ts";
import { toStruct, type Sdk } from "../../engine/host/sdk.ts";
import { ProviderError } from "../../engine/errors.ts";
import { createUrn } from "../../engine/model/urn.ts";
import { annotateSecrets, forProvider, makeSecret, reveal } from "../../engine/model/values.ts";
import { type Json, type PropertyMap, UNKNOWN } from "../../engine/model/types.ts";
import { validate } from "../../manifest/index.ts";
import { Deferred, deferredIn, type Entry, type Tree } from "../../manifest/declarations/model.ts";
import { hostLine } from "../../provider/host-lines.ts";
import { Claims } from "../../provider/lifecycle/claims.ts";
import { PartialFailure } from "../../provider/lifecycle/errors.ts";
import { handlerFor, type Handler } from "../../provider/lifecycle/handler.ts";
import { identityFor } from "../../provider/lifecycle/identity.ts";
import { RunContext } from "../../provider/lifecycle/run-context.ts";
import { SeenStates } from "../../provider/lifecycle/seen-states.ts";
import { RecordFolder } from "../../provider/pulumi/record-file.ts";
import { FACTS_VARIABLE, type RunFacts } from "../../provider/pulumi/run-facts.ts";
import { configInForce, foreignEditsInForce } from "../../provider/pulumi/settings-in-force.ts";
import { registry, type Kind } from "../../provider/registry.ts";

const STACK_TYPE = "pulumi:pulumi:Stack";
/** A page waits so long for another one of its stack to leave a path. */
const PATIENCE_MS = 500;

const alias = createRequire(import.meta.url)("@pulumi/pulumi/proto/alias_pb.js") as typeof AliasMessages;
type Alias = AliasMessages.Alias;

const monitors = new Map<string, { handlers: MonitorHandlers; facts: DeploymentFacts }>();
let monitorsMade = 0;

/** In place of the server that a program asks. */
export function monitorInProcess(_sdk: Sdk, facts: DeploymentFacts, handlers: MonitorHandlers) {
  const address = `in-process:${(monitorsMade += 1)}`;
  monitors.set(address, { handlers, facts });
  return Promise.resolve({ address, close: () => void monitors.delete(address) });
}

/** In place of the process that runs the program: registers what a landform.yaml declares. */
export function programInProcess({ request, sdk, address }: ProgramRun): Child {
  const monitor = monitors.get(address);
  const file = request.program?.env?.["LANDFORM_MANIFEST"];
  if (monitor === undefined || file === undefined) throw new Error("only a landform.yaml runs in this process");
  const lines: string[] = [];
  const exited = register(sdk, monitor.handlers, monitor.facts, file).then(
    () => ({ code: 0, signal: null }),
    (error: unknown) => {
      lines.push(error instanceof Error ? (error.stack ?? error.message) : String(error));
      return { code: 1, signal: null };
    },
  );
  return { pid: undefined, exited, lastLines: () => lines, stop: () => Promise.resolve() };
}

/** Which answers of the engine a resource has to others. */
interface Registered {
  urn: string;
  id: Json;
}

async function register(sdk: Sdk, handlers: MonitorHandlers, facts: DeploymentFacts, file: string): Promise<void> {
  const { manifest, diagnostics } = validate(file, { cwd: dirname(file) });
  if (!manifest) throw new Error(JSON.stringify(diagnostics));
  const stack = createUrn(facts.stack, facts.project, undefined, STACK_TYPE, `${facts.project}-${facts.stack}`);
  const made = new Map<string, Promise<Registered>>();
  try {
    const root = new sdk.monitor.RegisterResourceRequest();
    root.setType(STACK_TYPE);
    root.setName(`${facts.project}-${facts.stack}`);
    root.setObject(toStruct(sdk, {}));
    await handlers.register(root);
    for (const entry of manifest.entries)
      made.set(entry.address, registerEntry(sdk, handlers, facts, stack, entry, made));
    await Promise.all(made.values());
    await handlers.registerOutputs(stack, {});
    await handlers.programDone();
  } catch {
    // The engine told what went wrong, and a program that it stopped leaves quietly.
    await Promise.allSettled(made.values());
  }
}

async function registerEntry(
  sdk: Sdk,
  handlers: MonitorHandlers,
  facts: DeploymentFacts,
  stack: string,
  entry: Entry,
  made: ReadonlyMap<string, Promise<Registered>>,
): Promise<Registered> {
  const { definition, key, options } = entry;
  const type = `pulumi-nodejs:dynamic/landform:${definition.type}`;
  const request = new sdk.monitor.RegisterResourceRequest();
  const others = async (addresses: readonly string[]): Promise<string[]> =>
    (await Promise.all(addresses.map(async (address) => made.get(address)))).flatMap((one) => one?.urn ?? []);
  const dependencies = new Set(await others(options.dependsOn));
  const inputs: PropertyMap = definition.named ? { name: key } : {};
  for (const [name, tree] of Object.entries(entry.inputs)) {
    const plain = await valueOf(tree, made);
    inputs[name] = definition.secrets?.includes(name) === true ? makeSecret(plain) : plain;
    const urns = await others(
      [...deferredIn(tree)].flatMap(({ origin }) => (origin.from === "resource" ? [origin.target] : [])),
    );
    const list = new sdk.monitor.RegisterResourceRequest.PropertyDependencies();
    list.setUrnsList([...new Set(urns)]);
    request.getPropertydependenciesMap().set(name, list);
    for (const urn of urns) dependencies.add(urn);
  }
  inputs["__identity"] = identityFor(createUrn(facts.stack, facts.project, undefined, type, key));
  inputs["__provider"] = `exports.handler=()=>require("landform/dynamic").${definition.kind}`;
  request.setType(type);
  request.setName(key);
  request.setCustom(true);
  request.setParent(stack);
  request.setObject(toStruct(sdk, inputs));
  request.setDependenciesList([...dependencies]);
  request.setIgnorechangesList([...options.ignoreChanges]);
  request.setAdditionalsecretoutputsList(["__declared", ...(definition.secrets ?? [])]);
  if (options.protect !== undefined) request.setProtect(options.protect);
  if (options.retainOnDelete !== undefined) request.setRetainondelete(options.retainOnDelete);
  request.setAliasesList(options.aliases.map(aliasOf));
  const { urn, id } = await handlers.register(request);
  return { urn, id: id === "" ? UNKNOWN : id };
}

function aliasOf(text: string): Alias {
  if (text.startsWith("urn:pulumi:")) return new alias.Alias().setUrn(text);
  return new alias.Alias().setSpec(new alias.Alias.Spec().setName(text));
}

async function valueOf(tree: Tree, made: ReadonlyMap<string, Promise<Registered>>): Promise<Json> {
  if (tree instanceof Deferred) {
    const { origin } = tree;
    if (origin.from !== "resource" || origin.property.join(".") !== "id")
      throw new Error(`${tree.path}: a walk refers to ids of resources alone`);
    return (await made.get(origin.target))?.id ?? UNKNOWN;
  }
  if (Array.isArray(tree)) return Promise.all(tree.map((item) => valueOf(item, made)));
  if (typeof tree !== "object" || tree === null) return tree;
  const entries = Object.entries(tree).map(async ([key, item]) => [key, await valueOf(item, made)] as const);
  return Object.fromEntries(await Promise.all(entries));
}

/** In place of the process that serves the dynamic providers: the handlers that it would load. */
export function hostInProcess(options: HostOptions, identity: ProviderIdentity): ProviderHost {
  const { env, events } = options;
  const { runtime, run } = runtimeFor(env, identity.inputs, (line) => events.printed(line, "stderr"));
  const handlers = new Map<string, Handler>(
    (Object.keys(registry) as Kind[]).map((kind) => [
      `exports.handler=()=>require("landform/dynamic").${kind}`,
      handlerFor(registry[kind], runtime),
    ]),
  );
  const providerOf = (props: PropertyMap | undefined): string => {
    const provider = reveal(props?.["__provider"] ?? "");
    return typeof provider === "string" ? provider : "";
  };
  const of = (props: PropertyMap | undefined): Handler => {
    const handler = handlers.get(providerOf(props));
    if (handler === undefined) throw new Error(`no handler for ${JSON.stringify(props?.["__provider"])}`);
    return handler;
  };
  return { client: clientOf(of), close: () => run().api.close() };
}

/** What the entry point of the host makes of its environment, for each run anew. */
function runtimeFor(env: NodeJS.ProcessEnv, inputs: PropertyMap, print: (line: string) => void) {
  const file = env[FACTS_VARIABLE];
  const facts = (file === undefined ? {} : JSON.parse(readFileSync(file, "utf8"))) as RunFacts;
  const get = (key: string): unknown => reveal(inputs[key] ?? null) ?? undefined;
  const record = new RecordFolder(() => facts.record ?? "", facts.record !== undefined);
  const ours = new Set(facts.ours);
  const seen = new SeenStates(record);
  let current: RunContext | undefined;
  let expected: string | undefined;
  const run = (): RunContext => {
    current ??= new RunContext(configInForce(get, env), {
      full: env["LANDFORM_FULL_REFRESH"] === "1",
      patienceMs: PATIENCE_MS,
      unfinished: new Map((facts.unfinished ?? []).map(({ urn, others }) => [identityFor(urn), { others }])),
      foreign: new Set<string>(),
      record,
      foreignEdits: { ...facts.foreignEdits, stack: foreignEditsInForce(get, env) },
      ours,
      knowsStack: true,
      seen,
      warn: (notice) => print(hostLine(notice, env)),
    });
    current.expectAccount(expected ?? facts.accounts?.[0]?.account);
    return current;
  };
  const runtime = {
    ours,
    seen,
    claims: new Claims(),
    configure: () => undefined,
    expectAccount: (account: string | undefined) => void (expected ??= account),
    run,
  };
  return { runtime, run };
}

/** The calls as the SDK's host makes and answers them. */
function clientOf(of: (props: PropertyMap | undefined) => Handler): ProviderClient {
  const plain = (map: PropertyMap | undefined, keepUnknowns = false): PropertyMap =>
    structuredClone(forProvider(map ?? {}, { keepUnknowns }));
  const withProvider = (result: unknown, props: PropertyMap): PropertyMap =>
    wire({ ...(result as PropertyMap), __provider: props["__provider"] ?? null });
  return {
    check: ({ olds, news, unknowns }) =>
      refused(async () => {
        const sent = plain(news, unknowns);
        const { inputs, failures } = await of(sent).check(plain(olds, unknowns), sent);
        return { kind: "check", inputs: annotateSecrets(withProvider(inputs, sent), news), failures };
      }),
    diff: ({ id, oldOutputs, newInputs, ignoreChanges: _, unknowns }) =>
      refused(async () => {
        const news = plain(newInputs, unknowns);
        const { changes, replaces } = await of(news).diff(id, plain(oldOutputs, unknowns), news);
        return { kind: "diff", changes: changes ? "some" : "none", replaceKeys: replaces, deleteBeforeReplace: false };
      }),
    create: (resource) =>
      orPartial<Created>(async () => {
        const props = plain(resource.inputs);
        const { id, outs } = await of(props).create(props);
        return { id, outputs: annotateSecrets(withProvider(outs, props), resource.inputs ?? {}) };
      }, resource.inputs),
    update: (old, resource) =>
      orPartial<Updated>(async () => {
        const news = plain(resource.inputs);
        const { outs } = await of(news).update(old.id ?? "", plain(old.outputs), news);
        return { outputs: annotateSecrets(withProvider(outs, news), resource.inputs ?? {}) };
      }, resource.inputs),
    delete: (resource) => refused(() => of(plain(resource.outputs)).delete(resource.id ?? "", plain(resource.outputs))),
    read: (resource) =>
      refused(async () => {
        const props = plain(resource.outputs);
        const { id, props: outs, inputs } = await of(props).read(resource.id ?? "", props);
        if (id === "") return undefined;
        const outputs = annotateSecrets(withProvider(outs, props), resource.outputs ?? {});
        if (inputs === undefined) return { id, outputs };
        return { id, outputs, inputs: annotateSecrets(withProvider(inputs, props), resource.inputs ?? {}) };
      }),
  };
}

async function refused<Result>(call: () => Promise<Result>): Promise<Result> {
  try {
    return await call();
  } catch (error) {
    throw new ProviderError(error instanceof Error ? error.message : String(error));
  }
}

async function orPartial<Result extends Created | Updated>(
  call: () => Promise<Result>,
  inputs: PropertyMap | undefined,
): Promise<Result> {
  try {
    return await call();
  } catch (error) {
    if (!(error instanceof PartialFailure))
      throw new ProviderError(error instanceof Error ? error.message : String(error));
    const outputs = annotateSecrets(wire(error.properties as PropertyMap), inputs ?? {});
    return { id: error.id, outputs, initErrors: error.reasons } as unknown as Result;
  }
}

/** Text, numbers and lists alone come through the wire. */
function wire(value: PropertyMap): PropertyMap {
  return JSON.parse(JSON.stringify(value)) as PropertyMap;
}
