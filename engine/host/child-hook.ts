/**
 * Loaded into the program and into the provider's host. Pulumi's SDK loads the TypeScript compiler and npm's tree builder
 * in every process, which is more than half of its start, and needs them only to serialize functions and to compile
 * programs: here they are loaded when they are first used.
 */
import { registerHooks } from "node:module";

const SHIM = /\/@pulumi\/pulumi\/typescript-shim\.js$/;
const CODE_PATHS = /\/@pulumi\/pulumi\/runtime\/closure\/codePaths\.js$/;

registerHooks({
  load(url, context, next) {
    const loaded = next(url, context);
    const rewrite = SHIM.test(url) ? deferred : CODE_PATHS.test(url) ? withoutTreeBuilder : undefined;
    if (rewrite === undefined || loaded.source === undefined) return loaded;
    const { source: text } = loaded;
    const source = typeof text === "string" ? text : new TextDecoder().decode(text);
    return { ...loaded, source: rewrite(source) };
  },
});

/** A CommonJS module that runs when something of it is first asked for. */
function deferred(source: string): string {
  return `let loaded;
function load() {
  if (loaded === undefined) {
    const own = { exports: {} };
    (function (module, exports) {${source}
    })(own, own.exports);
    loaded = own.exports;
  }
  return loaded;
}
module.exports = new Proxy({}, { get: (_, key) => load()[key], has: (_, key) => key in load() });`;
}

function withoutTreeBuilder(source: string): string {
  return source.replace(
    '__importStar(require("@npmcli/arborist"))',
    '{ get Arborist() { return require("@npmcli/arborist").Arborist; } }',
  );
}
