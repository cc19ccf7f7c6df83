/** The messages between a program and the engine, by frames and by gRPC. */
import structs from "google-protobuf/google/protobuf/struct_pb.js";
import fc from "fast-check";
import { execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import { connect } from "node:net";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { promisify } from "node:util";
import { serialize } from "node:v8";
import { afterEach, describe, expect, test, vi } from "vitest";
import { type FramedCall, FrameReader, toFrame } from "../../engine/sdk/frames.ts";
import { plainStruct } from "../../engine/sdk/plain-struct.ts";
import { loadSdk } from "../../engine/link/sdk.ts";
import { type MonitorHandlers, serveMonitor } from "../../engine/program/monitor.ts";
import { Bench } from "./harness.ts";
import { sampledTable, thorough } from "../suite/parts.ts";

const repository = join(import.meta.dirname, "../..");

const NONSENSE = Buffer.from([0, 0, 0, 3, 1, 2, 3]);

describe("frames", () => {
  const text = fc.string();
  const call: fc.Arbitrary<FramedCall> = fc.tuple(fc.nat(), text, fc.array(text), fc.dictionary(text, text));
  const cuts = fc.array(fc.integer({ min: 1, max: 50 }), { minLength: 1 });

  test("come out as they went in, however a socket cuts them", () =>
    fc.assert(
      fc.property(fc.array(call, { maxLength: 9 }), cuts, (calls, sizes) => {
        const bytes = Buffer.concat(calls.map(toFrame));
        const reader = new FrameReader<FramedCall>();
        const read: FramedCall[] = [];
        for (let at = 0, cut = 0; at < bytes.length; cut++) {
          const size = sizes[cut % sizes.length] ?? 1;
          read.push(...reader.read(bytes.subarray(at, at + size)));
          at += size;
        }
        expect(read).toEqual(calls);
      }),
    ));

  test("that are none are refused", () => {
    expect(() => new FrameReader().read(Buffer.from("PRI * HTTP/2.0"))).toThrow("a frame of");
    expect(() => new FrameReader().read(NONSENSE)).toThrow();
  });
});

describe("properties that go as they are", () => {
  const { Struct } = structs;
  const key = fc.string().filter((text) => text !== "__proto__");

  test("are what the SDK's message would have made of them, keys in the same order", () =>
    fc.assert(
      fc.property(fc.dictionary(key, fc.jsonValue({ noUnicodeString: false }) as fc.Arbitrary<never>), (values) => {
        const expected = Struct.fromJavaScript(values).toJavaScript();
        const found = plainStruct(Struct, values).toJavaScript();
        expect(JSON.stringify(found)).toBe(JSON.stringify(expected));
        expect(found).toEqual(expected);
      }),
    ));
});

describe("a program", () => {
  const bench = Bench.each();
  afterEach(() => vi.unstubAllEnvs());

  const WAYS: [way: string, nodeArgs: string[], plainSdk?: string][] = [
    ["frames", []],
    // An SDK that is written in another way.
    ["gRPC", ["--import", "data:text/javascript,delete process.env.LANDFORM_FRAMES"]],
    ["gRPC, of the SDK as it is", [], "1"],
  ];
  /** A client by frames is a plain object. */
  const TELLS_WAY = `console.log("gRPC " + (Object.getPrototypeOf(pulumi.runtime.getMonitor()) !== Object.prototype));`;

  thorough("finds the same engine in either, and leaves the same state", async () => {
    await bench.program(`
      ${TELLS_WAY}
      const first = new Thing("first", { zebra: 1.5, apple: [null, true, { b: "é🙂", a: -0 }], title: pulumi.secret("s3cret"), text: "x".repeat(100_000) });
      const second = new Thing("second", { title: pulumi.interpolate\`after \${first.id}\`, from: first.zebra }, { dependsOn: first, protect: false });
      class Group extends pulumi.ComponentResource {
        constructor(name) { super("test:Group", name); new Thing("child", {}, { parent: this }); this.registerOutputs({ zulu: 1, alpha: { y: 1, x: second.title } }); }
      }
      new Group("group");
      pulumi.log.warn("careful", second);
      exports.all = pulumi.output({ z: first.apple, a: second.title });`);
    const COMPARED = ["urn", "inputs", "outputs", "dependencies", "parent", "sourcePosition"] as const;
    const seen: unknown[] = [];
    for (const [way, nodeArgs, plain] of WAYS) {
      vi.stubEnv("LANDFORM_PLAIN_SDK", plain);
      await bench.apply({ program: { nodeArgs } });
      expect(bench.diagnostics("info").join("\n")).toContain(`gRPC ${way !== "frames"}`);
      const { resources } = await bench.state();
      const parts = resources.map((resource) => COMPARED.map((name) => resource[name]));
      seen.push(JSON.stringify(parts, null, 1));
    }
    expect(new Set(seen).size).toBe(1);
    // The other programs had nothing to do.
    expect((await bench.calls("create", "update")).sort()).toEqual(["create child", "create first", "create second"]);
    expect(seen[0]).toContain("é🙂");
  });

  sampledTable(
    WAYS,
    1,
    ([way]) => `is told that the engine is gone, and no more, when it is refused: ${way}`,
    async ([, nodeArgs, plain]) => {
      vi.stubEnv("LANDFORM_PLAIN_SDK", plain);
      const kept = `new Thing("kept", {});`;
      const bad = `new Thing("bad", { fail: pulumi.output(1), half: "\\ud83d!", none: NaN });`;
      await bench.up(kept, { program: { nodeArgs } });
      const { result, failures } = await bench.runs("up", kept + bad, { program: { nodeArgs } });
      expect([result, failures.length]).toEqual(["failed", 1]);
      expect(failures[0]?.message).toMatch(/can't hold/);
      expect(await bench.calls("delete")).toEqual([]);
    },
  );

  test("ends when the engine does, in the middle of a call", async () => {
    const engine = `const server = require("node:net").createServer((socket) => socket.once("data", () => process.exit(0)));
      server.listen(0, "127.0.0.1", () => console.log(server.address().port));`;
    const child = spawn(process.execPath, ["-e", engine], { stdio: ["ignore", "pipe", "inherit"] });
    const [port] = (await once(child.stdout, "data")) as [Buffer];
    const address = `127.0.0.1:${String(port).trim()}`;
    const hook = pathToFileURL(join(repository, "engine/sdk/child-hook.ts")).href;
    const program = `const { ResourceMonitorClient } = require("@pulumi/pulumi/proto/resource_grpc_pb");
      const { SupportsFeatureRequest } = require("@pulumi/pulumi/proto/resource_pb");
      const client = new ResourceMonitorClient(process.env.LANDFORM_FRAMES);
      const ask = (then) => client.supportsFeature(new SupportsFeatureRequest(), (error) => then(error.code + " " + error.message));
      ask((first) => ask((second) => console.log(first + ", " + second)));`;
    const said = execFileSync(process.execPath, ["--import", hook, "-e", program], {
      cwd: repository,
      encoding: "utf8",
      env: { ...process.env, LANDFORM_FRAMES: address },
    });
    expect(said.trim()).toBe("14 14 UNAVAILABLE: the engine is gone, 14 14 UNAVAILABLE: the engine is gone");
  });
});

interface Client {
  supportsFeature(request: object, then: (error: Error | null, answer: { getHassupport(): boolean }) => void): void;
  close(): void;
}

describe("the engine's port", () => {
  const handlers: MonitorHandlers = {
    register: () => Promise.reject(new Error("not here")),
    registerOutputs: () => Promise.resolve(),
    programDone: () => Promise.resolve(),
    unsupported: () => undefined,
    askedDryRun: () => undefined,
    log: () => undefined,
  };
  const config = { values: {}, secretKeys: [] };
  const facts = { project: "p", stack: "s", organization: "o", config, dryRun: true, parallel: 1 };

  test.each([
    ["a web client", Buffer.from("GET / HTTP/1.1\r\n\r\n")],
    ["nonsense", NONSENSE],
    ["no list", frameOf(42)],
    ["no call", frameOf(null)],
    ["a call that every object has", Buffer.concat([frameOf([1, "constructor", []]), frameOf([2, "__proto__", []])])],
    ["fields that are none", frameOf([1, "registerResource", 7, { a: 1 }])],
  ])("goes on after %s", async (_, bytes) => {
    const sdk = loadSdk(repository);
    const port = await serveMonitor(sdk, facts, handlers);
    const [host = "", number = ""] = port.address.split(":");
    const stranger = connect({ host, port: Number(number) });
    stranger.on("error", () => undefined);
    stranger.write(bytes);
    await new Promise((resolve) => setTimeout(resolve, 50));

    const { default: service } = await import("@pulumi/pulumi/proto/resource_grpc_pb.js");
    const { ResourceMonitorClient } = service as never as { ResourceMonitorClient: new (...args: unknown[]) => Client };
    const client = new ResourceMonitorClient(port.address, sdk.grpc().credentials.createInsecure());
    const request = new sdk.monitor.SupportsFeatureRequest();
    request.setId("secrets");
    expect((await promisify(client.supportsFeature.bind(client))(request)).getHassupport()).toBe(true);
    client.close();
    stranger.destroy();
    port.close();
  });
});

function frameOf(value: unknown): Buffer {
  const body = serialize(value);
  const head = Buffer.alloc(4);
  head.writeUInt32BE(body.length);
  return Buffer.concat([head, body]);
}
