/**
 * Loaded with --import into a process that waits for its work (spares.ts). The process loads the modules that it will need. The script of the command
 * line begins when the process gets its arguments and its environment. The process ends with its parent.
 */
import { createRequire } from "node:module";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { isMainThread } from "node:worker_threads";

export interface SpareOrder {
  args: string[];
  env: NodeJS.ProcessEnv;
  /** The environment that it was started with. */
  envBefore: NodeJS.ProcessEnv;
  /** True if the channel stays open as long as the process lives. */
  keepsChannel: boolean;
}

// A worker inherits its parent's arguments, and nobody would send it an order.
if (isMainThread) await begin();

async function begin(): Promise<void> {
  const gone = (): unknown => process.kill(process.pid, "SIGKILL");
  process.once("disconnect", gone);
  const told = new Promise<SpareOrder>((resolve) => process.once("message", resolve));

  // Modules of NODE_OPTIONS, which load earlier, may have changed the environment.
  const found = { ...process.env };
  const own = createRequire(join(process.cwd(), "program.js"));
  for (const name of (process.env["LANDFORM_PRELOAD"] ?? "").split(",")) await load(own, name);

  const { args, env, envBefore, keepsChannel } = await told;
  process.off("disconnect", gone);
  if (!keepsChannel) leaveChannel();
  const isOwn = (name: string): boolean => found[name] !== envBefore[name];
  for (const name of Object.keys(process.env))
    if (!(name in env) && !isOwn(name)) Reflect.deleteProperty(process.env, name);
  for (const [name, value] of Object.entries(env)) if (!(name in envBefore) || !isOwn(name)) process.env[name] = value;
  process.argv.push(...args);
}

/** Programs check `process.send` to know if somebody listens. */
function leaveChannel(): void {
  process.disconnect();
  for (const name of ["send", "disconnect", "connected"]) Reflect.deleteProperty(process, name);
}

/** Ignores a module that can't be loaded: its user reports the error. */
async function load(own: NodeJS.Require, name: string): Promise<void> {
  try {
    await import(pathToFileURL(own.resolve(name)).href);
  } catch {
    return;
  }
}
