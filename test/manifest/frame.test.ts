/** Errors of resources name the entry of the manifest, as those of a program name its line. */
import { expect, test } from "vitest";
import { Stack } from "./stack.ts";

test("a resource that fails is told with the place of its entry", async () => {
  const stack = await Stack.open({ "landform.yaml": "landform: 1\n\npages:\n\n  p: { tags: [a] }\n  q:\n" });
  stack.emulator.faults.add({ method: "POST", path: "/pages", phase: "status", status: 403, times: 2 });
  const { failures } = await stack.run("up");
  await stack.close();
  const places = failures.map(({ source }) => `${source?.file}:${source?.line}:${source?.column}`).sort();
  expect(places).toEqual(["landform.yaml:5:3", "landform.yaml:6:3"]);
  expect(failures[0]?.message).toMatch(/\(landform\.yaml:\d:3\) failed/);
});
