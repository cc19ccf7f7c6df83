/** What a program declares of a page or a quiz, as a pass over it gets it. */
import type { ForeignEditsWord } from "../../messages/foreign-edits.ts";
import type { Apply } from "../../definition/define.ts";
import type { JsonMap } from "../../values/json.ts";
import type { Draft } from "./document.ts";

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
  readonly templateId?: string;
  readonly duplicateOf?: string;
  readonly name?: string;
  readonly projectId?: string;
  readonly tags?: string[];
  readonly productLabel?: string;
  readonly delay?: { time?: number; syncWithVideo?: boolean; scrollIntoView?: boolean; videoNodeId?: string };
  readonly nodes?: Record<string, NodeInput>;
  readonly publish?: { siteId: string; slug?: string; verify?: boolean; release?: string };
  readonly onForeignEdits?: ForeignEditsWord;
}

/** A pass over a page: `document` is its draft as it was before the first write. */
export type PagePass = Apply<PageLife, Draft>;
