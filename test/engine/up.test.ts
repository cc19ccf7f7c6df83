import { rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { SECRET_SIG, SIG_KEY } from "../../engine/model/types.ts";
import { Bench } from "./harness.ts";
import { forEachTest } from "../suite/opened.ts";
import { thorough } from "../suite/parts.ts";

const bench = forEachTest(() => Bench.open());

const urn = (name: string, type = "pulumi-nodejs:dynamic/toy:Thing") => `urn:pulumi:dev::demo::${type}::${name}`;

async function resource(name: string) {
  const { resources } = await bench.state();
  return resources.find((candidate) => candidate.urn.endsWith(`::${name}`));
}

describe("up", () => {
  test("creates what the program registers, with outputs flowing between resources", async () => {
    await bench.program(`
      const a = new Thing("a", { text: "hello" });
      const b = new Thing("b", { text: pulumi.interpolate\`\${a.size} and more\` });
      exports.size = a.size;
      exports.text = b.text;
    `);
    const preview = await bench.run("preview");
    expect(preview.summary).toEqual({ create: 3 });
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
    expect((await resource("b"))?.propertyDependencies).toMatchObject({ text: [urn("a")] });
  });

  test("updates, leaves alone and deletes, dependents before what they depend on", async () => {
    await bench.program(`
      const a = new Thing("a", { text: "one" });
      const b = new Thing("b", { text: a.text });
      new Thing("c", { text: b.text }, { dependsOn: a });
    `);
    await bench.apply();
    await bench.clearCalls();
    await bench.program(`new Thing("a", { text: "two" });`);
    const result = await bench.apply();
    expect(result.summary).toEqual({ same: 1, update: 1, delete: 2 });
    expect(await bench.calls()).toEqual(["update a", "delete c", "delete b"]);
    const step = result.plan.steps.find(({ op }) => op === "update");
    expect(step?.detailedDiff).toEqual({ text: { diffKind: "update", inputDiff: true, old: "one", new: "two" } });
  });

  thorough("a no-op calls the provider for nothing but check and diff", async () => {
    await bench.program(`for (const name of ["a", "b", "c"]) new Thing(name, { text: name });`);
    await bench.apply();
    await bench.clearCalls();
    const before = JSON.stringify(await bench.state());
    const result = await bench.run("up");
    expect(result.summary).toEqual({ same: 4 });
    expect(new Set(await bench.calls("check", "diff", "create", "read", "update", "delete"))).toEqual(
      new Set(["check a", "check b", "check c", "diff a", "diff b", "diff c"]),
    );
    expect(JSON.parse(JSON.stringify((await bench.state()).resources))).toEqual(
      (JSON.parse(before) as { resources: unknown }).resources,
    );
  });

  thorough("a replacement is created first, and deleted after its dependents have moved", async () => {
    const body = (kind: string) => `
      const a = new Thing("a", { kind: "${kind}" });
      new Thing("b", { text: a.id });
    `;
    await bench.program(body("one"));
    await bench.apply();
    const before = (await resource("a"))?.id;
    await bench.clearCalls();
    await bench.program(body("two"));
    const preview = await bench.run("preview");
    expect(preview.plan.steps.filter(({ op }) => op !== "same").map(({ op }) => op)).toEqual([
      "create-replacement",
      "replace",
      "update",
      "delete-replaced",
    ]);
    const result = await bench.apply();
    expect(result.summary).toEqual({ same: 1, replace: 1, update: 1 });
    expect(await bench.calls()).toEqual(["create a", "update b", "delete a"]);
    expect((await resource("a"))?.id).not.toBe(before);
    const replace = result.plan.steps.find(({ op }) => op === "replace");
    expect(replace?.detailedDiff["kind"]?.diffKind).toBe("update-replace");
  });

  thorough("deleteBeforeReplace deletes first, and with it the dependents that must be replaced too", async () => {
    const body = (kind: string) => `
      const a = new Thing("a", { kind: "${kind}" }, { deleteBeforeReplace: true });
      new Thing("b", { base: a.id });
      new Thing("c", { text: a.id });
    `;
    await bench.program(body("one"));
    await bench.apply();
    await bench.clearCalls();
    await bench.program(body("two"));
    const result = await bench.apply();
    expect(result.summary).toEqual({ same: 1, replace: 2, update: 1 });
    const calls = await bench.calls();
    expect(calls.slice(0, 3)).toEqual(["delete b", "delete a", "create a"]);
    expect(new Set(calls.slice(3))).toEqual(new Set(["create b", "update c"]));
  });

  thorough("a provider may ask for deletion first, and the program may refuse it", async () => {
    const body = (kind: string, options: string) =>
      `new Thing("a", { kind: "${kind}", deleteFirst: true }, ${options});`;
    await bench.program(body("one", "{}"));
    await bench.apply();
    await bench.clearCalls();
    await bench.program(body("two", "{}"));
    await bench.apply();
    expect(await bench.calls()).toEqual(["delete a", "create a"]);
    await bench.clearCalls();
    await bench.program(body("three", "{ deleteBeforeReplace: false }"));
    await bench.apply();
    expect(await bench.calls()).toEqual(["create a", "delete a"]);
  });

  thorough("protect refuses deletion and replacement before anything is called", async () => {
    await bench.program(`new Thing("a", { kind: "one" }, { protect: true });`);
    await bench.apply();
    await bench.clearCalls();
    await bench.program(`new Thing("a", { kind: "two" }, { protect: true });`);
    for (const kind of ["preview", "up"] as const) {
      const replaced = await bench.run(kind);
      expect(replaced.failures).toMatchObject([{ cause: "protected" }]);
      expect(replaced.failures[0]?.message).toMatch(/toy:Thing "a" \(index\.cjs:4:\d+\) would be replaced/);
    }
    await bench.program("");
    const deleted = await bench.run("up");
    expect(deleted.failures).toMatchObject([{ cause: "protected", urn: urn("a") }]);
    expect(await bench.calls()).toEqual([]);
    expect(await resource("a")).toBeDefined();
    await bench.program(`new Thing("a", { kind: "one" });`);
    await bench.apply();
    await bench.program("");
    await bench.apply();
    expect(await bench.calls()).toEqual(["delete a"]);
  });

  thorough("retainOnDelete and deletedWith forget without a call", async () => {
    await bench.program(`
      const a = new Thing("a", {});
      new Thing("b", {}, { retainOnDelete: true });
      new Thing("c", {}, { deletedWith: a });
    `);
    await bench.apply();
    await bench.clearCalls();
    await bench.program("");
    const result = await bench.apply();
    expect(result.summary).toEqual({ same: 1, delete: 3 });
    expect(await bench.calls()).toEqual(["delete a"]);
    expect((await bench.state()).resources).toHaveLength(1);
  });

  thorough("ignoreChanges keeps old values, also inside secrets, and tells where it cannot", async () => {
    const body = (n: number, options: string) =>
      `new Thing("a", { text: "t${n}", tags: { keep: "k${n}", change: "c" }, list: [${n}] }, ${options});`;
    await bench.program(body(1, "{}"));
    await bench.apply();
    await bench.clearCalls();
    await bench.program(body(2, `{ ignoreChanges: ["text", "tags.keep", "list[0]"] }`));
    await bench.apply();
    expect(await bench.calls()).toEqual([]);
    expect((await resource("a"))?.inputs).toMatchObject({ text: "t1", tags: { keep: "k1" }, list: [1] });
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
    const state = await resource("a");
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
    expect((await resource("g"))?.outputs).toHaveProperty("childSize");
    expect((await resource("g-child"))?.urn).toBe(urn("g-child", "toy:Group$pulumi-nodejs:dynamic/toy:Thing"));
    const again = await bench.apply({ config: { values: { "demo:n": "2" }, secretKeys: [] } });
    expect(again.summary).toEqual({ same: 3 });
    expect(await bench.calls()).toEqual(["create g-child"]);
  });

  thorough("a provider of its own, passed on by a component", async () => {
    await bench.program(`
      class Toys extends pulumi.ProviderResource {
        constructor(name, inputs) { super("pulumi-nodejs", name, inputs); }
      }
      class Group extends pulumi.ComponentResource {
        constructor(name, options) {
          super("toy:Group", name, {}, options);
          new Thing(name + "-child", {}, { parent: this });
          if (!options.parent) new Group(name + "-inner", { parent: this });
        }
      }
      const toys = new Toys("toys", { region: "here" });
      new Group("g", { providers: [toys] });
      new Group("named", { providers: { toys } });
      new Thing("other", {}, { provider: toys });
    `);
    const result = await bench.apply();
    expect(result.summary).toEqual({ create: 11 });
    const state = await bench.state();
    expect(state.resources.filter(({ type }) => type === "pulumi:providers:pulumi-nodejs")).toHaveLength(1);
    for (const name of ["g-child", "g-inner-child", "named-child", "named-inner-child"])
      expect((await resource(name))?.provider, name).toMatch(/::toys::/);
    await bench.program("");
    await bench.apply();
    expect(await bench.objects()).toEqual(new Map());
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

  thorough(
    "options are recorded as Pulumi records them, and nested secrets in the stack's outputs are marked",
    async () => {
      await bench.program(`
      const a = new Thing("a", {});
      const b = new Thing("b", { text: a.size }, {
        customTimeouts: { create: "1m30s", delete: "2.5s" }, ignoreChanges: ["x"], replaceOnChanges: ["y"],
        additionalSecretOutputs: ["size"], protect: true, retainOnDelete: true, deletedWith: a, dependsOn: [a],
      });
      exports.nested = { open: 1, list: [b.size] };
    `);
      const result = await bench.apply();
      expect(result.outputs["nested"]).toMatchObject({ secret: true, value: { open: 1, list: [expect.any(Number)] } });
      expect(await resource("b")).toMatchObject({
        customTimeouts: { create: 90, delete: 2.5 },
        ignoreChanges: ["x"],
        replaceOnChanges: ["y"],
        additionalSecretOutputs: ["size"],
        protect: true,
        retainOnDelete: true,
        deletedWith: urn("a"),
        dependencies: [urn("a")],
      });
    },
  );

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
