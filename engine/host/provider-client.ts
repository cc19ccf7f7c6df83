import type { CallOptions, Metadata, ServiceError } from "@grpc/grpc-js";
import type * as Messages from "@pulumi/pulumi/proto/provider_pb.js";
import { type EngineError, HostError, ProviderError } from "../errors.ts";
import type { PropertyMap, ResourceState } from "../model/types.ts";
import { findUnstorable } from "../model/unstorable.ts";
import { nameOf, shortType, typeOf } from "../model/urn.ts";
import { annotateSecrets, forProvider } from "../model/values.ts";
import type { CheckAnswer, CheckAsk, DiffAnswer, DiffAsk } from "../plan/types.ts";
import { CHANNEL_OPTIONS, fromStruct, type Sdk, toStruct } from "./sdk.ts";

/** The calls to a provider, in the engine's own terms: secrets go out plain and come back marked by name. */
export interface ProviderClient {
  configure(request: Messages.ConfigureRequest): Promise<void>;
  check(ask: CheckAsk): Promise<CheckAnswer>;
  diff(ask: DiffAsk): Promise<DiffAnswer>;
  create(resource: ResourceState): Promise<Created>;
  update(old: ResourceState, resource: ResourceState): Promise<Updated>;
  delete(resource: ResourceState): Promise<void>;
  read(resource: ResourceState): Promise<ReadResult | undefined>;
  close(): void;
}

/** `initErrors`: it exists, and did not come up as it should. */
export interface Created {
  id: string;
  outputs: PropertyMap;
  initErrors?: string[];
}
export interface Updated {
  outputs: PropertyMap;
  initErrors?: string[];
}
export interface ReadResult {
  id: string;
  outputs: PropertyMap;
  /** Only where the provider tells what the inputs would have to be. */
  inputs?: PropertyMap;
  initErrors?: string[];
}

type Method = "configure" | "check" | "diff" | "create" | "update" | "delete" | "read";

interface Request {
  getUrn(): string | undefined;
}

type Send<Response> = (
  request: Request,
  metadata: Metadata,
  options: Partial<CallOptions>,
  done: (error: ServiceError | null, response: Response) => void,
) => unknown;

export interface Connection {
  address: string;
  /** Milliseconds in which a call has to be answered; a resource's own time-out may be longer. */
  patienceMs: number;
  /** Tells a broken connection, and an answer that never came whole, from an answer that is an error. */
  explain: (error: ServiceError, call: CallPlace) => Promise<EngineError | undefined>;
}

/** Which call it is: the method, and the resource that it is about. */
export interface CallPlace {
  method: Method;
  urn: string;
  patienceMs: number;
}

