/** Runs in a program's process: the clients that call the engine, by frames (`frames.ts`) if the engine waits for them, else by gRPC. */
import { AsyncResource } from "node:async_hooks";
import { connect, type Socket } from "node:net";
import {
  CODE_NAMES,
  type FramedAnswer,
  type FramedCall,
  FrameReader,
  type Refusal,
  toFrame,
  UNAVAILABLE,
} from "./frames.ts";
import { plainIn, plainStruct, receivedStruct, setStruct, type StructClass, structOf } from "./plain-struct.ts";

/** Holds the address of an engine that understands frames. */
export const FRAMES_VARIABLE = "LANDFORM_FRAMES";

/** The part of gRPC that the SDK's generated modules use. */
interface Grpc {
  makeGenericClientConstructor: (service: Service, name: string) => ClientClass;
}

type Service = Record<string, { responseType: new (fields: unknown[]) => object }>;
type ClientClass = new (address: string, ...more: unknown[]) => object;

function isFramed(address: string): boolean {
  return address === process.env[FRAMES_VARIABLE];
}

/** True if somebody in this process uses gRPC. */
let usesGrpc = false;

/** Gives gRPC to the modules that define the clients. */
export function clientsOf(grpc: Grpc): Grpc {
  return {
    makeGenericClientConstructor(service, name) {
      const Theirs = grpc.makeGenericClientConstructor(service, name);
      // With `new`, a function returns the object that it makes.
      function Client(address: string, ...more: unknown[]): object {
        if (isFramed(address)) return framedClient(service, connectionTo(address));
        usesGrpc = true;
        return new Theirs(address, ...more);
      }
      return Object.assign(Client, { service, serviceName: name }) as unknown as ClientClass;
    },
  };
}

/** Replaces `Struct.fromJavaScript` for a registration. */
export function structFor(
  Class: StructClass & { fromJavaScript: (values: object) => unknown },
  values: object,
): unknown {
  return connections.size > 0 && !usesGrpc ? plainStruct(Class, values) : Class.fromJavaScript(values);
}

/** A message that the SDK doesn't have: the program has asked if this is a preview. */
export const ASKED_DRY_RUN = "askedDryRun";

/** Wraps the `isDryRun` that programs import. */
export function toldWhenAsked(isDryRun: () => boolean): () => boolean {
  let isTold = false;
  return () => {
    const address = process.env[FRAMES_VARIABLE];
    if (address !== undefined && !isTold) connectionTo(address).call(ASKED_DRY_RUN, [[], undefined], () => undefined);
    isTold = true;
    return isDryRun();
  };
}

type Done = (error: Error | null, answer?: object) => void;
interface Message {
  toArray(): unknown[];
}

function framedClient(service: Service, connection: Connection): object {
  const methods = Object.entries(service).map(([name, { responseType }]) => {
    const call = (request: Message, ...rest: unknown[]): void => {
      const struct = structOf(name, "asked", request);
      const properties = plainIn(struct);
      const done = AsyncResource.bind(rest.findLast((given) => typeof given === "function") as Done);
      connection.call(name, [request.toArray(), properties], (refusal, fields, answered) => {
        if (refusal !== undefined) {
          done(serviceError(refusal));
          return;
        }
        const answer = new responseType(fields);
        if (answered !== undefined && struct !== undefined)
          setStruct(name, "answered", answer, receivedStruct(struct.constructor as StructClass, answered));
        done(null, answer);
      });
    };
    return [name, call] as const;
  });
  return { ...Object.fromEntries(methods), close: () => connection.close() };
}

function serviceError({ code, details }: Refusal): Error {
  return Object.assign(new Error(`${code} ${CODE_NAMES[code] ?? "UNKNOWN"}: ${details}`), { code, details });
}

const GONE: Refusal = { code: UNAVAILABLE, details: "the engine is gone" };

const connections = new Map<string, Connection>();

function connectionTo(address: string): Connection {
  const known = connections.get(address);
  if (known !== undefined) return known;
  const made = new Connection(address);
  connections.set(address, made);
  return made;
}

type Answered = (refusal: Refusal | undefined, fields: unknown[], properties?: FramedAnswer[3]) => void;

/** Keeps the process alive only while a call waits for its answer. */
class Connection {
  readonly #socket: Socket;
  readonly #waiting = new Map<number, Answered>();
  #lastId = 0;

  constructor(address: string) {
    const { hostname, port } = new URL(`tcp://${address}`);
    const reader = new FrameReader<FramedAnswer>();
    this.#socket = connect({ host: hostname, port: Number(port), noDelay: true });
    this.#socket.unref();
    this.#socket.on("data", (piece: Buffer) => {
      for (const [id, refusal, fields, properties] of reader.read(piece)) this.#settle(id, refusal, fields, properties);
    });
    // The next event reports the error.
    this.#socket.on("error", () => undefined);
    this.#socket.on("close", () => {
      for (const id of [...this.#waiting.keys()]) this.#settle(id, GONE, []);
    });
  }

  call(method: string, [fields, properties]: [unknown[], FramedCall[3]], answered: Answered): void {
    const id = ++this.#lastId;
    this.#waiting.set(id, answered);
    if (this.#socket.destroyed) {
      setImmediate(() => this.#settle(id, GONE, []));
      return;
    }
    this.#socket.ref();
    this.#socket.write(toFrame(properties === undefined ? [id, method, fields] : [id, method, fields, properties]));
  }

  close(): void {
    this.#socket.end();
  }

  #settle(id: number, ...answer: Parameters<Answered>): void {
    const answered = this.#waiting.get(id);
    this.#waiting.delete(id);
    if (this.#waiting.size === 0) this.#socket.unref();
    answered?.(...answer);
  }
}
