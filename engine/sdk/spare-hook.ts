/**
 * Loaded with --import into a process that waits for its work (spares.ts): what it will need is loaded, and the script of
 * the command line begins when it is told its arguments and its environment. It ends with whoever it waits for.
 */
import { createRequire } from "node:module";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { isMainThread } from "node:worker_threads";

/** What a waiting process is told. */
export interface SpareOrder {
  args: string[];
  env: NodeJS.ProcessEnv;
  /** What it was started with. */
  envBefore: NodeJS.ProcessEnv;
  /** The channel stays open for as long as the process lives. */
  keepsChannel: boolean;
}

// A worker has all of its parent's arguments, and nobody who would tell it anything.
if (isMainThread) await begin();

async function begin(): Promise<void> {
  const gone = (): unknown => process.kill(process.pid, "SIGKILL");
  process.once("disconnect", gone);
  const told = new Promise<SpareOrder>((resolve) => process.once("message", resolve));

  // What was loaded before this, by NODE_OPTIONS, may have changed it.
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

/** Programs go by `process.send` to know whether somebody listens. */
function leaveChannel(): void {
  process.disconnect();
  for (const name of ["send", "disconnect", "connected"]) Reflect.deleteProperty(process, name);
}

/** What can't be loaded is told by whoever uses it. */
async function load(own: NodeJS.Require, name: string): Promise<void> {
  try {
    await import(pathToFileURL(own.resolve(name)).href);
  } catch {
    return;
  }
}
