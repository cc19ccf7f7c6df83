/** A program that the compiled command line exports runs as it is written, with its texts in files. */
import { expect, test } from "vitest";
import { NearDesk } from "./near-desk.ts";
import { inTest } from "../suite/opened.ts";

test("an account exported as TypeScript is previewed", async () => {
  const desk = await inTest(NearDesk.open(undefined, { seed: "demo" }));
  await desk.says(0, "export", "-o", "shop", "--format", "typescript");
  const program = desk.read("shop/index.ts");
  expect(program).toContain("new URL(path, import.meta.url)");
  await desk.says(0, "preview", "-C", "shop");
});
