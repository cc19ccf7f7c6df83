/**
 * Two processes serve dynamic providers: Pulumi's own host serves those that a program serialized, and the light host serves exports of modules. They
 * give the same answers to the same calls.
 */
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import fc from "fast-check";
import { afterAll, beforeAll, expect, test } from "vitest";
import { Events } from "../../engine/events.ts";
import {
  type Asked,
  FailedToComeUp,
  type HostOptions,
  type Method,
  moduleReference,
  type Wire,
} from "../../engine/link/wire.ts";
import { LightProcess } from "../../engine/link/light-process.ts";
import { startSdkHost } from "../../engine/link/sdk-host.ts";
import { loadSdk } from "../../engine/link/sdk.ts";
import type { Json, PropertyMap } from "../../engine/model/types.ts";
import { thorough } from "../suite/parts.ts";

const PROVIDER = 'exports.handler=()=>require("./provider.cjs").odd';
const identity = {
  urn: "urn:pulumi:dev::test::pulumi:providers:pulumi-nodejs::default",
  id: "id",
  inputs: { "test:greeting": "hello", "test:number": "12" },
};
const URN = "urn:pulumi:dev::test::pulumi-nodejs:dynamic/test:Odd::one";

/** `does` in the inputs chooses the answer. */
const SOURCE = `
let config;
const act = (inputs, answer) => {
  if (inputs.does === "throw") throw new Error(inputs.text);
  if (inputs.does === "throw empty") throw new Error("");
  if (inputs.does === "fail") throw Object.assign(new Error(inputs.text), { id: "half", properties: { a: 1 }, reasons: ["one", "two"] });
  if (inputs.does === "fail without a reason") throw Object.assign(new Error(inputs.text), { id: "half" });
  return answer;
};
exports.odd = {
  configure: (request) => void (config = request.config),
  check: async (olds, news) => act(news, {
    inputs: { ...news, seen: olds.seen ?? 0, greeting: config.get("greeting"), whole: config.get("test:number") ?? null },
    failures: news.failures,
  }),
  diff: async (id, olds, news) => act(news, { changes: news.changes, replaces: news.replaces, deleteBeforeReplace: news.first }),
  create: async (inputs) => act(inputs, { id: inputs.id ?? "made", outs: inputs.outs }),
  update: async (id, olds, news) => act(news, news.nothing ? undefined : { outs: { id, ...olds, ...news } }),
  read: async (id, props) => act(props, { id: props.gone ? "" : id, props: { ...props, looked: true }, inputs: props.tells }),
  delete: async (id, props) => act(props, undefined),
};
exports.bare = { create: async (inputs) => ({ id: "bare", outs: inputs }) };
`;

let folder: string;
let options: HostOptions;
let wires: { sdk: Wire; light: Wire };
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), "landform-hosts-"));
  writeFileSync(join(folder, "provider.cjs"), SOURCE);
  const root = join(import.meta.dirname, "../..");
  const events = new Events(() => undefined, { planning: false, secrets: [] });
  options = { sdk: () => loadSdk(root), cwd: folder, project: "test", env: process.env, events };
  const light = new LightProcess(options, ["./provider.cjs", "./no-such-module.cjs"]);
  light.configure(identity);
  wires = { sdk: await startSdkHost(options, identity), light };
}, 120_000);
afterAll(async () => {
  await Promise.all([wires.sdk.close(), wires.light.close()]);
  rmSync(folder, { recursive: true });
});

async function told<Name extends Method>(wire: Wire, method: Name, asked: Asked<Name>): Promise<unknown> {
  try {
    return await wire.call(method, URN, asked);
  } catch (error) {
    if (error instanceof FailedToComeUp) return { failure: error.failure };
    return { error: error instanceof Error ? [error.name, error.message] : error };
  }
}

/** The order of keys inside a provider's answer counts. */
const inOrder = (answer: unknown): string =>
  JSON.stringify(Object.entries(answer as object).sort(([a], [b]) => (a < b ? -1 : 1)));

