/** What a program declares of a page or a quiz, as a pass over it gets it. */
import type { ForeignEditsWord } from "../../messages/foreign-edits.ts";
import type { JsonMap } from "../../values/json.ts";

export interface NodePatch {
  readonly misc?: JsonMap;
  readonly style?: JsonMap;
  readonly nodeType?: string;
}
export type NodeInput = NodePatch | { readonly node: JsonMap };

export interface ContentInputs {
  readonly content?: JsonMap;
  readonly variables?: Record<string, string>;
  readonly publish?: object;
}

export interface PageLife extends ContentInputs {
  readonly name?: string;
  readonly projectId?: string;
  readonly tags?: string[];
  readonly productLabel?: string;
  readonly delay?: { time?: number; syncWithVideo?: boolean; scrollIntoView?: boolean; videoNodeId?: string };
  readonly nodes?: Record<string, NodeInput>;
  readonly publish?: { siteId: string; slug?: string; verify?: boolean; release?: string };
  readonly onForeignEdits?: ForeignEditsWord;
}