export function createProviderClient(sdk: Sdk, { address, patienceMs, explain }: Connection): ProviderClient {
  const stub = new sdk.provider.ResourceProviderClient(address, sdk.grpc.credentials.createInsecure(), CHANNEL_OPTIONS);
  const call = async <Response>(method: Method, request: Request, timeoutSeconds = 0): Promise<Response> => {
    const patience = Math.max(patienceMs, timeoutSeconds * 1000);
    const send: unknown = Reflect.get(stub, method);
    try {
      return await new Promise<Response>((resolve, reject) => {
        (send as Send<Response>).call(
          stub,
          request,
          new sdk.grpc.Metadata(),
          { deadline: Date.now() + patience },
          (error, response) => {
            if (error === null) resolve(response);
            else reject(error);
          },
        );
      });
    } catch (error) {
      const place = { method, urn: request.getUrn() ?? "", patienceMs: patience };
      throw (await explain(error as ServiceError, place)) ?? error;
    }
  };
  return {
    configure: async (request) => {
      await refused(() => call<unknown>("configure", request));
    },
    check: async (ask) => {
      const request = new sdk.provider.CheckRequest();
      identify(request, ask.urn, ask.type);
      request.setOlds(outgoing(sdk, ask.olds, ask.unknowns));
      request.setNews(outgoing(sdk, ask.news, ask.unknowns));
      const response = await refused(() => call<Messages.CheckResponse>("check", request));
      const failures = response.getFailuresList().map((failure) => ({
        property: failure.getProperty(),
        reason: failure.getReason(),
      }));
      return {
        kind: "check",
        inputs: annotateSecrets(answered(response.getInputs(), "check", ask.urn), ask.news),
        failures,
      };
    },
    diff: async (ask) => {
      const request = new sdk.provider.DiffRequest();
      identify(request, ask.urn, ask.type);
      request.setId(ask.id);
      request.setOldInputs(outgoing(sdk, ask.oldInputs, ask.unknowns));
      request.setOlds(outgoing(sdk, ask.oldOutputs, ask.unknowns));
      request.setNews(outgoing(sdk, ask.newInputs, ask.unknowns));
      request.setIgnorechangesList(ask.ignoreChanges);
      return diffAnswer(await refused(() => call<Messages.DiffResponse>("diff", request)));
    },
    create: async (resource) => {
      const inputs = resource.inputs ?? {};
      const request = new sdk.provider.CreateRequest();
      identify(request, resource.urn, resource.type);
      request.setProperties(outgoing(sdk, inputs, false));
      request.setTimeout(resource.customTimeouts?.create ?? 0);
      const partial = (failure: InitFailure) => ({ ...failure, outputs: annotateSecrets(failure.outputs, inputs) });
      return orInitFailure(sdk, partial, async () => {
        const response = await call<Messages.CreateResponse>("create", request, resource.customTimeouts?.create);
        if (response.getId() === "") throw new ProviderError("the provider created it and returned no id");
        return {
          id: response.getId(),
          outputs: annotateSecrets(answered(response.getProperties(), "create", resource.urn), inputs),
        };
      });
    },
    update: async (old, resource) => {
      const inputs = resource.inputs ?? {};
      const request = new sdk.provider.UpdateRequest();
      identify(request, resource.urn, resource.type);
      request.setId(old.id ?? "");
      request.setOldInputs(outgoing(sdk, old.inputs ?? {}, false));
      request.setOlds(outgoing(sdk, old.outputs ?? {}, false));
      request.setNews(outgoing(sdk, inputs, false));
      request.setIgnorechangesList(resource.ignoreChanges ?? []);
      request.setTimeout(resource.customTimeouts?.update ?? 0);
      const partial = ({ outputs, initErrors }: InitFailure) => ({
        outputs: annotateSecrets(outputs, inputs),
        initErrors,
      });
      return orInitFailure(sdk, partial, async () => {
        const response = await call<Messages.UpdateResponse>("update", request, resource.customTimeouts?.update);
        return { outputs: annotateSecrets(answered(response.getProperties(), "update", resource.urn), inputs) };
      });
    },
    delete: async (resource) => {
      const request = new sdk.provider.DeleteRequest();
      identify(request, resource.urn, resource.type);
      request.setId(resource.id ?? "");
      request.setProperties(outgoing(sdk, resource.outputs ?? {}, false));
      request.setOldInputs(outgoing(sdk, resource.inputs ?? {}, false));
      request.setTimeout(resource.customTimeouts?.delete ?? 0);
      await refused(() => call<unknown>("delete", request, resource.customTimeouts?.delete));
    },
    read: async (resource) => {
      const request = new sdk.provider.ReadRequest();
      identify(request, resource.urn, resource.type);
      request.setId(resource.id ?? "");
      request.setProperties(outgoing(sdk, resource.outputs ?? {}, false));
      request.setInputs(outgoing(sdk, resource.inputs ?? {}, false));
      const marked = (result: ReadResult): ReadResult => ({
        ...result,
        outputs: annotateSecrets(result.outputs, resource.outputs ?? {}),
        ...(result.inputs === undefined ? {} : { inputs: annotateSecrets(result.inputs, resource.inputs ?? {}) }),
      });
      return orInitFailure(sdk, marked, async () => {
        const response = await call<Messages.ReadResponse>("read", request);
        if (response.getId() === "") return undefined;
        const inputs = response.getInputs();
        const outputs = answered(response.getProperties(), "read", resource.urn);
        return marked({
          id: response.getId(),
          outputs,
          ...(inputs === undefined ? {} : { inputs: answered(inputs, "read", resource.urn) }),
        });
      });
    },
    close: () => stub.close(),
  };
}

