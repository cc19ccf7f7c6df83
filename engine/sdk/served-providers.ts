/** The providers that the SDK's own host has made (rewrites.ts). A host that serves several runs has to forget them between two. */
export const servedProviders: Record<string, unknown> = {};

/**
 * Forgets the run: its providers, and what the SDK has read from its environment. Returns false if a provider was other code than an export of the
 * module, which may keep anything of the run, or if the SDK has told of no provider.
 */
export function forgetRun(module: string): boolean {
  const made = Object.keys(servedProviders);
  for (const provider of made) Reflect.deleteProperty(servedProviders, provider);
  Reflect.deleteProperty(globalThis, "globalStore");
  return made.length > 0 && made.every((provider) => provider.startsWith(`exports.handler=()=>require("${module}").`));
}
