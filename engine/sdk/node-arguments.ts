/**
 * Arguments of Node that are for the process alone that is started with them. What it forks is given its arguments, too, and
 * would wait for a word of ours, or live for as long as its own channel does; as a worker's, those of V8 are refused.
 */
import { extname } from "node:path";

/** What is new may take three times this; V8 would let it grow to 48 MB more, and it never gives them back. */
export const LITTLE_NEW = "--max-semi-space-size=8";

/**
 * A child that watches its channel to its parent learns at once when the parent is gone. One that leaves by itself when it
 * is asked to keeps what it compiled for the next start.
 */
const WATCHING = 'process.once("disconnect",()=>process.exit(1));process.once("SIGTERM",()=>process.exit(143))';
export const WATCH_PARENT = `--import=data:text/javascript,${encodeURIComponent(WATCHING)}`;

/** What the SDK does in this process is changed, unless LANDFORM_PLAIN_SDK says otherwise. */
export const HOOK = importOf("child-hook");

/** It waits for its work (spares.ts). */
export const WAIT = importOf("spare-hook");

function importOf(module: string): string {
  return `--import=${new URL(`./${module}${extname(import.meta.filename)}`, import.meta.url).href}`;
}

const OURS: ReadonlySet<string> = new Set([LITTLE_NEW, WATCH_PARENT, WAIT]);

/** In the process that was started with them: what it starts itself goes without. */
export function keepOwnArguments(): void {
  process.execArgv = process.execArgv.filter((argument) => !OURS.has(argument));
}
