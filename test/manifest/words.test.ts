/** The words of the manifest, paths, and the order of entries. */
import fc from "fast-check";
import { expect, test } from "vitest";
import { addressOf, parsePath } from "../../manifest/language/addresses.ts";
import { fieldsOf, inInputWords, inManifestWords } from "../../manifest/language/fields.ts";
import { needsOf } from "../../manifest/declare/order.ts";
import { registry } from "../../provider/kinds/registry.ts";
import { checked } from "./checked.ts";

test("every input can be written, under one name but for a step's page or quiz", () => {
  for (const { inputs } of Object.values(registry)) {
    const written = [...fieldsOf(inputs).values()].map(({ input }) => input);
    expect(written.toSorted()).toEqual(Object.keys(inputs.shape).toSorted());
  }
  const names = [...fieldsOf(registry.page.inputs).keys()];
  expect(names).toEqual(expect.arrayContaining(["project", "template", "site", "duplicateOf", "publish"]));
  expect(names.filter((name) => name.endsWith("Id"))).toEqual([]);
});

test.each([
  ["page", "project", "projectId"],
  ["page", "publish.site", "publish.siteId"],
  ["page", "publish.slug", "publish.slug"],
  ["page", 'content["hero.title"]', 'content["hero.title"]'],
  ["page", "content.site", "content.site"],
  ["page", "variables.template", "variables.template"],
  ["page", "delay.videoNodeId", "delay.videoNodeId"],
  ["funnel", "steps[*].quiz", "steps[*].pageId"],
  ["funnel", "steps[0].page", "steps[0].pageId"],
] as const)("ignoreChanges of a %s: %s is %s", (kind, written, input) => {
  expect(inInputWords(written, registry[kind].inputs)).toBe(input);
});

test("messages of the provider come in the words of the manifest", () => {
  const message = "publish.siteId: use templateId or videoNodeId";
  expect(inManifestWords(message)).toBe("publish.site: use template or videoNodeId");
});

test("a path is read as it was written", () => {
  const key = fc.string({ minLength: 1, unit: "grapheme" });
  fc.assert(
    fc.property(key, (name) => {
      expect(parsePath(`${addressOf("pages", name)}.steps[2].url`)).toEqual(["pages", name, "steps", "2", "url"]);
    }),
  );
  expect(parsePath("each.Größe")).toEqual(["each", "Größe"]);
  for (const wrong of ["", ".", "a..b", "a.", ".a", "a[", 'a["b]', "a b", "a[x]"])
    expect(parsePath(wrong)).toBeUndefined();
});

test("entries come after what they refer to, and cycles are told exactly when there is one", () => {
  const edges = fc.array(fc.tuple(fc.nat(9), fc.nat(9)), { maxLength: 14 });
  fc.assert(
    fc.property(edges, (pairs) => {
      const pages = Array.from({ length: 10 }, (_, page) => {
        const needs = pairs.filter(([from]) => from === page).map(([, to]) => `pages.p${to}`);
        return `  p${page}: { options: { dependsOn: ${JSON.stringify([...new Set(needs)])} } }\n`;
      });
      const { manifest } = checked(`pages:\n${pages.join("")}`);
      expect(manifest === undefined).toBe(isCyclic(pairs));
      const seen = new Set<string>();
      for (const entry of manifest?.entries ?? []) {
        for (const { target } of needsOf(entry)) expect(seen).toContain(target);
        seen.add(entry.address);
      }
    }),
    { numRuns: 150 },
  );
});

/** Removes pairs that nothing leads to, until nothing is left or nothing more can go. */
function isCyclic(pairs: readonly (readonly [number, number])[]): boolean {
  let left = [...pairs];
  for (;;) {
    const targets = new Set(left.map(([, to]) => to));
    const next = left.filter(([from]) => targets.has(from));
    if (next.length === 0) return false;
    if (next.length === left.length) return true;
    left = next;
  }
}

test("a cycle is told once, with its members and their lines", () => {
  const text = `pages:
  a: { duplicateOf: b }
  b: { duplicateOf: c }
  c: { duplicateOf: a }
  d: { duplicateOf: a }
  e: { content: { x: { ref: pages.e.url } } }
`;
  expect(checked(text).diagnostics.map(({ message }) => message)).toEqual([
    "these entries wait for each other: pages.a needs pages.b (landform.yaml:3:21), " +
      "pages.b needs pages.c (landform.yaml:4:21), pages.c needs pages.a (landform.yaml:5:21)",
    "these entries wait for each other: pages.e needs pages.e (landform.yaml:7:22)",
  ]);
});
