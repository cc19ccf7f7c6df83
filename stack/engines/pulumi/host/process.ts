/**
 * The host of dynamic providers that waits for Pulumi's plugin: SOCKET SCRIPT. It loads the SDK's script and Landform ahead, and serves the
 * runs of one command one after another, so that an apply finds what its plan has loaded and compiled. Each run gets its own environment and
 * fresh providers. It serves a second run only if all providers of the first were Landform's, which keep nothing outside of their run.
 */
import { createRequire } from "node:module";
import { createServer, type Socket } from "node:net";
import { join } from "node:path";
import { forgetRun } from "../../../../engine/sdk/child-hook.ts";
import { RUN_VARIABLE } from "../../../../provider/pulumi/run-facts.ts";
import { type FromPlugin, onTold, tell } from "./wire.ts";

const [node = "", , path = "", script = ""] = process.argv;
const sdk = createRequire(script);
const DYNAMIC = "landform/dynamic";

let state: "ready" | "serving" | "ending" = "ready";
let plugin: Socket | undefined;
let runs = 0;
let port: string | undefined;
let isAlone = false;
/** Called in turn as the plugin passes the texts on. */
let waiting: (() => void)[] = [];

createServer((socket) => {
  socket.on("error", () => undefined);
  onTold<FromPlugin>(socket, (told) => {
    if ("passed" in told) waiting.shift()?.();
    else if ("end" in told) end(socket);
    else if (state === "ready") begin(socket, told.begin);
    else tell(socket, { refused: true });
  });
  socket.once("close", () => {
    // Pulumi was killed, or Landform killed the plugin. The call under way ends, as in a host of Pulumi's own.
    if (socket === plugin) process.exit(1);
  });
}).listen(path);

process.once("disconnect", () => {
  isAlone = true;
  if (state === "ready") process.exit(0);
});

for (const stream of ["stdout", "stderr"] as const)
  process[stream].write = (chunk: string | Uint8Array, ...rest: unknown[]) => {
    const text = typeof chunk === "string" ? chunk : Buffer.from(chunk).toString();
    const done = rest.find((one) => typeof one === "function") as (() => void) | undefined;
    if (stream === "stdout") port ??= text;
    if (plugin === undefined) process.nextTick(() => done?.());
    else {
      waiting.push(() => done?.());
      tell(plugin, stream === "stdout" ? { stdout: text } : { stderr: text });
    }
    return true;
  };

for (const module of ["../../runtime/index.js", "../../proto/provider_grpc_pb.js", "../../proto/status_pb.js"])
  load(module, sdk);
load(DYNAMIC, createRequire(join(process.cwd(), "program.js")));

/** Ignores a module that can't be loaded: the run that needs it reports the error. */
function load(module: string, from: NodeJS.Require): void {
  try {
    from(module);
  } catch {
    return;
  }
}

function begin(socket: Socket, { args, env }: Extract<FromPlugin, { begin: unknown }>["begin"]): void {
  state = "serving";
  plugin = socket;
  waiting = [];
  runs += 1;
  for (const name of Object.keys(process.env)) if (!(name in env)) Reflect.deleteProperty(process.env, name);
  Object.assign(process.env, env, { [RUN_VARIABLE]: String(runs) });
  if (port !== undefined) process.stdout.write(port);
  else {
    process.argv = [node, script, ...args];
    sdk(script);
  }
}

function end(socket: Socket): void {
  plugin = undefined;
  state = forgetRun(DYNAMIC) && !isAlone ? "ready" : "ending";
  tell(socket, { over: true });
  if (state === "ending") socket.end(() => process.exit(0));
}
