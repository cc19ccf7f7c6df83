/** The messages between a program and the engine, by frames and by gRPC. */
import structs from "google-protobuf/google/protobuf/struct_pb.js";
import fc from "fast-check";
import { execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import { connect } from "node:net";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { serialize } from "node:v8";
import { afterEach, describe, expect, test, vi } from "vitest";
import { type FramedCall, FrameReader, toFrame } from "../../engine/sdk/frames.ts";
import { plainStruct } from "../../engine/sdk/plain-struct.ts";
import { loadSdk } from "../../engine/link/sdk.ts";
import { type MonitorHandlers, serveMonitor } from "../../engine/program/monitor.ts";
import { Bench } from "./harness.ts";
import { forEachTest } from "../suite/opened.ts";
import { sampledTable, thorough } from "../suite/parts.ts";

const repository = join(import.meta.dirname, "../..");

describe("frames", () => {
  const call: fc.Arbitrary<FramedCall> = fc.tuple(
    fc.nat(),
    fc.string(),
    fc.array(fc.string()),
    fc.dictionary(fc.string(), fc.string()),
  );

  test("come out as they went in, however a socket cuts them", () => {
    fc.assert(
      fc.property(
        fc.array(call, { maxLength: 9 }),
        fc.array(fc.integer({ min: 1, max: 50 }), { minLength: 1 }),
        (calls, cuts) => {
          const bytes = Buffer.concat(calls.map(toFrame));
          const reader = new FrameReader<FramedCall>();
          const read: FramedCall[] = [];
          for (let at = 0, cut = 0; at < bytes.length; cut++) {
            const size = cuts[cut % cuts.length] ?? 1;
            read.push(...reader.read(bytes.subarray(at, at + size)));
            at += size;
          }
          expect(read).toEqual(calls);
        },
      ),
    );
  });

  test("that are none are refused", () => {
    expect(() => new FrameReader().read(Buffer.from("PRI * HTTP/2.0"))).toThrow("a frame of");
    const nonsense = Buffer.from([0, 0, 0, 3, 1, 2, 3]);
    expect(() => new FrameReader().read(nonsense)).toThrow();
  });
});

describe("properties that go as they are", () => {
  const { Struct } = structs;
  const key = fc.string().filter((text) => text !== "__proto__");

  test("are what the SDK's message would have made of them, keys in the same order", () => {
    fc.assert(
      fc.property(fc.dictionary(key, fc.jsonValue({ noUnicodeString: false }) as fc.Arbitrary<never>), (values) => {
        const expected = Struct.fromJavaScript(values).toJavaScript();
        const found = plainStruct(Struct, values).toJavaScript();
        expect(JSON.stringify(found)).toBe(JSON.stringify(expected));
        expect(found).toEqual(expected);
      }),
    );
  });
});

describe("a program", () => {
  const bench = forEachTest(() => Bench.open());
  afterEach(() => vi.unstubAllEnvs());

  /** Behaves like an SDK that is written in another way. */
  const BY_GRPC = ["--import", "data:text/javascript,delete process.env.LANDFORM_FRAMES"];
  const WAYS: [string, string[], string?][] = [
    ["frames", []],
    ["gRPC", BY_GRPC],
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
    const seen: unknown[] = [];
    for (const [way, nodeArgs, plain] of WAYS) {
      vi.stubEnv("LANDFORM_PLAIN_SDK", plain);
      const program = { nodeArgs };
      await bench.apply({ program });
      expect(bench.diagnostics("info").join("\n")).toContain(`gRPC ${way !== "frames"}`);
      const { resources } = await bench.state();
      seen.push(
        JSON.stringify(
          resources.map(({ urn, inputs, outputs, dependencies, parent, sourcePosition }) => [
            urn,
            inputs,
            outputs,
            dependencies,
            parent,
            sourcePosition,
          ]),
          null,
          1,
        ),
      );
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
      await bench.program(`new Thing("kept", {});`);
      await bench.apply({ program: { nodeArgs } });
      await bench.program(
        `new Thing("kept", {}); new Thing("bad", { fail: pulumi.output(1), half: "\\ud83d!", none: NaN });`,
      );
      const result = await bench.run("up", { program: { nodeArgs } });
      expect([result.result, result.failures.length]).toEqual(["failed", 1]);
      expect(result.failures[0]?.message).toMatch(/can't hold/);
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

describe("the engine's port", () => {
  const handlers: MonitorHandlers = {
    register: () => Promise.reject(new Error("not here")),
    registerOutputs: () => Promise.resolve(),
    programDone: () => Promise.resolve(),
    unsupported: () => undefined,
    askedDryRun: () => undefined,
    log: () => undefined,
  };
  const facts = {
    project: "p",
    stack: "s",
    organization: "o",
    config: { values: {}, secretKeys: [] },
    dryRun: true,
    parallel: 1,
  };

  test.each([
    ["a web client", Buffer.from("GET / HTTP/1.1\r\n\r\n")],
    ["nonsense", Buffer.from([0, 0, 0, 3, 1, 2, 3])],
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

    const { ResourceMonitorClient } = (await import("@pulumi/pulumi/proto/resource_grpc_pb.js")).default as never as {
      ResourceMonitorClient: new (...args: unknown[]) => {
        supportsFeature: (...args: unknown[]) => void;
        close: () => void;
      };
    };
    const client = new ResourceMonitorClient(port.address, sdk.grpc().credentials.createInsecure());
    const request = new sdk.monitor.SupportsFeatureRequest();
    request.setId("secrets");
    const has = await new Promise((resolve, reject) => {
      client.supportsFeature(request, (error: Error | null, answer: { getHassupport(): boolean }) => {
        if (error === null) resolve(answer.getHassupport());
        else reject(error);
      });
    });
    expect(has).toBe(true);
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