async function bothTell<Name extends Method>(method: Name, asked: Asked<Name>): Promise<unknown> {
  const [sdk, light] = await Promise.all([told(wires.sdk, method, asked), told(wires.light, method, asked)]);
  expect(light).toEqual(sdk);
  expect(inOrder(light)).toBe(inOrder(sdk));
  return light;
}

const odd = (inputs: PropertyMap): PropertyMap => ({ __provider: PROVIDER, ...inputs });

const FAULTS: PropertyMap[] = [
  { does: "throw", text: "no, 😀" },
  { does: "throw empty" },
  { does: "fail", text: "half done" },
  { does: "fail without a reason", text: "half done" },
];

/** Asks all that comes before an object is there, and its change. */
async function bothWrite(news: PropertyMap, olds: PropertyMap = {}): Promise<void> {
  await bothTell("check", { olds, news });
  await bothTell("diff", { id: "one", oldInputs: {}, olds, news, ignoreChanges: [] });
  await bothTell("create", { properties: news, timeout: 0 });
  await bothTell("update", { id: "one", oldInputs: {}, olds, news, ignoreChanges: [], timeout: 0 });
}

test.each(FAULTS)("a provider that fails: %j", (fault) => bothWrite(odd(fault)));

test.each(FAULTS.slice(0, 2))("a provider that fails to read and to delete: %j", async (fault) => {
  await bothTell("read", { id: "one", inputs: {}, properties: odd(fault) });
  await bothTell("delete", { id: "one", oldInputs: {}, properties: odd(fault), timeout: 0 });
});

test("what a provider leaves out", async () => {
  const bare = { __provider: PROVIDER.replace("odd", "bare"), kept: true };
  await bothWrite(bare);
  await bothWrite(odd({ nothing: true }));
  await bothTell("read", { id: "one", inputs: {}, properties: bare });
  await bothTell("read", { id: "one", inputs: bare, properties: {} });
  await bothTell("delete", { id: "one", oldInputs: {}, properties: bare, timeout: 0 });
  await bothTell("read", { id: "one", inputs: {}, properties: odd({ gone: true }) });
});

thorough("any values, any answers", async () => {
  // The classes refuse a key `__proto__`; Pulumi's wire would lose it.
  const json = fc.jsonValue({ maxDepth: 3 }).filter((value) => !JSON.stringify(value).includes("__proto__"));
  const key = fc.string({ minLength: 1 }).filter((text) => text !== "__proto__");
  const map = fc.dictionary(key, json as fc.Arbitrary<Json>);
  const changes = fc.constantFrom(true, false, null);
  await fc.assert(
    fc.asyncProperty(map, map, changes, async (one, other, changed) => {
      const news = { ...other, ...odd({ outs: one, tells: other, replaces: ["a"], first: true, does: "" }) };
      if (changed !== null) news["changes"] = changed;
      await bothWrite({ ...news, id: "made" }, odd(one));
      await bothTell("read", { id: "one", inputs: {}, properties: { ...news, gone: false } });
    }),
    { numRuns: 100 },
  );
});

test("an answer that can't be sent is lost, and said to be", async () => {
  const mute = "exports.mute = { create: async ({ ok }) => ({ id: 'one', outs: { run: ok ? 'well' : () => 0 } }) };";
  writeFileSync(join(folder, "mute.cjs"), mute);
  const light = new LightProcess(options);
  const properties = { __provider: PROVIDER.replace("provider.cjs", "mute.cjs").replace("odd", "mute") };
  const created = (ok: boolean) => told(light, "create", { properties: { ...properties, ok }, timeout: 0 });
  const lost = { error: ["HostError", expect.stringContaining("the answer was lost")] };
  expect(await created(false)).toMatchObject(lost);
  // The other requests of the same message arrive.
  expect(await Promise.all([true, false, true].map(created))).toMatchObject([{ id: "one" }, lost, { id: "one" }]);
  await light.close();
});

test("only a plain reference to a module's export is one", () => {
  const plain = 'exports.handler=()=>require("landform/dynamic").page';
  expect(moduleReference(plain)).toEqual({ module: "landform/dynamic", name: "page" });
  for (const text of ["exports.handler = __f0;", `${plain}.c`, `${plain};evil()`, "", null, 12])
    expect(moduleReference(text)).toBeUndefined();
});
