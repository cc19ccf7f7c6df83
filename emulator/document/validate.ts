import { located } from "./tree.ts";
import type { Issue, PageDocument, Validation } from "./types.ts";
import { variablesOfNode } from "./variables.ts";

/** Tells if a page may be published: it has sections, and no placeholder is left in it. */
export function validateDocument(document: PageDocument): Validation {
  const issues = document.sections.length === 0 ? [noSections] : remainingVariables(document);
  return { ready: issues.length === 0, issues };
}

const noSections: Issue = {
  code: "no_sections",
  message: "The page has no sections. Start it from a template, or add a section in the builder.",
  node_id: null,
  path: null,
};

function remainingVariables(document: PageDocument): Issue[] {
  return located(document).flatMap(({ node, path }) =>
    [...new Set(variablesOfNode(node))].map((variable) => ({
      code: "variable_remaining" as const,
      message: `The placeholder {{${variable}}} has no value yet.`,
      node_id: node.id,
      path,
      variable,
    })),
  );
}
