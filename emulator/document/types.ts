/**
 * The page documents of the emulator: plain JSON, stored as it is.
 *
 * Every function of this folder is pure. What changes a document returns the new one as `document`
 * and leaves its argument alone.
 */

export interface PageNode {
  id: string;
  type: string;
  /** Content and settings. `name` is the prefix of the node's content keys. */
  misc: Record<string, unknown>;
  /** Inline CSS, by property name. */
  style: Record<string, string>;
  children?: PageNode[];
}

export interface PageDelay {
  time: number;
  sync_with_video: boolean;
  scroll_into_view: boolean;
  video_node_id: string | null;
}

/** Colours and type of a whole page. */
export interface PageTheme {
  accent: string;
  /** Text on the accent colour. */
  onAccent: string;
  ink: string;
  tint: string;
  dark: string;
  headings: "serif" | "sans";
}

export interface PageDocument {
  sections: PageNode[];
  theme?: PageTheme;
  delay?: PageDelay;
}

/** Mints a node id; called once a node, in document order. */
export type NewId = () => string;

export interface FoundNode {
  node: PageNode;
  /** Where the node is, such as `sections[0].children[2]`. */
  path: string;
}

export interface ContentField {
  /** The key that PATCH /pages/content takes, such as `hero.title`. */
  key: string;
  value: string | number | boolean;
  label: string;
  type: "text" | "url" | "image";
  nodeId: string;
}

export const contentShapes = [
  "array-key-value",
  "array-id-text",
  "array-name-content-default",
  "nested-groups",
  "map-scalars",
  "map-objects",
  "array-raw-html",
  "array-rich-text",
  "no-values",
] as const;

/** How the content map spells its field entries; the specification does not show it. */
export type ContentShape = (typeof contentShapes)[number];

export interface ContentResult {
  document: PageDocument;
  applied: Record<string, ContentField["value"]>;
  missing: string[];
  changedSections: number;
}

export interface VariablesResult {
  document: PageDocument;
  /** How many placeholders were replaced, each occurrence counted. */
  replacements: number;
  changedSections: number;
  /** Names that were replaced at least once. */
  replaced: string[];
  /** Names that the page still holds. */
  remaining: string[];
}

export interface Issue {
  code: "no_sections" | "variable_remaining";
  message: string;
  node_id: string | null;
  path: string | null;
  variable?: string;
}

export interface Validation {
  /** Exactly when there are no issues. */
  ready: boolean;
  issues: Issue[];
}

export interface TemplateRecord {
  id: string;
  name: string;
  template_name: string;
  category: string | null;
  type: "page" | "quiz";
  description: string | null;
  preview_url: string | null;
  image_url: string | null;
}
