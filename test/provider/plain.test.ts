/** Values that Pulumi would mangle: the class refuses them at the call in the program, by the name of the property. */
import * as pulumi from "@pulumi/pulumi";
import { beforeAll, describe, expect, test } from "vitest";
import { Page, Product } from "../../provider/index.ts";
import { plain } from "../../provider/pulumi/registered.ts";
import { registration } from "../../provider/pulumi/resource.ts";
import { registry } from "../../provider/kinds/registry.ts";

class Custom {
  readonly value = 1;
}

const registered: pulumi.runtime.MockResourceArgs[] = [];
beforeAll(async () => {
  await pulumi.runtime.setMocks({
    newResource: (args) => {
      registered.push(args);
      return { id: `${args.name}-id`, state: args.inputs as Record<string, unknown> };
    },
    call: (args) => args.inputs as Record<string, unknown>,
  });
});

/** The promises of an output. Each of them fails if the value does. */
interface Insides {
  promise(): Promise<unknown>;
  readonly isKnown: Promise<boolean>;
  readonly isSecret: Promise<boolean>;
  allResources?(): Promise<unknown>;
}

async function settled(output: Insides): Promise<unknown> {
  await Promise.allSettled([output.isKnown, output.isSecret, output.allResources?.()]);
  return output.promise();
}

const withProto = JSON.parse('{"__proto__": {"a": 1}}') as Record<string, unknown>;
const wrong: [string, unknown, RegExp][] = [
  ["NaN", Number.NaN, /is NaN; pass a finite number/],
  ["Infinity", Number.POSITIVE_INFINITY, /is Infinity; pass a finite number/],
  ["a Date", new Date(0), /is a Date; pass text, for example date\.toISOString\(\)/],
  ["a BigInt", 1n, /is a BigInt; pass a number or text/],
  ["a lone surrogate", "a\ud800b", /holds half of a surrogate pair/],
  ["a function", () => 1, /is a function; pass a value/],
  ["a symbol", Symbol("s"), /is a symbol; pass a value/],
  ["an instance", new Custom(), /is an instance of Custom; pass plain objects/],
  ["a Map", new Map([["a", 1]]), /is an instance of Map/],
  ["a Set", new Set(["a"]), /is an instance of Set/],
  ["a typed array", new Uint8Array(2), /is an instance of Uint8Array/],
];

describe.each(wrong)("%s is refused", (_, value, reason) => {
  test("as an input", () => expect(() => plain({ slug: value }, "")).toThrow(reason));
  test("in an object of an array, by its path", () =>
    expect(() => plain({ steps: [{}, { misc: { deep: value } }] }, "")).toThrow(/^steps\[1\]\.misc\.deep /));
  test("inside an output and a promise, once it is there", async () => {
    const output = plain({ content: { title: pulumi.output(1).apply(() => [value]) } }, "");
    const { content } = output as { content: { title: Insides } };
    await expect(settled(content.title)).rejects.toThrow(reason);
    const { late } = plain({ late: Promise.resolve(value) }, "") as { late: Promise<unknown> };
    await expect(late).rejects.toThrow(reason);
  });
  test("by the resource class, before anything is registered", () => {
    const before = registered.length;
    const args = { content: { title: value } } as unknown as ConstructorParameters<typeof Page>[1];
    expect(() => new Page("wrong", args)).toThrow(/^Page "wrong": content\.title /);
    expect(registered).toHaveLength(before);
  });
});

test("keys that would vanish or change are refused", () => {
  expect(() => plain({ content: withProto }, "")).toThrow("content.__proto__: a key named __proto__ can't be stored");
  expect(() => plain({ content: { "\udc00": 1 } }, "")).toThrow("content has a key that is not well-formed Unicode");
  expect(() => plain({ tags: ["a", undefined] }, "")).toThrow("tags[1] is undefined; leave the element out");
});

test("everything that JSON can hold passes as it is, and undefined means not declared", () => {
  const value = {
    text: "é🚀\u0000\n",
    none: null,
    yes: true,
    number: -1.5e300,
    list: [[], {}, ""],
    nested: { a: { b: [1] } },
  };
  expect(plain(value, "")).toEqual(value);
  expect(plain(Object.assign(Object.create(null) as object, { a: 1 }), "")).toEqual({ a: 1 });
  const megabyte = "x".repeat(1_000_000);
  expect(plain({ megabyte }, "")).toEqual({ megabyte });
  expect(plain({ a: undefined }, "")).toEqual({ a: undefined });
});

test("the mocks of a unit test see what the program declares, and outputs can be used", async () => {
  const product = new Product("mug", { price: 12.5, sku: undefined });
  const price = await new Promise((resolve) => product.price.apply(resolve));
  expect(price).toBe(12.5);
  const [args] = registered.filter(({ name }) => name === "mug");
  expect(args?.type).toBe("pulumi-nodejs:dynamic/landform:Product");
  // A tester doesn't see the host's own inputs (`__provider`, `__identity`).
  expect(args?.inputs).toEqual({ name: "mug", price: 12.5 });
});

test("a hook's URL is secret as an input and as an output, and so is what the state keeps aside", async () => {
  const args = { eventType: "page.created", targetUrl: "https://example.com/?key=s3cret" };
  const { call } = registration(registry.hook, "h", args, { additionalSecretOutputs: ["filters"] });
  const [, , props, options] = call;
  expect(await pulumi.isSecret(props["targetUrl"] as pulumi.Output<string>)).toBe(true);
  expect(options.additionalSecretOutputs).toEqual(["__declared", "targetUrl", "deliveryToken", "filters"]);
  expect(JSON.stringify(Object.keys(props))).not.toContain("s3cret");
});
