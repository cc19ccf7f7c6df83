/**
 * The embedded engine in one process. Planner, executor, state, the registrations of a landform.yaml and our own handlers are real. Only the door to
 * the provider's host is replaced, so a walk of many applies starts no process. The same walks run on Pulumi's own engine with its processes.
 */
import { ProviderError } from "../../engine/errors.ts";
import type { HostOptions, ProviderIdentity } from "../../engine/link/wire.ts";
import type { Created, ProviderClient, Updated } from "../../engine/link/provider-client.ts";
import type { ProviderHost } from "../../engine/link/provider-host.ts";
import type { PropertyMap } from "../../engine/model/types.ts";
import { annotateSecrets, forProvider, inKeyOrder, reveal } from "../../engine/model/values.ts";
import { PartialFailure } from "../../provider/messages/errors.ts";
import type { Configuration, Handler } from "../../provider/reconcile/handler.ts";
import { handlersOf, HostRuntime } from "../../provider/pulumi/runtime.ts";

/** The time that a page waits for another one of its stack to leave a path. */
const PATIENCE_MS = "500";

/** Returns the handlers that the process of the dynamic providers would load. */
export function hostInProcess({ env, events }: HostOptions, identity: ProviderIdentity): ProviderHost {
  const print = (line: string): void => events.printed(line, "stderr");
  const runtime = new HostRuntime({ LANDFORM_PATIENCE_MS: PATIENCE_MS, ...env }, print);
  runtime.configure({ config: { get: (key) => reveal(identity.inputs[key] ?? null) ?? undefined } } as Configuration);
  const handlers = new Map<string, Handler>(
    Object.entries(handlersOf(runtime)).map(([name, handler]) => [
      `exports.handler=()=>require("landform/dynamic").${name}`,
      handler,
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
  const close = async (): Promise<void> => (runtime.key() === undefined ? undefined : runtime.run().api.close());
  return { client: clientOf(of), close };
}

/** Makes and answers the calls as the SDK's host does. */
function clientOf(of: (props: PropertyMap | undefined) => Handler): ProviderClient {
  const plain = (map: PropertyMap | undefined, keepUnknowns = false): PropertyMap =>
    inKeyOrder(structuredClone(forProvider(map ?? {}, { keepUnknowns }))) as PropertyMap;
  const withProvider = (result: unknown, props: PropertyMap): PropertyMap =>
    wire({ ...(result as PropertyMap), __provider: props["__provider"] ?? null });
  return {
    check: ({ olds, news, unknowns }) =>
      refused(async () => {
        const sent = plain(news, unknowns);
        const { inputs, failures } = await of(sent).check(plain(olds, unknowns), sent);
        return { inputs: annotateSecrets(withProvider(inputs, sent), news), failures };
      }),
    diff: ({ id, oldOutputs, newInputs, ignoreChanges: _, unknowns }) =>
      refused(async () => {
        const news = plain(newInputs, unknowns);
        const { changes, replaces } = await of(news).diff(id, plain(oldOutputs, unknowns), news);
        return { changes: changes ? "some" : "none", replaceKeys: replaces, deleteBeforeReplace: false };
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
