/** Whatever a manifest can declare is compared with what another one does: every field of every kind. */
import { expect, test } from "vitest";
import type { Entry, Manifest, TreeMap } from "../../manifest/declare/model.ts";
import { compareModels } from "../../manifest/export/index.ts";
import { modelOf } from "../../manifest/export/from-manifest.ts";
import { outsideValues } from "../../manifest/match/outside.ts";
import { SourceFile } from "../../manifest/source/file.ts";
import { registry, type Kind } from "../../provider/kinds/registry.ts";

const root = new SourceFile("/landform.yaml", "landform.yaml", "");
const kinds = Object.keys(registry) as Kind[];
const fields = kinds.flatMap((kind) => Object.keys(registry[kind].schema.shape).map((field) => [kind, field] as const));

function manifestWith(kind: Kind, inputs: TreeMap, more: Partial<Entry> = {}): Manifest {
  const definition = registry[kind];
  const entry: Entry = {
    address: `${definition.section}.one`,
    kind,
    definition,
    key: "one",
    place: root.whole,
    inputs: definition.named ? { name: "one", ...inputs } : inputs,
    options: { dependsOn: [], ignoreChanges: [], aliases: [] },
    account: undefined,
    places: new Map(),
    ...more,
  };
  return {
    root,
    files: [root],
    name: "test",
    data: [],
    accounts: [],
    entries: [entry],
    outputs: [],
    vacant: [],
    lint: new Map(),
  };
}

function differing(a: Manifest, b: Manifest): string[] {
  const [one, other] = [a, b].map((manifest) => modelOf(manifest, outsideValues({ env: {} }), { allAccounts: true }));
  if (!one || !other) return [];
  return compareModels(one, other).differences.flatMap((difference) => difference.fields.map(({ field }) => field));
}

test("there is something to look at", () => {
  expect(fields.length).toBeGreaterThan(60);
});

test.each(fields)("%s.%s", (kind, field) => {
  const perKey = field === "content" || field === "variables";
  const [one, other] = perKey ? [{ key: "one" }, { key: "other" }] : ["one", "other"];
  const expected = perKey ? `${field}["key"]` : field;
  expect(differing(manifestWith(kind, { [field]: one }), manifestWith(kind, { [field]: other }))).toEqual([expected]);
  expect(differing(manifestWith(kind, { [field]: one }), manifestWith(kind, {}))).toEqual(
    field === "name" && registry[kind].named ? [] : [expected],
  );
  expect(differing(manifestWith(kind, { [field]: one }), manifestWith(kind, { [field]: one }))).toEqual([]);
});

test("what stands beside the inputs", () => {
  const options = { dependsOn: [], ignoreChanges: [], aliases: [], protect: true };
  expect(differing(manifestWith("page", {}, { options }), manifestWith("page", {}))).toEqual(["options"]);
  expect(differing(manifestWith("page", {}, { account: "a" }), manifestWith("page", {}, { account: "b" }))).toEqual([
    "account",
  ]);
});
