import type { RegisterResourceRequest } from "@pulumi/pulumi/proto/resource_pb.js";
import type { DiagnosticOptions, Severity } from "../events.ts";
import { ASKED_DRY_RUN } from "../sdk/framed-client.ts";
import { fromStruct, type Sdk } from "../link/sdk.ts";
import type { PropertyMap } from "../model/types.ts";
import type { OperationRequest } from "../request.ts";
import { ORGANIZATION } from "../state/layout.ts";
import { type Calls, type Port, serve, type Served, served, type ToStruct } from "./served.ts";

/** The requests that a program may send to the engine. Every rejection is answered with "the engine is shutting down". */
export interface MonitorHandlers {
  register(request: RegisterResourceRequest): Promise<Registered>;
  registerOutputs(urn: string, outputs: PropertyMap): Promise<void>;
  /** Resolves when the program is done and everything that follows from it is done, too. */
  programDone(): Promise<void>;
  unsupported(feature: string): void;
  /** The program asked if this is a preview, so a run may register other resources. */
  askedDryRun(): void;
  log(severity: Severity, message: string, options: DiagnosticOptions): void;
}

export interface Registered {
  urn: string;
  id: string;
  outputs: PropertyMap;
  /** With `continueOnError`, a program goes on without the resources that failed or depend on a failed one. */
  failed: boolean;
  /** Nobody knows its outputs: the targets leave it uncreated. A resource that uses one still depends on it. */
  isUnknown?: boolean;
}

interface DeploymentFacts extends Pick<OperationRequest, "project" | "stack" | "config"> {
  dryRun: boolean;
  parallel: number;
}

/** Features by the names of the older call. The newer call has numbers for them. The engine refuses all others by name. */
const FEATURES = {
  secrets: "RESOURCE_MONITOR_FEATURE_SECRETS",
  resourceReferences: "RESOURCE_MONITOR_FEATURE_RESOURCE_REFERENCES",
  aliasSpecs: "RESOURCE_MONITOR_FEATURE_ALIAS_SPECS",
  deletedWith: "RESOURCE_MONITOR_FEATURE_DELETED_WITH",
} as const;

export function serveMonitor(sdk: Sdk, facts: DeploymentFacts, handlers: MonitorHandlers): Promise<Port> {
  const asked = served(sdk.Empty, () => {
    handlers.askedDryRun();
    return Promise.resolve(new sdk.Empty());
  });
  return serve(sdk, {
    monitor: { ...monitorCalls(sdk, facts, handlers), [ASKED_DRY_RUN]: asked },
    engine: engineCalls(sdk, handlers),
  });
}

function refuse(handlers: MonitorHandlers, feature: string): Promise<never> {
  handlers.unsupported(feature);
  return Promise.reject(new Error(feature));
}

function monitorCalls(sdk: Sdk, facts: DeploymentFacts, handlers: MonitorHandlers): Calls {
  const { monitor, Empty } = sdk;
  const refused = (feature: string): Served => served(Empty, () => refuse(handlers, feature));
  return {
    getDeploymentInfo: served(Empty, () => Promise.resolve(deploymentInfo(sdk, facts))),
    supportsFeature: served(monitor.SupportsFeatureRequest, (request) => {
      const response = new monitor.SupportsFeatureResponse();
      response.setHassupport(request.getId() in FEATURES);
      return Promise.resolve(response);
    }),
    registerResource: served(monitor.RegisterResourceRequest, async (request, struct) =>
      registered(sdk, await handlers.register(request), struct),
    ),
    registerResourceOutputs: served(monitor.RegisterResourceOutputsRequest, async (request) => {
      await handlers.registerOutputs(request.getUrn(), fromStruct(request.getOutputs()));
      return new Empty();
    }),
    signalAndWaitForShutdown: served(Empty, async () => {
      await handlers.programDone();
      return new Empty();
    }),
    invoke: served(monitor.ResourceInvokeRequest, (request) => refuse(handlers, `the function ${request.getTok()}`)),
    readResource: served(monitor.ReadResourceRequest, (request) =>
      refuse(handlers, readFeature(request.getType(), request.getName())),
    ),
    call: refused("a call of a method of a remote component"),
    existsResource: refused("the test whether a resource exists"),
    registerStackTransform: refused("a transform of the stack"),
    registerStackInvokeTransform: refused("a transform of invokes"),
    registerResourceHook: refused("a resource hook"),
    registerErrorHook: refused("an error hook"),
    registerPackage: refused("a parameterized provider package"),
  };
}

function readFeature(type: string, name: string): string {
  if (type === "pulumi:pulumi:StackReference") return `the stack reference "${name}"`;
  return `reading an existing resource by its id (${type} "${name}")`;
}

function engineCalls({ engine, Empty }: Sdk, handlers: MonitorHandlers): Calls {
  let root = "";
  // Debug messages of the SDK hold property values, also secret ones, so the engine drops them.
  const severities: (Severity | undefined)[] = [undefined, "info", "warning", "error"];
  return {
    log: served(engine.LogRequest, (request) => {
      const urn = request.getUrn();
      const options = { streamID: request.getStreamid(), ephemeral: request.getEphemeral() };
      const severity = severities[request.getSeverity()];
      if (severity !== undefined)
        handlers.log(severity, request.getMessage(), urn === "" ? options : { ...options, urn });
      return Promise.resolve(new Empty());
    }),
    getRootResource: served(engine.GetRootResourceRequest, () => {
      const response = new engine.GetRootResourceResponse();
      response.setUrn(root);
      return Promise.resolve(response);
    }),
    setRootResource: served(engine.SetRootResourceRequest, (request) => {
      root = request.getUrn();
      return Promise.resolve(new engine.SetRootResourceResponse());
    }),
    startDebugging: served(Empty, () => Promise.resolve(new Empty())),
    requirePulumiVersion: served(Empty, () =>
      refuse(handlers, "a requirement on the version of the Pulumi CLI (requiredPulumiVersion)"),
    ),
  };
}

function deploymentInfo(sdk: Sdk, facts: DeploymentFacts) {
  const info = new sdk.monitor.DeploymentInfo();
  info.setProject(facts.project);
  info.setStack(facts.stack);
  info.setOrganization(ORGANIZATION);
  for (const [key, value] of Object.entries(facts.config.values)) info.getConfigMap().set(key, value);
  info.setConfigsecretkeysList(facts.config.secretKeys);
  info.setDryrun(facts.dryRun);
  info.setParallel(facts.parallel);
  const numbers = sdk.monitor.ResourceMonitorFeature;
  info.setSupportedfeaturesList(Object.values(FEATURES).map((name) => numbers[name]));
  return info;
}

function registered(sdk: Sdk, result: Registered, struct: ToStruct) {
  const response = new sdk.monitor.RegisterResourceResponse();
  response.setUrn(result.urn);
  response.setId(result.id);
  response.setObject(struct(result.outputs));
  // The oldest SDK that runs here knows no such answer.
  if (result.isUnknown === true && "setUnknown" in response) response.setUnknown(true);
  response.setResult(result.failed ? sdk.monitor.Result.FAIL : sdk.monitor.Result.SUCCESS);
  return response;
}
