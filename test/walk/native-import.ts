/** Loads programs as Node does, past the test runner. A test requires this file, so that Node itself reads it. */
import { registerHooks } from "node:module";

const repository = new URL("../../", import.meta.url).href;
const RUN = /\?run=\d+$/;
let runs = 0;

/** A program imports this package from the repository. Each run loads it and the program anew, as its own process would. */
registerHooks({
  resolve: (specifier, context, next) => {
    const [run] = RUN.exec(context.parentURL ?? "") ?? [];
    if (run === undefined || specifier.startsWith("node:")) return next(specifier, context);
    const isOwn = /^[./]|^file:/.test(specifier);
    const resolved = next(specifier, isOwn ? context : { ...context, parentURL: `${repository}package.json` });
    const isPart = resolved.url.startsWith("file:") && !resolved.url.includes("/node_modules/");
    return isPart ? { ...resolved, url: `${resolved.url}${run}` } : resolved;
  },
});

export const load = async (url: string): Promise<Record<string, unknown>> =>
  (await import(`${url}?run=${++runs}`)) as Record<string, unknown>;
