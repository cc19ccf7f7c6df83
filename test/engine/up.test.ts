import { rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { SECRET_SIG, SIG_KEY } from "../../engine/model/types.ts";
import { Bench, urn } from "./harness.ts";
import { forEachTest } from "../suite/opened.ts";
import { thorough } from "../suite/parts.ts";

const bench = forEachTest(() => Bench.open());

describe("up", () => {
  test("creates what the program registers, with outputs flowing between resources", async () => {
    await bench.program(`
      const a = new Thing("a", { text: "hello" });
      const b = new Thing("b", { text: pulumi.interpolate\`\${a.size} and more\` });
      exports.size = a.size;
      exports.text = b.text;
    `);
    expect((await bench.run("preview")).summary).toEqual({ create: 3 });
    expect(await bench.calls()).toEqual([]);
    const result = await bench.apply();
    expect(result.summary).toEqual({ create: 3 });
    expect(await bench.calls()).toEqual(["create a", "create b"]);
    expect(result.outputs).toEqual({
      size: { value: 27, secret: false },
      text: { value: "27 and more", secret: false },
    });
    const state = await bench.state();
    expect(state.resources.map(({ type }) => type)).toEqual([
      "pulumi:pulumi:Stack",
      "pulumi:providers:pulumi-nodejs",
      "pulumi-nodejs:dynamic/toy:Thing",
      "pulumi-nodejs:dynamic/toy:Thing",
    ]);
    expect((await bench.resource("b"))?.propertyDependencies).toMatchObject({ text: [urn("a")] });
  });

  test("updates, leaves alone and deletes, dependents before what they depend on", async () => {
    await bench.applied(`
      const a = new Thing("a", { text: "one" });
      const b = new Thing("b", { text: a.text });
      new Thing("c", { text: b.text }, { dependsOn: a });
    `);
    await bench.program(`new Thing("a", { text: "two" });`);
    const result = await bench.apply();
    expect(result.summary).toEqual({ same: 1, update: 1, delete: 2 });
    expect(await bench.calls()).toEqual(["update a", "delete c", "delete b"]);
    const step = result.plan.steps.find(({ op }) => op === "update");
    expect(step?.detailedDiff).toEqual({ text: { diffKind: "update", inputDiff: true, old: "one", new: "two" } });
  });

  thorough("ignoreChanges keeps old values, also inside secrets, and tells where it cannot", async () => {
    const body = (n: number, options: string) =>
      `new Thing("a", { text: "t${n}", tags: { keep: "k${n}", change: "c" }, list: [${n}] }, ${options});`;
    await bench.applied(body(1, "{}"));
    await bench.program(body(2, `{ ignoreChanges: ["text", "tags.keep", "list[0]"] }`));
    await bench.apply();
    expect(await bench.calls()).toEqual([]);
    expect((await bench.resource("a"))?.inputs).toMatchObject({ text: "t1", tags: { keep: "k1" }, list: [1] });
    await bench.program(`new Thing("a", { text: "t1", list: [] }, { ignoreChanges: ["list[0]"] });`);
    await bench.run("up");
    expect(bench.diagnostics("info").join()).toContain("list[0]");
  });

  thorough("secrets stay secret in the state, in outputs of the same name and in every event", async () => {
    await bench.program(`
      const a = new Thing("a", { text: pulumi.secret("hush"), other: "plain" }, { additionalSecretOutputs: ["size"] });
      exports.text = a.text;
      exports.size = a.size;
      exports.other = a.other;
      pulumi.log.info("the key is " + new pulumi.Config().require("key"));
    `);
    const config = { values: { "demo:key": "open sesame" }, secretKeys: ["demo:key"] };
    const seen: string[] = [];
    const result = await bench.apply({ config });
    seen.push(JSON.stringify(bench.events));
    const state = await bench.resource("a");
    expect(state?.inputs?.["text"]).toEqual({ [SIG_KEY]: SECRET_SIG, value: "hush" });
    expect(state?.outputs?.["text"]).toEqual({ [SIG_KEY]: SECRET_SIG, value: "hush" });
    expect(state?.outputs?.["size"]).toMatchObject({ [SIG_KEY]: SECRET_SIG });
    expect(state?.outputs?.["other"]).toBe("plain");
    expect(result.outputs).toMatchObject({
      text: { value: "hush", secret: true },
      size: { secret: true },
      other: { secret: false },
    });
    await bench.program(`new Thing("a", { text: pulumi.secret("hush hush"), other: "plain" });`);
    const changed = await bench.run("up", { config });
    seen.push(JSON.stringify(bench.events), JSON.stringify(changed.plan));
    expect(changed.plan.steps.find(({ op }) => op === "update")?.detailedDiff).toEqual({
      text: { diffKind: "update", inputDiff: true, old: "[secret]", new: "[secret]" },
    });
    expect(seen.join()).not.toMatch(/hush|open sesame/);
    const provider = (await bench.state()).resources.find(({ type }) => type === "pulumi:providers:pulumi-nodejs");
    expect(provider?.inputs).toEqual({ "demo:key": { [SIG_KEY]: SECRET_SIG, value: "open sesame" } });
  });

  thorough("components, their outputs and children; a changed configuration updates only the provider", async () => {
    await bench.program(`
      class Group extends pulumi.ComponentResource {
        constructor(name, options) {
          super("toy:Group", name, {}, options);
          const child = new Thing(name + "-child", { text: "x" }, { parent: this });
          this.registerOutputs({ childSize: child.size });
        }
      }
      new Group("g");
    `);
    const result = await bench.apply({ config: { values: { "demo:n": "1" }, secretKeys: [] } });
    expect(result.summary).toEqual({ create: 3 });
    expect((await bench.resource("g"))?.outputs).toHaveProperty("childSize");
    expect((await bench.resource("g-child"))?.urn).toBe(urn("g-child", "toy:Group$pulumi-nodejs:dynamic/toy:Thing"));
    expect((await bench.apply({ config: { values: { "demo:n": "2" }, secretKeys: [] } })).summary).toEqual({ same: 3 });
    expect(await bench.calls()).toEqual(["create g-child"]);
  });

  thorough("so many calls at once as it may make, and no more", async () => {
    const body = (prefix: string) => `for (let i = 0; i < 6; i++) new Thing("${prefix}" + i, { delay: 300 });`;
    const most = async () => Math.max(...(await bench.calls("busy")).map((line) => Number(line.split(" ")[1])));
    await bench.program(body("a"));
    await bench.run("up", { parallel: 3 });
    expect(await most()).toBe(3);
    await bench.clearCalls();
    await bench.program(body("b"));
    await bench.run("up", { parallel: 1 });
    expect(await most()).toBe(1);
  });

  thorough("classic dynamic resources, whose provider travels as source text, work too", async () => {
    const body = (text: string) => `
      const provider = {
        async create(inputs) { return { id: "one", outs: { ...inputs, length: inputs.text.length } }; },
        async update(id, olds, news) { return { outs: { ...news, length: news.text.length } }; },
      };
      class Classic extends pulumi.dynamic.Resource {
        constructor(name, props) { super(provider, name, { ...props, length: undefined }); }
      }
      exports.length = new Classic("c", { text: "${text}" }).length;
    `;
    await bench.program(body("four"));
    expect((await bench.apply()).outputs).toEqual({ length: { value: 4, secret: false } });
    await bench.program(body("three"));
    const result = await bench.apply();
    expect(result.summary).toEqual({ same: 1, update: 1 });
    expect(result.outputs["length"]?.value).toBe(5);
  });

  thorough("replaceOnChanges replaces where the engine compares the inputs by itself", async () => {
    await writeFile(
      join(bench.root, "plain.cjs"),
      `exports.plain = { create: async (inputs) => ({ id: "x", outs: inputs }), update: async (id, olds, news) => ({ outs: news }) };`,
    );
    const body = (text: string) => `
      class Plain extends pulumi.CustomResource {
        constructor(name, inputs, options) {
          super("pulumi-nodejs:dynamic/toy:Plain", name, { ...inputs, __provider: "exports.handler=()=>require(" + JSON.stringify(require.resolve("./plain.cjs")) + ").plain" }, options);
        }
      }
      new Plain("p", { text: "${text}", other: "${text}" }, { replaceOnChanges: ["text"] });
    `;
    await bench.program(body("one"));
    await bench.apply();
    await bench.program(body("two"));
    expect((await bench.apply()).summary).toEqual({ same: 1, replace: 1 });
    await rm(join(bench.root, "plain.cjs"));
  });
});
