/**
 * Loaded into the program and into the provider's host. Pulumi's SDK loads the TypeScript compiler, npm's tree builder, its
 * Automation API and the exporters of its traces in every process, which is more than half of its start, and needs them
 * only to serialize functions, to compile programs, to drive other programs and to trace: here they are loaded when they
 * are first used. What the SDK writes otherwise some day is left as it is.
 */
import { registerHooks } from "node:module";

const REWRITES: readonly (readonly [path: RegExp, rewrite: (source: string) => string])[] = [
  [/\/@pulumi\/pulumi\/typescript-shim\.js$/, deferred],
  [/\/@pulumi\/pulumi\/runtime\/closure\/codePaths\.js$/, withoutTreeBuilder],
  [/\/@pulumi\/pulumi\/index\.js$/, withoutAutomation],
  [/\/@pulumi\/pulumi\/cmd\/run\/tracing\.js$/, withoutExporters],
];

registerHooks({
  load(url, context, next) {
    const loaded = next(url, context);
    const rewrite = REWRITES.find(([path]) => path.test(url))?.[1];
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
module.exports = ${whenAsked("load()")};`;
}

function withoutTreeBuilder(source: string): string {
  return source.replace(
    '__importStar(require("@npmcli/arborist"))',
    '{ get Arborist() { return require("@npmcli/arborist").Arborist; } }',
  );
}

function withoutAutomation(source: string): string {
  return source.replace('__importStar(require("./automation"))', whenAsked('require("./automation")'));
}

/** They are used by one function alone, which runs where somebody traces. */
function withoutExporters(source: string): string {
  const uses = /^const \{[^}]*\} = require\("@opentelemetry\/[^"]*"\);\n/gm;
  const start = "function start(destinationUrl) {\n";
  if (!source.includes(start)) return source;
  const [head = "", ...rest] = source.split(start);
  return head.replaceAll(uses, "") + start + (head.match(uses) ?? []).join("") + rest.join(start);
}

/** Stands in place of a module until something of it is asked for. */
function whenAsked(module: string): string {
  return `new Proxy({}, {
    get: (_, key) => ${module}[key],
    has: (_, key) => key in ${module},
    ownKeys: () => Reflect.ownKeys(${module}),
    getOwnPropertyDescriptor(_, key) {
      const found = Reflect.getOwnPropertyDescriptor(${module}, key);
      return found && { ...found, configurable: true };
    },
  })`;
}
