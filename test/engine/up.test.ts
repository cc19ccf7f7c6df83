import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { Bench } from "./harness.ts";

describe("up", () => {
  let bench: Bench;
  beforeEach(async () => {
    bench = await Bench.open();
  });
  afterEach(() => bench.close());

  test("creates what the program registers, with outputs flowing between resources", async () => {
    await bench.program(`
      const a = new Thing("a", { text: "hello" });
      const b = new Thing("b", { text: pulumi.interpolate\`\${a.size} and more\` });
      exports.size = a.size;
      exports.text = b.text;
    `);
    const result = await bench.apply();
    expect(result.summary).toEqual({ create: 3 });
    expect(await bench.calls()).toEqual(["create a", "create b"]);
    expect(result.outputs["size"]?.value).toBeTypeOf("number");
  });
});
