import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { beforeEach, describe, expect, test } from "vitest";
import { Bench } from "./harness.ts";
import { thorough } from "../suite/parts.ts";

const bench = Bench.each();

/** Expects a message that names the line, a failed run, and no deletion, whatever the program does wrong. */
async function expectFailure(body: string, message: RegExp): Promise<string> {
  expect((await bench.runs("up", body)).result).toBe("failed");
  const told = bench.diagnostics("error").join("\n");
  expect(told).toMatch(message);
  expect(await bench.calls("delete")).toEqual([]);
  return told;
}

thorough("a program may bring functions, which the SDK serializes with the packages they need", async () => {
  await mkdir(join(bench.root, "node_modules/needed"), { recursive: true });
  await writeFile(join(bench.root, "node_modules/needed/package.json"), '{ "name": "needed", "version": "1.0.0" }');
  await writeFile(join(bench.root, "package.json"), '{ "main": "index.cjs", "dependencies": { "needed": "1.0.0" } }');
  const { outputs, failures } = await bench.up(`
    const size = 3;
    const make = (name) => ({ id: name, outs: { size } });
    class Own extends pulumi.dynamic.Resource {
      constructor(name) {
        super({ create: async () => make("own"), diff: async () => ({ changes: false }) }, name, { size: undefined });
      }
    }
    exports.size = new Own("own").size;
    exports.paths = pulumi.runtime.computeCodePaths().then((paths) => [...paths.keys()].join());`);
  expect([outputs["size"]?.value, outputs["paths"]?.value, failures]).toEqual([3, "node_modules/needed", []]);
});

