/** Serves a program to Pulumi's own engine, as its language hosts do: Pulumi asks for it when it is ready. */
import { AsyncLocalStorage } from "node:async_hooks";
import { createRequire } from "node:module";
import { promisify } from "node:util";
import type * as Grpc from "@grpc/grpc-js";
import { unfinishedProgram, waitingError } from "./process.ts";

type Program = () => Promise<Record<string, unknown>>;

export interface ServedLanguage {
  readonly port: number;
  /** Ends it once Pulumi has ended. Returns a message if the program has left work undone. */
  readonly over: (hasFailed: boolean) => string | undefined;
  /** Nothing in the process can go on. If the program is not done, it names the waiting resources and ends the program. */
  readonly giveUp: (name: string) => Promise<void>;
}

/** The SDK does not declare it (3.270). */
type LanguageServer = new (program: Program) => Omit<Grpc.UntypedServiceImplementation, "run"> & {
  run: Grpc.handleUnaryCall<unknown, unknown>;
  onPulumiExit(hasFailed: boolean): void;
};

interface RunResponse {
  setBail(isTold: boolean): this;
}

const sdk = createRequire(createRequire(import.meta.url).resolve("@pulumi/pulumi"));

/** Loads what `serveLanguage` needs, for a process that waits. */
export function prepareLanguage() {
  const grpc = sdk("@grpc/grpc-js") as typeof Grpc;
  const { LanguageServer } = sdk("./automation/server.js") as { LanguageServer: LanguageServer };
  const { LanguageRuntimeService } = sdk("./proto/language_grpc_pb.js") as {
    LanguageRuntimeService: Grpc.ServiceDefinition;
  };
  const { grpcChannelOptions } = sdk("./runtime/settings.js") as { grpcChannelOptions: Grpc.ServerOptions };
  const { RunResponse } = sdk("./proto/language_pb.js") as { RunResponse: new () => RunResponse };
  const { leakedPromises } = sdk("./runtime/debuggable.js") as { leakedPromises: () => [unknown, message: string] };
  const log = sdk("./log") as { error: (message: string) => Promise<void> };
  return { grpc, LanguageServer, LanguageRuntimeService, grpcChannelOptions, RunResponse, leakedPromises, log };
}

export async function serveLanguage(program: Program): Promise<ServedLanguage> {
  const { grpc, LanguageServer, LanguageRuntimeService, grpcChannelOptions, ...rest } = prepareLanguage();
  /** Does something in the context of the program, where the SDK finds its resources. */
  let inProgram = AsyncLocalStorage.snapshot();
  let answer: Grpc.sendUnaryData<unknown> | undefined;
  const language = new LanguageServer(() => {
    inProgram = AsyncLocalStorage.snapshot();
    return program();
  });
  const run = language.run.bind(language);
  language.run = (call, callback) => {
    answer = callback;
    run(call, (...answered) => {
      answer?.(...answered);
      answer = undefined;
    });
  };
  const server = new grpc.Server(grpcChannelOptions);
  server.addService(LanguageRuntimeService, language);
  const port = await promisify(server.bindAsync.bind(server))("127.0.0.1:0", grpc.ServerCredentials.createInsecure());
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
  const giveUp = (name: string): Promise<void> =>
    inProgram(async () => {
      const waits = answer;
      answer = undefined;
      if (waits === undefined) return;
      const [, told] = rest.leakedPromises();
      const { message } = waitingError(name, told.split("\n")) ?? unfinishedProgram();
      await rest.log.error(message);
      waits(null, new rest.RunResponse().setBail(true));
    });
  return { port, over, giveUp };
}
