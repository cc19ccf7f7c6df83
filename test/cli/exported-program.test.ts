/** A program that the compiled command line exports runs as it is written, with its texts in files. */
import { expect, onTestFinished, test } from "vitest";
import { NearDesk } from "./near-desk.ts";

test("an account exported as TypeScript is previewed", { timeout: 120_000 }, async () => {
  const desk = await NearDesk.open(undefined, { seed: "demo" });
  onTestFinished(() => desk.close());
  const made = await desk.run(["export", "-o", "shop", "--format", "typescript"]);
  expect(made.code, made.stderr).toBe(0);
  const program = desk.read("shop/index.ts");
  expect(program).toContain("new URL(path, import.meta.url)");
  const preview = await desk.run(["preview", "-C", "shop"]);
  expect(preview.code, preview.stdout + preview.stderr).toBe(0);
});
