/** Serves a program to Pulumi's own engine, as its language hosts do: Pulumi asks for it when it is ready. */
import { createRequire } from "node:module";
import type * as Grpc from "@grpc/grpc-js";

type Program = () => Promise<Record<string, unknown>>;

export interface ServedLanguage {
  readonly port: number;
  /** Ends it once Pulumi has ended. Returns a message if the program has left work undone. */
  readonly over: (hasFailed: boolean) => string | undefined;
}

/** The SDK does not declare it (3.270). */
type LanguageServer = new (program: Program) => Grpc.UntypedServiceImplementation & {
  onPulumiExit(hasFailed: boolean): void;
};

/** The SDK's own modules, and its copy of gRPC. */
const sdk = createRequire(createRequire(import.meta.url).resolve("@pulumi/pulumi"));

/** Loads what `serveLanguage` needs, for a process that waits. */
export function prepareLanguage() {
  const grpc = sdk("@grpc/grpc-js") as typeof Grpc;
  const { LanguageServer } = sdk("./automation/server.js") as { LanguageServer: LanguageServer };
  const { LanguageRuntimeService } = sdk("./proto/language_grpc_pb.js") as {
    LanguageRuntimeService: Grpc.ServiceDefinition;
  };
  const { grpcChannelOptions } = sdk("./runtime/settings.js") as { grpcChannelOptions: Grpc.ServerOptions };
  return { grpc, LanguageServer, LanguageRuntimeService, grpcChannelOptions };
}

export async function serveLanguage(program: Program): Promise<ServedLanguage> {
  const { grpc, LanguageServer, LanguageRuntimeService, grpcChannelOptions } = prepareLanguage();
  const language = new LanguageServer(program);
  const server = new grpc.Server(grpcChannelOptions);
  server.addService(LanguageRuntimeService, language);
  const port = await new Promise<number>((resolve, reject) => {
    server.bindAsync("127.0.0.1:0", grpc.ServerCredentials.createInsecure(), (error, bound) =>
      error === null ? resolve(bound) : reject(error),
    );
  });
  const over = (hasFailed: boolean): string | undefined => {
    try {
      language.onPulumiExit(hasFailed);
      return undefined;
    } catch (error) {
      return error instanceof Error ? error.message : String(error);
    } finally {
      server.forceShutdown();
    }
  };
  return { port, over };
}
