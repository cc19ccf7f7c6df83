import type { Call } from "../caller.ts";
import type { BuilderNodeInput, BuilderNodeReplaceInput, PageDelayInput } from "../inputs.ts";
import {
  builderNode,
  builderNodeReplace,
  builderNodeUpdate,
  builderSummary,
  contentMap,
  pageDelay,
} from "../records.ts";

export const builderGroup = (call: Call) => ({
  read: (pageId: string, options?: { include_tree?: boolean }) =>
    call("getBuilder", builderSummary, { query: { page_id: pageId, include_tree: options?.include_tree } }),
  readNode: (pageId: string, nodeId: string) =>
    call("getBuilderNode", builderNode, { query: { page_id: pageId, node_id: nodeId } }),
  /** Patches `misc` and `style`; what they don't name stays. */
  updateNode: (body: BuilderNodeInput) => call("updateBuilderNode", builderNodeUpdate, { body }),
  replaceNode: (body: BuilderNodeReplaceInput) => call("replaceBuilderNode", builderNodeReplace, { body }),
  setDelay: (body: PageDelayInput) => call("setPageDelay", pageDelay, { body }),
  contentMap: (pageId: string) => call("getContentMap", contentMap, { query: { page_id: pageId } }),
});
