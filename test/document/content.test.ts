import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { allNodes, applyContent, contentFields, templates } from "../../emulator/document/index.ts";
import { anyDocument, anyText, fromTemplate } from "./arbitraries.ts";

const valueOf = (fields: { key: string; value: unknown }[], key: string): unknown =>
  fields.find((field) => field.key === key)?.value;

describe("content map", () => {
  test("the hero template has the keys that the examples use", () => {
    const keys = contentFields(fromTemplate("tpl-hero")).map((field) => field.key);
    expect(keys).toEqual(
      expect.arrayContaining(["hero.title", "hero.text", "hero.cta.text", "hero.cta.url", "form.email.placeholder"]),
    );
  });

  test("keys are unique, and every editable node has one, in document order", () => {
    fc.assert(
      fc.property(anyDocument, (document) => {
        const fields = contentFields(document);
        expect(new Set(fields.map((field) => field.key)).size).toBe(fields.length);
        const plain = new Set(["section", "columns", "column", "card", "list", "finish", "delay", "box"]);
        const editable = allNodes(document).filter((node) => !plain.has(node.type));
        expect([...new Set(fields.map((field) => field.nodeId))]).toEqual(editable.map((node) => node.id));
      }),
    );
  });

  test("any text under any key reads back byte for byte, and nothing else changes", () => {
    fc.assert(
      fc.property(anyDocument, anyText, fc.nat(), (document, text, pick) => {
        const before = contentFields(document);
        const field = before[pick % Math.max(1, before.length)];
        if (!field) return;
        const result = applyContent(document, { [field.key]: text });
        expect(result.missing).toEqual([]);
        expect(result.applied).toEqual(Object.fromEntries([[field.key, text]]));
        const after = contentFields(result.document);
        expect(after).toEqual(before.map((one) => (one.key === field.key ? { ...one, value: text } : one)));
      }),
    );
  });

  test("all keys at once", () => {
    fc.assert(
      fc.property(anyDocument, fc.array(anyText, { minLength: 1 }), (document, texts) => {
        const fields = contentFields(document);
        const updates = fields.map(({ key }, index) => [key, texts[index % texts.length] ?? ""] as const);
        // JSON as on the wire. In a program, `{__proto__: …}` would set a prototype instead of a key.
        const sent = JSON.parse(JSON.stringify(Object.fromEntries(updates))) as Record<string, unknown>;
        const after = contentFields(applyContent(document, sent).document);
        expect(after.map(({ key, value }) => [key, value])).toEqual(updates.map(([key]) => [key, sent[key]]));
      }),
      { numRuns: 50 },
    );
  });

  test("the document that was given stays as it was", () => {
    const document = fromTemplate("tpl-hero");
    const before = structuredClone(document);
    applyContent(document, { "hero.title": "Changed" });
    expect(document).toEqual(before);
  });

  test("unknown keys are missing, and do not stop the others", () => {
    const { document, applied, missing } = applyContent(fromTemplate("tpl-hero"), {
      "hero.titel": "x",
      "hero.title": "Right",
      toString: "x",
    });
    expect(missing).toEqual(["hero.titel", "toString"]);
    expect(applied).toEqual({ "hero.title": "Right" });
    expect(valueOf(contentFields(document), "hero.title")).toBe("Right");
  });

  test("changed sections are counted once, and a value that was there already changes none", () => {
    const document = fromTemplate("tpl-hero");
    const title = valueOf(contentFields(document), "hero.title");
    expect(applyContent(document, { "hero.title": title }).changedSections).toBe(0);
    expect(applyContent(document, { "hero.title": "a", "hero.text": "b", "faq.title": "c" }).changedSections).toBe(2);
  });

  test("values that are no text are kept as JSON", () => {
    const { document } = applyContent(fromTemplate("tpl-hero"), { "hero.title": 12.5, "hero.text": { a: [true] } });
    expect(valueOf(contentFields(document), "hero.title")).toBe("12.5");
    expect(valueOf(contentFields(document), "hero.text")).toBe('{"a":[true]}');
  });

  test.each(templates.map(({ id }) => id))("%s names every field by hand", (id) => {
    const fields = contentFields(fromTemplate(id));
    expect(fields.length).toBeGreaterThan(10);
    expect(fields.filter(({ key }) => !/^[a-z]+(\.[a-z0-9]+)+$/.test(key))).toEqual([]);
  });
});