/** What was answered, where a state can hold it. Whether the call took effect is the provider's to know. */
function answered(struct: Parameters<typeof fromStruct>[0], method: Method, urn: string): PropertyMap {
  const values = fromStruct(struct);
  const found = findUnstorable(values);
  if (found === undefined) return values;
  throw new HostError(
    `${method} of ${shortType(typeOf(urn))} "${nameOf(urn)}": ${found.path} of the answer is ${found.what}, and a state can't hold that`,
    { urn },
  );
}

function outgoing(sdk: Sdk, map: PropertyMap, keepUnknowns: boolean) {
  return toStruct(sdk, forProvider(map, { keepUnknowns }));
}

interface Identified {
  setUrn(urn: string): unknown;
  setName(name: string): unknown;
  setType(type: string): unknown;
}

function identify(request: Identified, urn: string, type: string): void {
  request.setUrn(urn);
  request.setName(nameOf(urn));
  request.setType(type);
}

function diffAnswer(response: Messages.DiffResponse): DiffAnswer {
  const changes = (["unknown", "none", "some"] as const)[response.getChanges()];
  return {
    kind: "diff",
    changes,
    replaceKeys: response.getReplacesList(),
    deleteBeforeReplace: response.getDeletebeforereplace(),
  };
}

interface InitFailure {
  id: string;
  outputs: PropertyMap;
  inputs?: PropertyMap;
  initErrors: string[];
}

/** An error of the provider itself, in the words of the provider. */
async function refused<Response>(call: () => Promise<Response>): Promise<Response> {
  try {
    return await call();
  } catch (error) {
    throw asProviderError(error);
  }
}

async function orInitFailure<Response>(
  sdk: Sdk,
  partial: (failure: InitFailure) => Response,
  call: () => Promise<Response>,
): Promise<Response> {
  try {
    return await call();
  } catch (error) {
    const failure = initFailure(sdk, error);
    if (failure !== undefined) return partial(failure);
    throw asProviderError(error);
  }
}

function asProviderError(error: unknown): unknown {
  if (!(error instanceof Error) || !("details" in error)) return error;
  const { details } = error as ServiceError;
  return new ProviderError(details === "" ? error.message : details);
}

/** A resource that exists though its call failed travels as a detail in the metadata of the error. */
function initFailure(sdk: Sdk, error: unknown): InitFailure | undefined {
  const metadata = (error as { metadata?: Metadata }).metadata;
  const bytes = metadata?.get("grpc-status-details-bin")[0];
  if (!Buffer.isBuffer(bytes)) return undefined;
  for (const detail of sdk.Status.deserializeBinary(bytes).getDetailsList()) {
    const failure = detail.unpack<Messages.ErrorResourceInitFailed>(
      (data) => sdk.provider.ErrorResourceInitFailed.deserializeBinary(data),
      "pulumirpc.ErrorResourceInitFailed",
    );
    if (failure === null) continue;
    const outputs = fromStruct(failure.getProperties());
    const inputs = failure.getInputs();
    const reasons = failure.getReasonsList();
    const initErrors = reasons.length === 0 ? [error instanceof Error ? error.message : String(error)] : reasons;
    return {
      id: failure.getId(),
      outputs,
      initErrors,
      ...(inputs === undefined ? {} : { inputs: fromStruct(inputs) }),
    };
  }
  return undefined;
}
