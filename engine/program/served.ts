/**
 * The one loopback port where a program finds the engine. A process with our hook speaks in frames. A process that opens with HTTP/2 speaks gRPC, and
 * the first one makes the gRPC server start.
 */
import type { sendUnaryData, ServerUnaryCall, UntypedServiceImplementation } from "@grpc/grpc-js";
import type { Message } from "google-protobuf";
import type { Struct } from "google-protobuf/google/protobuf/struct_pb.js";
import { once } from "node:events";
import { type AddressInfo, connect, createServer, type Socket } from "node:net";
import { promisify } from "node:util";
import {
  type FramedAnswer,
  type FramedCall,
  FrameReader,
  type Refusal,
  toFrame,
  UNAVAILABLE,
  UNIMPLEMENTED,
} from "../sdk/frames.ts";
import { plainIn, plainStruct, receivedStruct, setStruct, structOf } from "../sdk/plain-struct.ts";
import { CHANNEL_OPTIONS, type Sdk, toStruct } from "../link/sdk.ts";
import type { PropertyMap } from "../model/types.ts";

/** One call that a program may make: the class of its request, and its handler. */
export interface Served<Request extends Message = never> {
  Request: new () => Request;
  handle: (request: Request, struct: ToStruct) => Promise<Message>;
}

export function served<Request extends Message>(Request: new () => Request, handle: Served<Request>["handle"]): Served {
  return { Request, handle } as unknown as Served;
}

export type ToStruct = (values: PropertyMap) => Struct;

export type Calls = Record<string, Served>;

export interface Services {
  monitor: Calls;
  engine: Calls;
}

/** The only error that a program gets, and it has told the user already. For UNAVAILABLE, the SDK leaves quietly, with exit code 0. */
const SHUTTING_DOWN: Refusal = { code: UNAVAILABLE, details: "the engine is shutting down" };

/** HTTP/2 opens with "PRI". As the first byte of a frame's length, it would be longer than any frame. */
const HTTP2 = "P".charCodeAt(0);

export interface Port {
  address: string;
  close(): void;
}

export async function serve(sdk: Sdk, services: Services): Promise<Port> {
  const calls = { ...services.monitor, ...services.engine };
  const sockets = new Set<Socket>();
  let grpc: Promise<GrpcServer> | undefined;
  const server = createServer({ noDelay: true }, (socket) => {
    sockets.add(socket);
    socket.once("close", () => sockets.delete(socket));
    // If a program leaves in the middle of a message, its end tells.
    socket.on("error", () => undefined);
    socket.once("data", (first: Buffer) => {
      if (first[0] !== HTTP2) {
        answerFrames(sdk, calls, socket, first);
        return;
      }
      socket.pause();
      socket.unshift(first);
      grpc ??= startGrpc(sdk, services);
      grpc.then(
        ({ port }) => passOn(socket, port),
        () => socket.destroy(),
      );
    });
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  return {
    address: `127.0.0.1:${(server.address() as AddressInfo).port}`,
    close: () => {
      server.close();
      for (const socket of sockets) socket.destroy();
      grpc?.then(
        ({ stop }) => stop(),
        () => undefined,
      );
    },
  };
}

function answerFrames(sdk: Sdk, calls: Calls, socket: Socket, first: Buffer): void {
  const reader = new FrameReader<FramedCall>();
  const read = (piece: Buffer): void => {
    try {
      for (const call of reader.read(piece))
        void answerTo({ sdk, calls }, ...call).then((answer) => socket.write(toFrame(answer)));
    } catch {
      // No program of ours sends this.
      socket.destroy();
    }
  };
  socket.on("data", read);
  read(first);
}

async function answerTo(
  { sdk, calls }: { sdk: Sdk; calls: Calls },
  ...[id, method, fields, properties]: FramedCall
): Promise<FramedAnswer> {
  const call = Object.hasOwn(calls, method) ? calls[method] : undefined;
  if (call === undefined) return [id, { code: UNIMPLEMENTED, details: method }, []];
  try {
    const request: Message = new (call.Request as new (fields: unknown[]) => Message)(fields);
    if (properties !== undefined) setStruct(method, "asked", request, receivedStruct(sdk.Struct, properties));
    // A program that asks in plain values also reads them.
    const isPlain = properties !== undefined;
    const answer = await call.handle(request as never, (values) =>
      isPlain ? plainStruct(sdk.Struct, values) : toStruct(sdk, values),
    );
    return [id, undefined, answer.toArray(), plainIn(structOf(method, "answered", answer))];
  } catch {
    return [id, SHUTTING_DOWN, []];
  }
}

interface GrpcServer {
  port: number;
  stop: () => void;
}

async function startGrpc(sdk: Sdk, { monitor, engine }: Services): Promise<GrpcServer> {
  const { Server, ServerCredentials, ResourceMonitorService, EngineService } = sdk.grpc();
  const server = new Server(CHANNEL_OPTIONS);
  server.addService(ResourceMonitorService, unary(sdk, monitor));
  server.addService(EngineService, unary(sdk, engine));
  const port = await promisify(server.bindAsync.bind(server))("127.0.0.1:0", ServerCredentials.createInsecure());
  return { port, stop: () => server.forceShutdown() };
}

function unary(sdk: Sdk, calls: Calls): UntypedServiceImplementation {
  const methods = Object.entries(calls).map(([name, { handle }]) => {
    const method = (call: ServerUnaryCall<never, Message>, done: sendUnaryData<Message>): void => {
      handle(call.request, (values) => toStruct(sdk, values)).then(
        (answer) => done(null, answer),
        () => done(SHUTTING_DOWN),
      );
    };
    return [name, method];
  });
  return Object.fromEntries(methods) as UntypedServiceImplementation;
}

function passOn(socket: Socket, port: number): void {
  const upstream = connect({ host: "127.0.0.1", port, noDelay: true });
  upstream.on("error", () => socket.destroy());
  socket.once("close", () => upstream.destroy());
  socket.pipe(upstream).pipe(socket);
}
