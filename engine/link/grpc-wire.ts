/** The gRPC wire to the SDK's own host of dynamic providers, which runs any provider. */
import type { CallOptions, Metadata, ServiceError } from "@grpc/grpc-js";
import type * as Messages from "@pulumi/pulumi/proto/provider_pb.js";
import { promisify } from "node:util";
import type { EngineError } from "../errors.ts";
import type { PropertyMap } from "../model/types.ts";
import { nameOf, typeOf } from "../model/urn.ts";
import { reveal } from "../model/values.ts";
import { type CallPlace, refusedBy } from "./host-failures.ts";
import { CHANNEL_OPTIONS, fromStruct, type Sdk, toStruct } from "./sdk.ts";
import {
  type Answered,
  type Asked,
  FailedToComeUp,
  type InitFailure,
  type Method,
  patienceFor,
  type ProviderIdentity,
  type Wire,
} from "./wire.ts";

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
  patienceMs: number | undefined;
  /** Tells a broken connection or an incomplete answer from an answer that is an error. */
  explain: (error: ServiceError, call: CallPlace) => Promise<EngineError | undefined>;
}

export interface GrpcWire extends Wire {
  configure: (identity: ProviderIdentity) => Promise<void>;
}

type Exchanges = { [Name in Method]: (asked: Asked<Name>) => Exchange<Answered<Name>> };

interface Exchange<Answer> {
  request: Request & Identified;
  answer: (response: never) => Answer;
}

export function grpcWire(sdk: Sdk, { address, patienceMs, explain }: Connection): GrpcWire {
  const { ResourceProviderClient, credentials, Metadata } = sdk.grpc();
  const stub = new ResourceProviderClient(address, credentials.createInsecure(), CHANNEL_OPTIONS);
  const exchanges = exchangesOf(sdk);
  const send = async <Response>(name: Method | "configure", request: Request, patience: number): Promise<Response> => {
    const method: unknown = Reflect.get(stub, name);
    try {
      const ask = promisify((method as Send<Response>).bind(stub));
      return await ask(request, new Metadata(), { deadline: Date.now() + patience });
    } catch (error) {
      const place = { method: name, urn: request.getUrn() ?? "", patienceMs: patience };
      throw (await explain(error as ServiceError, place)) ?? initFailure(sdk, error) ?? asProviderError(error);
    }
  };
  return {
    configure: async (identity) => {
      await send<unknown>("configure", configureRequest(sdk, identity), patienceFor({}, patienceMs));
    },
    call: async (method, urn, asked) => {
      const { request, answer } = exchanges[method](asked);
      request.setUrn(urn);
      request.setName(nameOf(urn));
      request.setType(typeOf(urn));
      return answer(await send<never>(method, request, patienceFor(asked, patienceMs)));
    },
    close: () => {
      stub.close();
      return Promise.resolve();
    },
  };
}

interface Identified {
  setUrn(urn: string): unknown;
  setName(name: string): unknown;
  setType(type: string): unknown;
}

function exchangesOf(sdk: Sdk): Exchanges {
  const { provider } = sdk;
  const struct = (map: PropertyMap) => toStruct(sdk, map);
  const fill = (request: Messages.DiffRequest | Messages.UpdateRequest, asked: Asked<"diff">) =>
    request
      .setId(asked.id)
      .setOldInputs(struct(asked.oldInputs))
      .setOlds(struct(asked.olds))
      .setNews(struct(asked.news))
      .setIgnorechangesList(asked.ignoreChanges);
  return {
    check: ({ olds, news }) => ({
      request: new provider.CheckRequest().setOlds(struct(olds)).setNews(struct(news)),
      answer: (response: Messages.CheckResponse) => ({
        inputs: fromStruct(response.getInputs()),
        failures: response.getFailuresList().map((failure) => failure.toObject()),
      }),
    }),
    diff: (asked) => ({
      request: fill(new provider.DiffRequest(), asked),
      answer: (response: Messages.DiffResponse) => ({
        changes: (["unknown", "none", "some"] as const)[response.getChanges()],
        replaceKeys: response.getReplacesList(),
        deleteBeforeReplace: response.getDeletebeforereplace(),
      }),
    }),
    create: ({ properties, timeout }) => ({
      request: new provider.CreateRequest().setProperties(struct(properties)).setTimeout(timeout),
      answer: (response: Messages.CreateResponse) => {
        return { id: response.getId(), properties: fromStruct(response.getProperties()) };
      },
    }),
    update: ({ timeout, ...asked }) => ({
      request: fill(new provider.UpdateRequest().setTimeout(timeout), asked),
      answer: (response: Messages.UpdateResponse) => ({ properties: fromStruct(response.getProperties()) }),
    }),
    delete: ({ id, oldInputs, properties, timeout }) => ({
      request: new provider.DeleteRequest()
        .setId(id)
        .setProperties(struct(properties))
        .setOldInputs(struct(oldInputs))
        .setTimeout(timeout),
      answer: () => ({}),
    }),
    read: ({ id, inputs, properties }) => ({
      request: new provider.ReadRequest().setId(id).setProperties(struct(properties)).setInputs(struct(inputs)),
      answer: (response: Messages.ReadResponse) => {
        const found = response.getInputs();
        const answer = { id: response.getId(), properties: fromStruct(response.getProperties()) };
        return found === undefined ? answer : { ...answer, inputs: fromStruct(found) };
      },
    }),
  };
}

function configureRequest(sdk: Sdk, { urn, id, inputs }: ProviderIdentity): Request {
  const request = new sdk.provider.ConfigureRequest();
  request.setUrn(urn);
  request.setId(id);
  request.setArgs(toStruct(sdk, inputs));
  request.setAcceptsecrets(true);
  request.setAcceptresources(true);
  for (const [key, value] of Object.entries(inputs)) {
    const plain = reveal(value);
    const text = typeof plain === "string" ? plain : JSON.stringify(plain);
    request.getVariablesMap().set(`pulumi-nodejs:config:${key}`, text);
  }
  return request;
}

/** Returns an error of the provider itself, in the provider's words. */
function asProviderError(error: unknown): unknown {
  return error instanceof Error && "details" in error ? refusedBy((error as ServiceError).details) : error;
}

/** Returns the resource that exists although its call failed. It travels as a detail in the metadata of the error. */
function initFailure(sdk: Sdk, error: unknown): FailedToComeUp | undefined {
  const metadata = (error as { metadata?: Metadata }).metadata;
  const bytes = metadata?.get("grpc-status-details-bin")[0];
  if (!Buffer.isBuffer(bytes)) return undefined;
  for (const detail of sdk.Status.deserializeBinary(bytes).getDetailsList()) {
    const failure = detail.unpack<Messages.ErrorResourceInitFailed>(
      (data) => sdk.provider.ErrorResourceInitFailed.deserializeBinary(data),
      "pulumirpc.ErrorResourceInitFailed",
    );
    if (failure !== null) return new FailedToComeUp(readFailure(failure, error));
  }
  return undefined;
}

function readFailure(failure: Messages.ErrorResourceInitFailed, error: unknown): InitFailure {
  const inputs = failure.getInputs();
  const reasons = failure.getReasonsList();
  return {
    id: failure.getId(),
    properties: fromStruct(failure.getProperties()),
    reasons: reasons.length === 0 ? [(error as ServiceError).details] : reasons,
    inputs: inputs && fromStruct(inputs),
  };
}
