import type * as GoogleEmpty from "google-protobuf/google/protobuf/empty_pb.js";
import type * as GoogleStruct from "google-protobuf/google/protobuf/struct_pb.js";
import type * as Grpc from "@grpc/grpc-js";
import type * as EngineMessages from "@pulumi/pulumi/proto/engine_pb.js";
import type * as EngineServices from "@pulumi/pulumi/proto/engine_grpc_pb.js";
import type * as ProviderMessages from "@pulumi/pulumi/proto/provider_pb.js";
import type * as ProviderServices from "@pulumi/pulumi/proto/provider_grpc_pb.js";
import type * as ResourceMessages from "@pulumi/pulumi/proto/resource_pb.js";
import type * as ResourceServices from "@pulumi/pulumi/proto/resource_grpc_pb.js";
import type * as StatusMessages from "@pulumi/pulumi/proto/status_pb.js";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { ProgramError } from "../errors.ts";
import type { PropertyMap } from "../model/types.ts";

/** The program's own copy of Pulumi's SDK: engine, program and provider host must speak one version of the protocol. */
export interface Sdk {
  version: string;
  runner: string;
  providerHost: string;
  engine: typeof EngineMessages;
  monitor: typeof ResourceMessages;
  provider: typeof ProviderMessages;
  Status: typeof StatusMessages.Status;
  Empty: typeof GoogleEmpty.Empty;
  Struct: typeof GoogleStruct.Struct;
  /** Loads gRPC, which few runs need. */
  grpc: () => SdkGrpc;
}

export type SdkGrpc = typeof Grpc &
  Pick<typeof EngineServices, "EngineService"> &
  Pick<typeof ResourceServices, "ResourceMonitorService"> &
  Pick<typeof ProviderServices, "ResourceProviderClient">;

/** Messages may be as large as Pulumi allows: 400 MB. */
export const CHANNEL_OPTIONS = {
  "grpc.max_receive_message_length": 400 * 1024 * 1024,
  "grpc.max_send_message_length": 400 * 1024 * 1024,
  "grpc.enable_http_proxy": 0,
};

const PACKAGE = "@pulumi/pulumi/package.json";

export function loadSdk(programFolder: string): Sdk {
  const manifest = findSdk(programFolder);
  const require = createRequire(manifest);
  const load = (name: string): unknown => require(name);
  const root = dirname(manifest);
  const proto = (name: string) => load(join(root, "proto", name));
  return {
    version: (load(manifest) as { version: string }).version,
    runner: join(root, "cmd", "run"),
    providerHost: join(root, "cmd", "dynamic-provider"),
    engine: proto("engine_pb.js") as Sdk["engine"],
    monitor: proto("resource_pb.js") as Sdk["monitor"],
    provider: proto("provider_pb.js") as Sdk["provider"],
    Status: (proto("status_pb.js") as typeof StatusMessages).Status,
    Empty: (load("google-protobuf/google/protobuf/empty_pb.js") as typeof GoogleEmpty).Empty,
    Struct: (load("google-protobuf/google/protobuf/struct_pb.js") as typeof GoogleStruct).Struct,
    grpc: () =>
      Object.assign(
        {},
        ...["engine", "resource", "provider"].map((name) => proto(`${name}_grpc_pb.js`)),
        load("@grpc/grpc-js"),
      ) as SdkGrpc,
  };
}

/** Returns the script that runs a program: `Sdk.runner`, without loading anything. */
export function runnerFor(programFolder: string): string {
  return join(dirname(findSdk(programFolder)), "cmd", "run");
}

function findSdk(programFolder: string): string {
  for (const from of [join(programFolder, "program.js"), import.meta.filename]) {
    try {
      return createRequire(from).resolve(PACKAGE);
    } catch {
      continue;
    }
  }
  throw new ProgramError(`@pulumi/pulumi is not installed in ${programFolder}. Run npm install there`);
}

export function toStruct(sdk: Sdk, map: PropertyMap): GoogleStruct.Struct {
  return sdk.Struct.fromJavaScript(map);
}

export function fromStruct(struct: GoogleStruct.Struct | undefined): PropertyMap {
  return struct?.toJavaScript() ?? {};
}

/** Returns the environment of a child that talks gRPC without a proxy. Compiling takes half of the SDK's start, so Node keeps the compiled code. */
export function childEnvironment(env: NodeJS.ProcessEnv): NodeJS.ProcessEnv {
  const exempt = env["no_grpc_proxy"] ?? env["no_proxy"] ?? env["NO_PROXY"] ?? "";
  return {
    NODE_COMPILE_CACHE: join(tmpdir(), "node-compile-cache"),
    ...env,
    no_grpc_proxy: exempt === "" ? "127.0.0.1" : `${exempt},127.0.0.1`,
  };
}
