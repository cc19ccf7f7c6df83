/**
 * Brings this folder's changes into a process, by arguments of Node that are only for the process started with them. Its forks would inherit them, and would wait for our message or live as long as
 * their own channel. A worker refuses those of V8.
 */
import { extname } from "node:path";

/** New objects may take three times this. V8 would let the space grow by 48 MB more and never give it back. */
export const LITTLE_NEW = "--max-semi-space-size=8";

/** A child that watches its channel knows at once that its parent is gone. One that leaves by itself on request keeps its compiled code. */
const WATCHING = 'process.once("disconnect",()=>process.exit(1));process.once("SIGTERM",()=>process.exit(143))';
export const WATCH_PARENT = `--import=data:text/javascript,${encodeURIComponent(WATCHING)}`;

/** Changes the SDK in this process, unless LANDFORM_PLAIN_SDK turns that off. */
export const HOOK = importOf("child-hook");

/** Makes the process wait for its work (spares.ts). */
export const WAIT = importOf("spare-hook");

function importOf(module: string): string {
  return `--import=${new URL(`./${module}${extname(import.meta.filename)}`, import.meta.url).href}`;
}

const OURS: ReadonlySet<string> = new Set([LITTLE_NEW, WATCH_PARENT, WAIT]);

/** Removes the arguments inside the started process, so that its own children don't get them. */
export function keepOwnArguments(): void {
  process.execArgv = process.execArgv.filter((argument) => !OURS.has(argument));
}

/**
 * LANDFORM_PLAIN_SDK=1 turns off everything in this folder: the SDK's modules run as they are written and speak gRPC, and no process or question
 * starts before its turn. This shows if a fault is ours. A child's limit of memory and its watch over the parent stay: they change nothing of
 * the SDK, and without the watch a child would outlive a killed run.
 */
export function isPlainSdk(): boolean {
  return process.env["LANDFORM_PLAIN_SDK"] === "1";
}
