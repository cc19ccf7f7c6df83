/** Changes the text of the SDK's modules as they are loaded. */

type Rewrite = (source: string) => string;

/** The rewrites by module. Several for one module run in order. */
export const REWRITES: readonly (readonly [path: RegExp, rewrite: Rewrite])[] = [
  [/\/@pulumi\/pulumi\/proto\/\w+_grpc_pb\.js$/, withOurClients],
  [/\/@pulumi\/pulumi\/runtime\/resource\.js$/, withPlainProperties],
  [/\/google-protobuf\/google\/protobuf\/struct_pb\.js$/, withQuickStructs],
  [/\/@pulumi\/pulumi\/typescript-shim\.js$/, deferred],
  [/\/@pulumi\/pulumi\/runtime\/closure\/codePaths\.js$/, withoutTreeBuilder],
  [/\/@pulumi\/pulumi\/cmd\/run\/tracing\.js$/, withoutExporters],
  [/\/@pulumi\/pulumi\/cmd\/run\/error\.js$/, withOurs("thrownAsText", "defaultErrorMessage")],
  [/\/@pulumi\/pulumi\/cmd\/run\/run\.js$/, withThrownNothing],
  [/\/@pulumi\/pulumi\/cmd\/run\/run\.js$/, withUncalledTold],
  [/\/@pulumi\/pulumi\/runtime\/debuggable\.js$/, withoutTraces],
  [/\/@pulumi\/pulumi\/runtime\/rpc\.js$/, withOurs("lazyOutputs", "transferProperties")],
  [
    /\/@pulumi\/pulumi\/runtime\/closure\/serializeClosure\.js$/,
    withOurs("plainOutputs", "serializeFunction", "serializeFunctionAsync"),
  ],
  [/\/@pulumi\/pulumi\/log\/index\.js$/, withoutDebugMessages],
  [/\/@pulumi\/pulumi\/cmd\/dynamic-provider\/index\.js$/, withToldProviders],
  [/\/@pulumi\/pulumi\/runtime\/index\.js$/, withQuestionTold],
];

export function rewriteOf(url: string): Rewrite | undefined {
  const found = REWRITES.filter(([path]) => path.test(url)).map(([, rewrite]) => rewrite);
  return found.length === 0 ? undefined : (source) => found.reduce((text, rewrite) => rewrite(text), source);
}

const OURS = 'globalThis[Symbol.for("landform.sdk")]';
/** Makes the engine's clients use gRPC only if they have to. */
function withOurClients(source: string): string {
  return source.replace(/require\((["'])@grpc\/grpc-js\1\)/, (grpc) => `${OURS}.clientsOf(${grpc})`);
}

/** Sends properties as they are, if both ends understand that. */
function withPlainProperties(source: string): string {
  return source.replace(
    /(req\.setObject\(|const outputsObj = )gstruct\.Struct\.fromJavaScript\(/g,
    (_, before: string) => `${before}${OURS}.structFor(gstruct.Struct, `,
  );
}

/** Makes each struct keep its bytes. The module's last functions are about structs. */
function withQuickStructs(source: string): string {
  const ours = `${OURS}.quickStructs(exports.Struct, require("google-protobuf").BinaryReader);`;
  return source.replace(/^proto\.google\.protobuf\.Struct\.fromJavaScript = [^]*$/m, (last) => `${last}\n${ours}\n`);
}

/** Runs a CommonJS module on first use: the TypeScript compiler, which serializes functions. */
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
module.exports = new Proxy({}, {
  get: (_, key) => load()[key],
  has: (_, key) => key in load(),
  ownKeys: () => Reflect.ownKeys(load()),
  getOwnPropertyDescriptor(_, key) {
    const found = Reflect.getOwnPropertyDescriptor(load(), key);
    return found && { ...found, configurable: true };
  },
});`;
}

/** npm's tree builder is only for serializing functions, too. */
function withoutTreeBuilder(source: string): string {
  return source.replace(
    '__importStar(require("@npmcli/arborist"))',
    '{ get Arborist() { return require("@npmcli/arborist").Arborist; } }',
  );
}

/** Only one function uses the exporters, and it runs only with tracing. */
function withoutExporters(source: string): string {
  const uses = /^const \{[^}]*\} = require\("@opentelemetry\/[^"]*"\);\n/gm;
  const start = "function start(destinationUrl) {\n";
  if (!source.includes(start)) return source;
  const [head = "", ...rest] = source.split(start);
  return head.replaceAll(uses, "") + start + (head.match(uses) ?? []).join("") + rest.join(start);
}

/** Drops the stack of each promise, which took half of a program's time. It is printed only with PULUMI_DEBUG_PROMISE_LEAKS. */
function withoutTraces(source: string): string {
  const notes = /(^ *Object\.defineProperty\(p, "_debug.*\n)+/m;
  return source.replace(notes, (lines) => `if (exports.debugPromiseLeaks) {\n${lines}}\n`);
}

/** Drops three calls for each resource, one after another. The embedded engine ignores them, and Pulumi's shows them with --debug. */
function withoutDebugMessages(source: string): string {
  return source.replace("function debug(msg, resource, streamId, ephemeral) {\n", "$&    return Promise.resolve();\n");
}

/** Wraps the `isDryRun` that programs import. The SDK's own modules import it from its definition and call it in every run. */
function withQuestionTold(source: string): string {
  return source.replace(
    '__export(require("./settings"));',
    `$&\nexports.isDryRun = ${OURS}.toldWhenAsked(exports.isDryRun);`,
  );
}

/** Tells which providers a host has made, so that it can serve another run. */
function withToldProviders(source: string): string {
  return source.replace("const providerCache = {};", `const providerCache = ${OURS}.servedProviders;`);
}

/** A program can throw null, too, and the SDK would fail over it. */
function withThrownNothing(source: string): string {
  const handler = "const uncaughtHandler = (err) => {\n";
  return source.replace(
    handler,
    `const uncaughtHandler = (thrown) => {\n        const err = ${OURS}.thrownError(thrown);\n`,
  );
}

/** Reports a program that is only a function nobody calls: it would declare nothing, and the run would delete everything. */
function withUncalledTold(source: string): string {
  return source.replace(
    "programExport = require(program);",
    `$&\n                if (${OURS}.isNeverCalled(programExport)) log.warn(${OURS}.NEVER_CALLED);`,
  );
}

function withOurs(ours: string, ...names: string[]): Rewrite {
  const around = (name: string): string => `exports.${name} = ${OURS}.${ours}(${name});`;
  return (source) => names.reduce((text, name) => text.replace(`exports.${name} = ${name};`, around(name)), source);
}
