/** Outputs that a preview keeps known, on an engine whose resources have plain properties, as Pulumi's SDK makes them. */
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import * as pulumi from "@pulumi/pulumi";
import { expect, onTestFinished, test, vi } from "vitest";
import { keepSteady } from "../../provider/pulumi/kept-outputs.ts";
import { FACTS_VARIABLE } from "../../provider/pulumi/run-facts.ts";
import { definitionOf } from "../../provider/kinds/registry.ts";

test("a class may put another value in the place of one, as it may where nothing is kept", async () => {
  const folder = mkdtempSync(join(tmpdir(), "landform-steady-"));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  writeFileSync(join(folder, "facts.json"), JSON.stringify({ steady: { Page: {} } }));
  vi.stubEnv(FACTS_VARIABLE, join(folder, "facts.json"));
  onTestFinished(() => void vi.unstubAllEnvs());
  await pulumi.runtime.setMocks(
    { newResource: ({ name }) => ({ id: name, state: {} }), call: () => ({}) },
    "project",
    "stack",
    true,
  );
  const definition = definitionOf("Page");
  if (definition === undefined) throw new TypeError("no definition of a page");
  const resource = { id: pulumi.output("1"), url: pulumi.output("https://mugs.example/one") };
  keepSteady(resource as unknown as pulumi.CustomResource, definition, {});
  expect(Object.getOwnPropertyDescriptor(resource, "url")).toHaveProperty("get");
  const mine = pulumi.output("mine");
  resource.url = mine;
  expect(resource.url).toBe(mine);
});
