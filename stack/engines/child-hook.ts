/**
 * Loaded with --import into the program and into the provider's host. It finds `landform` and `@pulumi/pulumi` from here where the project
 * has none. A Ctrl-C reaches every process of the terminal, but only the command line may answer it, because a call under way has to end. A
 * host that Pulumi started is in a group of its own, out of the terminal's reach, and Pulumi ends it with SIGINT when the last record is
 * written. Pulumi waits five seconds for a host that ignores the signal. No process stays behind when the command line is gone, but for the host
 * that waits for Pulumi's plugin: it ends with the run that it serves.
 */
import { registerHooks } from "node:module";

registerHooks({
  resolve(specifier, context, next) {
    try {
      return next(specifier, context);
    } catch (error) {
      if (!/^(landform|@pulumi\/pulumi)(\/|$)/.test(specifier)) throw error;
      return next(specifier, { ...context, parentURL: import.meta.url });
    }
  },
});

const [, script = ""] = process.argv;

/** The embedded engine's own host has a channel to it. */
const isPulumisHost =
  /[\\/](cmd[\\/]dynamic-provider([\\/]|$)|engines[\\/]pulumi[\\/]host[\\/]plugin\.[jt]s$)/.test(script) &&
  process.channel === undefined;
if (!isPulumisHost) process.on("SIGINT", () => undefined);

const exit = process.exit.bind(process);

const PROGRAM = /[\\/]cmd[\\/]run([\\/]|$)|[\\/]engines[\\/]pulumi[\\/]child\.[jt]s$/;
if (PROGRAM.test(script)) refuseExit();

/** A program that exits by itself looks like one that declares nothing, so it is told where it exits. Libraries may exit. */
function refuseExit(): void {
  process.exit = (code) => {
    const caller = new Error("caller").stack?.split("\n")[2] ?? "";
    if (/node_modules|node:|\(native\)/.test(caller)) exit(code);
    throw new Error(
      `the program calls process.exit(${code ?? ""}) before Pulumi is done with it. Return, or throw an error instead`,
    );
  };
}

const PARENT_CHECK_MS = 1_000;
const WAITING_HOST = /[\\/]engines[\\/]pulumi[\\/]host[\\/]process\.[jt]s$/;
const parent = process.ppid;
if (!WAITING_HOST.test(script))
  setInterval(() => {
    if (process.ppid !== parent) exit(1);
  }, PARENT_CHECK_MS).unref();
