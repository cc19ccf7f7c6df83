/** Serves a program to Pulumi's own engine, as its language hosts do: Pulumi asks for it when it is ready. */
import { createRequire } from "node:module";
import type * as Grpc from "@grpc/grpc-js";

type Program = () => Promise<Record<string, unknown>>;

export interface Served {
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

export async function serve(program: Program): Promise<Served> {
  const grpc = sdk("@grpc/grpc-js") as typeof Grpc;
  const { LanguageServer } = sdk("./automation/server.js") as { LanguageServer: LanguageServer };
  const { LanguageRuntimeService } = sdk("./proto/language_grpc_pb.js") as {
    LanguageRuntimeService: Grpc.ServiceDefinition;
  };
  const { grpcChannelOptions } = sdk("./runtime/settings.js") as { grpcChannelOptions: Grpc.ServerOptions };
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

/** Node's name for the result of `require` among the exports that `import()` gives for a CommonJS module (Node 23 and later). */
const REQUIRED = "module.exports";

/** Returns the outputs, or a function that makes them. */
export function exportOf(module: Readonly<Record<string, unknown>>): unknown {
  if (Object.hasOwn(module, REQUIRED)) return module[REQUIRED];
  if (!Object.hasOwn(module, "default")) return module;
  const { default: main, ...named } = module;
  // Before Node 23 a CommonJS module is its own default, and its named exports stand there as well.
  const isRequired = Object.entries(named).every(
    ([name, value]) => Reflect.get(Object(main) as object, name) === value,
  );
  if (!isRequired) throw new Error("the program has either a default export or named exports but not both");
  return main;
}
