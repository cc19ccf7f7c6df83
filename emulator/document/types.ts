/**
 * The page documents of the emulator: plain JSON, stored as it is.
 *
 * Every function of this folder is pure. A function that changes a document returns the new one as `document` and leaves its argument alone.
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
  /** The text on the accent colour. */
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

/** Makes a node id. It runs once per node, in document order. */
export type NewId = () => string;

export interface FoundNode {
  node: PageNode;
  /** The path of the node, such as `sections[0].children[2]`. */
  path: string;
}

export interface ContentField {
  /** The key for PATCH /pages/content, such as `hero.title`. */
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

/** The form of the field entries in the content map; the specification does not show it. */
export type ContentShape = (typeof contentShapes)[number];

export interface ContentResult {
  document: PageDocument;
  applied: Record<string, ContentField["value"]>;
  missing: string[];
  changedSections: number;
}

export interface VariablesResult {
  document: PageDocument;
  /** The number of replaced placeholders. Each occurrence counts. */
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
  /** True if there are no issues. */
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
