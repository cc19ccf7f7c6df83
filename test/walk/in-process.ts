/**
 * The embedded engine in one process. Planner, executor, state, the registrations of a landform.yaml and our own handlers are real. Only the door to
 * the provider's host is replaced, so a walk of many applies starts no process. The same walks run on Pulumi's own engine with its processes.
 */
import { readFileSync } from "node:fs";
import { ProviderError } from "../../engine/errors.ts";
import type { HostOptions, ProviderIdentity } from "../../engine/link/wire.ts";
import type { Created, ProviderClient, Updated } from "../../engine/link/provider-client.ts";
import type { ProviderHost } from "../../engine/link/providers.ts";
import type { PropertyMap } from "../../engine/model/types.ts";
import { annotateSecrets, forProvider, reveal } from "../../engine/model/values.ts";
import { hostLine } from "../../provider/messages/host-lines.ts";
import { KeptFile } from "../../provider/history/kept.ts";
import { Claims } from "../../provider/reconcile/check.ts";
import { PartialFailure } from "../../provider/messages/errors.ts";
import { type Handler, handlerFor } from "../../provider/reconcile/handler.ts";
import { RunContext, SeenStates } from "../../provider/reconcile/run-context.ts";
import { environmentHandler, existingHandler, leftOutHandler } from "../../provider/preview/stand-ins.ts";
import { ledgerOf } from "../../provider/pulumi/runtime.ts";
import { FACTS_VARIABLE, KEY_VARIABLE, type RunFacts } from "../../provider/pulumi/run-facts.ts";
import { configInForce, foreignEditsInForce } from "../../provider/pulumi/settings-in-force.ts";
import { type Kind, registry } from "../../provider/kinds/registry.ts";

/** The time that a page waits for another one of its stack to leave a path. */
const PATIENCE_MS = 500;

/** Returns the handlers that the process of the dynamic providers would load. */
export function hostInProcess(options: HostOptions, identity: ProviderIdentity): ProviderHost {
  const { env, events } = options;
  const { runtime, run } = runtimeFor(env, identity.inputs, (line) => events.printed(line, "stderr"));
  const handlers = new Map<string, Handler>(
    Object.entries({
      ...Object.fromEntries(
        (Object.keys(registry) as Kind[]).map((kind) => [kind, handlerFor(registry[kind], runtime)]),
      ),
      environment: environmentHandler,
      existing: existingHandler(runtime),
      leftOut: leftOutHandler,
    }).map(([name, handler]) => [`exports.handler=()=>require("landform/dynamic").${name}`, handler]),
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

/** Makes the runtime of the host's entry point from its environment, anew for each run. */
function runtimeFor(env: NodeJS.ProcessEnv, inputs: PropertyMap, print: (line: string) => void) {
  const file = env[FACTS_VARIABLE];
  const facts = (file === undefined ? {} : JSON.parse(readFileSync(file, "utf8"))) as RunFacts;
  const get = (key: string): unknown => reveal(inputs[key] ?? null) ?? undefined;
  const key = env[KEY_VARIABLE];
  const keeper = key === undefined || facts.history === undefined ? undefined : new KeptFile(facts.history, key);
  const ledger = ledgerOf(facts);
  const ours = new Set(facts.ours);
  const seen = new SeenStates(ledger, facts.shared);
  let current: RunContext | undefined;
  let expected: string | undefined;
  const run = (): RunContext => {
    current ??= new RunContext(configInForce(get, env), {
      full: env["LANDFORM_FULL_REFRESH"] === "1",
      patienceMs: PATIENCE_MS,
      foreign: new Set<string>(),
      ledger,
      foreignEdits: { ...facts.foreignEdits, stack: foreignEditsInForce(get, env) },
      ours,
      knowsStack: true,
      seen,
      keeper,
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

/** Makes and answers the calls as the SDK's host does. */
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

/** Only text, numbers and lists pass the wire. */
function wire(value: PropertyMap): PropertyMap {
  return JSON.parse(JSON.stringify(value)) as PropertyMap;
}
