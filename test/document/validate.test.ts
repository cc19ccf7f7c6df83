import fc from "fast-check";
import { describe, expect, test } from "vitest";
import {
  blankDocument,
  contentFields,
  documentFromTemplate,
  findNode,
  replaceVariables,
  templates,
  validateDocument,
  variables,
} from "../../emulator/document/index.ts";
import { anyDocument, counter, fromTemplate } from "./arbitraries.ts";

describe("readiness", () => {
  test("a page without sections is not ready", () => {
    expect(validateDocument(blankDocument())).toMatchObject({ ready: false, issues: [{ code: "no_sections" }] });
  });

  test("ready means: sections, and no placeholder", () => {
    fc.assert(
      fc.property(anyDocument, (document) => {
        const { ready, issues } = validateDocument(document);
        expect(ready).toBe(document.sections.length > 0 && variables(document).length === 0);
        expect(ready).toBe(issues.length === 0);
      }),
    );
  });

  test("an issue names the placeholder and the node that holds it", () => {
    const document = fromTemplate("tpl-hero");
    const text = contentFields(document).find(({ key }) => key === "hero.text");
    const issue = validateDocument(document).issues.find(({ node_id }) => node_id === text?.nodeId);
    expect(issue).toMatchObject({ code: "variable_remaining", variable: "brand" });
    expect(issue?.message).toContain("{{brand}}");
    expect(issue?.path).toBe(findNode(document, text?.nodeId ?? "")?.path);
  });
});

describe("templates", () => {
  test("at least six pages and two quizzes, each under its own id", () => {
    expect(templates.filter(({ type }) => type === "page").length).toBeGreaterThanOrEqual(6);
    expect(templates.filter(({ type }) => type === "quiz").length).toBeGreaterThanOrEqual(2);
    expect(new Set(templates.map(({ id }) => id)).size).toBe(templates.length);
    expect(documentFromTemplate("tpl-none", counter())).toBeUndefined();
  });

  test.each(templates.map(({ id }) => id))("%s is ready once its placeholders have values", (id) => {
    const document = fromTemplate(id);
    expect(variables(document)).toContain("brand");
    expect(validateDocument(document).ready).toBe(false);
    const values = Object.fromEntries(variables(document).map((name) => [name, "Acme"]));
    expect(validateDocument(replaceVariables(document, values).document)).toEqual({ ready: true, issues: [] });
  });

  test("two pages of a template share nothing", () => {
    const first = fromTemplate("tpl-hero");
    const second = fromTemplate("tpl-hero");
    const node = first.sections[0];
    if (node) node.misc.name = "changed";
    expect(second.sections[0]?.misc.name).toBe("top");
  });

  test.each(templates)("$id has the fields of a template and a picture from no network", (template) => {
    expect(template.template_name).toBe(template.name);
    expect(template.image_url).toMatch(/^data:image\/svg\+xml,/);
    expect(JSON.stringify(fromTemplate(template.id))).not.toMatch(/https?:(?!\/\/www\.w3\.org)/);
  });
});
