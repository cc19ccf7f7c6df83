import type { sendUnaryData, ServerUnaryCall } from "@grpc/grpc-js";
import type { LogRequest } from "@pulumi/pulumi/proto/engine_pb.js";
import type { RegisterResourceRequest, RegisterResourceOutputsRequest } from "@pulumi/pulumi/proto/resource_pb.js";
import type { Severity } from "../events.ts";
import { CHANNEL_OPTIONS, fromStruct, type Sdk, toStruct } from "../host/sdk.ts";
import type { PropertyMap } from "../model/types.ts";

/** What a program may ask of the engine. Every rejection is answered with "the engine is shutting down". */
export interface MonitorHandlers {
  register(request: RegisterResourceRequest): Promise<Registered>;
  registerOutputs(urn: string, outputs: PropertyMap): Promise<void>;
  /** The program is done: resolves when everything that follows from it is done too. */
  programDone(): Promise<void>;
  unsupported(feature: string): void;
  log(severity: Severity, message: string, options: { urn?: string; streamID?: number; ephemeral?: boolean }): void;
}

export interface Registered {
  urn: string;
  id: string;
  outputs: PropertyMap;
  /** With `continueOnError` a program goes on without the resources that failed, or that depend on one. */
  failed: boolean;
}

export interface DeploymentFacts {
  project: string;
  stack: string;
  organization: string;
  config: { values: Record<string, string>; secretKeys: string[] };
  dryRun: boolean;
  parallel: number;
}

export interface Monitor {
  address: string;
  close(): void;
}

/** Features by the names of the older call; the newer one has numbers for them. All the rest is refused by name. */
const FEATURES = {
  secrets: "RESOURCE_MONITOR_FEATURE_SECRETS",
  resourceReferences: "RESOURCE_MONITOR_FEATURE_RESOURCE_REFERENCES",
  aliasSpecs: "RESOURCE_MONITOR_FEATURE_ALIAS_SPECS",
  deletedWith: "RESOURCE_MONITOR_FEATURE_DELETED_WITH",
} as const;

type Unary<Request, Response> = (call: ServerUnaryCall<Request, Response>, done: sendUnaryData<Response>) => void;

/** Serves Pulumi's resource monitor and engine interfaces on one port of the loopback. */
export async function serveMonitor(sdk: Sdk, facts: DeploymentFacts, handlers: MonitorHandlers): Promise<Monitor> {
  const server = new sdk.grpc.Server(CHANNEL_OPTIONS);
  server.addService(sdk.monitor.ResourceMonitorService, monitorService(sdk, facts, handlers));
  server.addService(sdk.engine.EngineService, engineService(sdk, handlers));
  const port = await new Promise<number>((resolve, reject) => {
    server.bindAsync("127.0.0.1:0", sdk.grpc.ServerCredentials.createInsecure(), (error, bound) => {
      if (error === null) resolve(bound);
      else reject(error);
    });
  });
  return { address: `127.0.0.1:${port}`, close: () => server.forceShutdown() };
}

function monitorService(sdk: Sdk, facts: DeploymentFacts, handlers: MonitorHandlers) {
  const reply = answering(sdk);
  const refuse = (feature: string) =>
    reply<unknown, never>(() => {
      handlers.unsupported(feature);
      return Promise.reject(new Error(feature));
    });
  return {
    getDeploymentInfo: reply(() => Promise.resolve(deploymentInfo(sdk, facts))),
    supportsFeature: reply((request: { getId(): string }) => {
      const response = new sdk.monitor.SupportsFeatureResponse();
      response.setHassupport(request.getId() in FEATURES);
      return Promise.resolve(response);
    }),
    registerResource: reply(async (request: RegisterResourceRequest) =>
      registered(sdk, await handlers.register(request)),
    ),
    registerResourceOutputs: reply(async (request: RegisterResourceOutputsRequest) => {
      await handlers.registerOutputs(request.getUrn(), fromStruct(request.getOutputs()));
      return new sdk.Empty();
    }),
    signalAndWaitForShutdown: reply(async () => {
      await handlers.programDone();
      return new sdk.Empty();
    }),
    invoke: reply((request: { getTok(): string }) => {
      handlers.unsupported(`the function ${request.getTok()}`);
      return Promise.reject(new Error("invoke"));
    }),
    call: refuse("a call of a method of a remote component"),
    readResource: reply((request: { getType(): string; getName(): string }) => {
      handlers.unsupported(readFeature(request.getType(), request.getName()));
      return Promise.reject(new Error("readResource"));
    }),
    existsResource: refuse("the test whether a resource exists"),
    registerStackTransform: refuse("a transform of the stack"),
    registerStackInvokeTransform: refuse("a transform of invokes"),
    registerResourceHook: refuse("a resource hook"),
    registerErrorHook: refuse("an error hook"),
    registerPackage: refuse("a parameterized provider package"),
  };
}