describe("a program", () => {
  beforeEach(() => bench.runs("up", `new Thing("kept", {});`));

  test("that throws", async () => {
    await expectFailure(`function boom() { throw new Error("no idea"); }\nboom();`, /no idea[^]*index\.cjs:4/);
    await expectFailure(`Promise.reject(new Error("left alone"));`, /left alone[^]*index\.cjs:4/);
  });

  thorough("with a syntax error", () => expectFailure(`const = 3;`, /index\.cjs:4/));

  test("that leaves by itself in the middle deletes nothing", async () => {
    await expectFailure(`process.exit(0);`, /before Pulumi's runtime was done[^]*process\.exit/);
    await expectFailure(`setTimeout(() => process.exit(3), 1);`, /failed with exit code 3/);
  });

  thorough("with two resources of one name, both lines told", async () => {
    const told = await expectFailure(
      `new Thing("twin", {});\nnew Thing("twin", {});`,
      /two resources of type toy:Thing are named "twin": the second \(index\.cjs:5:\d+\), the first \(index\.cjs:4:\d+\)/,
    );
    expect(told).not.toMatch(/UNAVAILABLE|shutting down/);
  });

  thorough("that logs", async () => {
    await bench.runs("preview", `pulumi.log.warn("careful", new Thing("kept", {})); console.error("aside");`);
    expect(bench.diagnostics("warning")).toEqual(["careful"]);
    expect(bench.diagnostics("info#err")).toEqual(["aside"]);
    const warning = bench.events.find(({ diagnosticEvent }) => diagnosticEvent?.severity === "warning");
    expect(warning?.diagnosticEvent?.urn).toMatch(/::kept$/);
  });

  thorough("leaves in the state where it registers, as Pulumi does", async () => {
    await bench.runs("up", `\n\n  new Thing("there", {});`);
    const there = await bench.resource("there");
    expect(there?.sourcePosition).toMatch(/^project:\/\/\/index\.cjs#6,\d+$/);
    expect(there?.stackTrace?.[0]).toEqual({ sourcePosition: there?.sourcePosition });
    expect((await bench.run("preview")).summary).toEqual({ same: 2 });
  });
});

describe("what a state can't hold is refused by its place, and nothing is called for it", () => {
  const odd = (text: string): string => `exports.odd = { "4dabf18193072939515e22adb298388d": ${text} };`;
  const cases: [string, string, RegExp][] = [
    ["an input that is no number", `new Thing("a", { deep: { list: [1, NaN] } });`, /"a".*: deep\.list\[1\] is NaN/],
    ["an endless input", `new Thing("a", { size2: -Infinity });`, /"a".*: size2 is -Infinity/],
    ["half an emoji", `new Thing("a", { text: "x\\ud83d" });`, /"a".*: text is half of a surrogate pair/],
    ["a special value that Pulumi doesn't know", odd('"zzz"'), /outputs: odd is an object with the key/],
    ["one in a list", `${odd("5")} exports.odd = [exports.odd];`, /outputs: odd\[0\] is an object with the key/],
    ["one whose mark is no text", odd("5"), /outputs: odd is an object with the key/],
    ["a resource that has no URN", odd('"5cf8f73096256a8f31e491e813e4eb8e"'), /outputs: odd is an object with/],
    ["a secret out of another state", odd('"1b47061264138c4ac30d75fd1eb44270", ciphertext: "v1"'), /outputs: odd is/],
    ["an output", `${odd('"d0e6a833031e9bbcd3f4e8bde6ca49a4"')} new Thing("a", exports);`, /"a".*: odd is an object/],
    ["half an emoji in the stack's outputs", `exports.note = "x\\ud83d";`, /the stack's outputs: note is half/],
    ["an alias that is no URN", `new Thing("a", {}, { aliases: ["b"] });`, /the alias "b" of "a" is no URN/],
  ];
  test.each(cases)("%s", { tags: ["thorough"] }, async (_name, body, message) => {
    for (const kind of ["preview", "up"] as const) {
      const { result, failures } = await bench.runs(kind, body);
      expect(result).toBe("failed");
      expect(failures.map((failure) => failure.message).join("\n")).toMatch(message);
      expect(JSON.stringify(failures)).not.toContain("node_modules");
    }
    expect(await bench.calls()).toEqual([]);
  });

  thorough("an answer that no state can hold is an error, and the creation stays known", async () => {
    const result = await bench.runs("up", `new Thing("a", { answer: "NaN" });`);
    expect(result.failures[0]?.message).toMatch(/create of toy:Thing "a": rate of the answer is NaN/);
    expect((await bench.state()).pendingOperations.map(({ type }) => type)).toEqual(["creating"]);
  });
});

describe("what only the real engine can do is refused by name", () => {
  const cases: [string, string, RegExp][] = [
    ["another package", `new pulumi.CustomResource("aws:s3/bucket:Bucket", "b", {});`, /provider package "aws"/],
    ["import", `new Thing("a", {}, { import: "id" });`, /option `import` \("a"\)/],
    ["transforms", `new Thing("a", {}, { transforms: [() => undefined] });`, /transforms/],
    ["hooks", `new Thing("a", {}, { hooks: { afterCreate: [() => {}] } });`, /hook/i],
    ["version", `new Thing("a", {}, { version: "1.2.3" });`, /option `version` \("a"\)/],
    ["pluginDownloadURL", `new Thing("a", {}, { pluginDownloadURL: "https://x" });`, /option `pluginDownloadURL`/],
    ["replaceWith", `const a = new Thing("a", {}); new Thing("b", {}, { replaceWith: [a] });`, /replaceWith/i],
    ["a stack reference", `new pulumi.StackReference("org/other/dev");`, /stack reference "org\/other\/dev"/],
    ["an invoke", `pulumi.runtime.invoke("aws:index/getAmi:getAmi", {});`, /function aws:index\/getAmi:getAmi/],
    ["reading by id", `new Thing("a", {}, { id: "x" });`, /reading an existing resource by its id \(.*"a"\)/],
    ["an asset", `new Thing("a", { b: new pulumi.asset.StringAsset("x") });`, /an asset as a property value \("a"\)/],
    ["a remote component", `new pulumi.ComponentResource("x:y:Z", "c", {}, {}, true);`, /the remote component x:y:Z/],
  ];

  test.each(cases)("%s", { tags: ["thorough"] }, async (_name, body, message) => {
    const { result, failures } = await bench.runs("preview", body);
    expect([result, failures]).toMatchObject(["failed", [{ cause: "unsupported" }]]);
    expect(failures[0]?.message).toMatch(message);
    expect(failures[0]?.message).toContain("--engine pulumi");
    expect(JSON.stringify(bench.events)).not.toContain("update the Pulumi CLI");
    expect(await bench.calls()).toEqual([]);
  });
});

describe("a TypeScript program", () => {
  const body = `
    import * as pulumi from "@pulumi/pulumi";
    export const greeting: string = "hello " + new pulumi.Config().require("who");
    export const where: string = pulumi.getOrganization() + "/" + pulumi.getProject() + "/" + pulumi.getStack();
  `;
  const config = { values: { "demo:who": "you" }, secretKeys: [] };
  const outputs = { greeting: { value: "hello you" }, where: { value: "organization/demo/dev" } };

  async function runs(entry: string, options: object, typescript: boolean): Promise<void> {
    const folder = join(bench.root, entry);
    await bench.linkSdk(folder);
    await writeFile(join(folder, "package.json"), JSON.stringify(options));
    await writeFile(join(folder, "index.ts"), body);
    expect(await bench.run("up", { config, program: { entry, typescript } })).toMatchObject({ failures: [], outputs });
  }

  test("as an ES module runs on Node's own type stripping", () =>
    runs("infra", { type: "module", main: "index.ts" }, false));

  thorough("as CommonJS is compiled by the SDK, as Pulumi's language host does it", () =>
    runs(".", { name: "program" }, true),
  );
});
