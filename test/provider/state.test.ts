/** The content of the state, and the parts that must never change. */
import { expect, test } from "vitest";
import handlers from "../../provider/pulumi/dynamic.ts";
import { registry } from "../../provider/kinds/registry.ts";
import type { JsonMap } from "../../provider/values/json.ts";
import { applied, HERO, worldOfAll } from "./harness.ts";
import { examplesOfAll, inputsFor, type ExampleName } from "./kinds.ts";

const world = worldOfAll();
const examples = examplesOfAll(world);

test("the entry points of states that exist are there: never rename one", () => {
  expect(Object.keys(handlers).sort()).toEqual(
    [
      ...["project", "site", "page", "quiz", "funnel", "product", "hook", "videoPlayer", "release"],
      ...["environment", "existing", "leftOut"],
    ].sort(),
  );
  expect(Object.entries(registry).map(([kind, definition]) => [kind, definition.kind, definition.type])).toEqual([
    ["project", "project", "Project"],
    ["site", "site", "Site"],
    ["page", "page", "Page"],
    ["quiz", "quiz", "Quiz"],
    ["funnel", "funnel", "Funnel"],
    ["product", "product", "Product"],
    ["hook", "hook", "Hook"],
    ["videoPlayer", "videoPlayer", "VideoPlayer"],
    ["release", "release", "Release"],
  ]);
});

const NAMES: ExampleName[] = ["project", "page", "copy", "quiz", "funnel", "product", "site", "hook", "videoPlayer"];
test.each(NAMES)("%s: no key and no code in the state, and one string names the provider", async (name) => {
  const inputs = inputsFor(examples[name], `state-${name}`);
  const resource = await applied(world, examples[name].kind, `state-${name}`, inputs);
  const text = JSON.stringify(resource.state);
  expect(text).not.toContain(world.emulator.apiKey);
  expect(text).not.toMatch(/__f\d|function *\(|async |import\(/);
  const provider = `exports.handler=()=>require("landform/dynamic").${examples[name].kind}`;
  expect(resource.state?.inputs?.["__provider"]).toBe(provider);
  expect(resource.outputs["__provider"] ?? provider).toBe(provider);
  await resource.refresh();
  expect(resource.outputs["__provider"] ?? provider).toBe(provider);
});

// The template has some 200 leaves, and each takes seven bytes.
test("a page with five short keys takes less than 4,500 bytes", async () => {
  const content = {
    "hero.title": "Know your week",
    "hero.text": "Plan on Monday.",
    "hero.note": "No card needed.",
    "start.title": "Try it",
    "hero.eyebrow": "New",
  };
  const { projectId, publish } = inputsFor(examples.page, "five-keys");
  const page = await applied(world, "page", "five-keys", { projectId, publish, ...HERO, content } as never);
  expect(Buffer.byteLength(JSON.stringify(page.state))).toBeLessThan(4500);
});

test("a state that another version wrote is refused by name, whatever is to be done, and nothing is sent", async () => {
  const product = await applied(world, "product", "of-another-version", { price: 3 });
  const now = product.state;
  if (now === undefined) throw new Error("the product has no state");
  const meta = now.outputs?.["__landform"] as JsonMap;
  product.state = { ...now, outputs: { ...now.outputs, __landform: { ...meta, form: 1 } } };
  const before = world.emulator.requests.length;
  for (const work of [() => product.up({ price: 4 }), () => product.refresh(), () => product.delete()])
    await expect(work()).rejects.toThrow(
      new RegExp(`of "of-another-version" \\(${now.id ?? ""}\\).*declare adoptId: "${now.id ?? ""}"`),
    );
  expect(world.emulator.requests.length).toBe(before);
  product.state = now;
  await product.apply({ price: 3 });
});