function readFeature(type: string, name: string): string {
  if (type === "pulumi:pulumi:StackReference") return `the stack reference "${name}"`;
  return `reading an existing resource by its id (${type} "${name}")`;
}

function engineService(sdk: Sdk, handlers: MonitorHandlers) {
  const reply = answering(sdk);
  let root = "";
  // The SDK's debug messages hold property values, secret ones too.
  const severities: (Severity | undefined)[] = [undefined, "info", "warning", "error"];
  return {
    log: reply((request: LogRequest) => {
      const urn = request.getUrn();
      const options = { streamID: request.getStreamid(), ephemeral: request.getEphemeral() };
      const severity = severities[request.getSeverity()];
      if (severity !== undefined)
        handlers.log(severity, request.getMessage(), urn === "" ? options : { ...options, urn });
      return Promise.resolve(new sdk.Empty());
    }),
    getRootResource: reply(() => {
      const response = new sdk.engine.GetRootResourceResponse();
      response.setUrn(root);
      return Promise.resolve(response);
    }),
    setRootResource: reply((request: { getUrn(): string }) => {
      root = request.getUrn();
      return Promise.resolve(new sdk.engine.SetRootResourceResponse());
    }),
    startDebugging: reply(() => Promise.resolve(new sdk.Empty())),
    requirePulumiVersion: reply(() => {
      handlers.unsupported("a requirement on the version of the Pulumi CLI (requiredPulumiVersion)");
      return Promise.reject(new Error("requirePulumiVersion"));
    }),
  };
}

/**
 * The one error a program is ever answered: the SDK takes UNAVAILABLE for an engine that is shutting down and leaves
 * quietly, with exit code 0. What really happened was told to the user before.
 */
function answering(sdk: Sdk) {
  return <Request, Response>(handle: (request: Request) => Promise<Response>): Unary<Request, Response> =>
    (call, done) => {
      handle(call.request).then(
        (response) => done(null, response),
        () => done({ code: sdk.grpc.status.UNAVAILABLE, details: "the engine is shutting down" }),
      );
    };
}

function deploymentInfo(sdk: Sdk, facts: DeploymentFacts) {
  const info = new sdk.monitor.DeploymentInfo();
  info.setProject(facts.project);
  info.setStack(facts.stack);
  info.setOrganization(facts.organization);
  for (const [key, value] of Object.entries(facts.config.values)) info.getConfigMap().set(key, value);
  info.setConfigsecretkeysList(facts.config.secretKeys);
  info.setDryrun(facts.dryRun);
  info.setParallel(facts.parallel);
  const numbers = sdk.monitor.ResourceMonitorFeature;
  info.setSupportedfeaturesList(Object.values(FEATURES).map((name) => numbers[name]));
  return info;
}

function registered(sdk: Sdk, result: Registered) {
  const response = new sdk.monitor.RegisterResourceResponse();
  response.setUrn(result.urn);
  response.setId(result.id);
  response.setObject(toStruct(sdk, result.outputs));
  response.setResult(result.failed ? sdk.monitor.Result.FAIL : sdk.monitor.Result.SUCCESS);
  return response;
}
