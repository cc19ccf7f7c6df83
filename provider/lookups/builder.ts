import type { BuilderNode, BuilderSummary, LandformApi } from "../api/index.ts";
import { shown, type Shown } from "./find.ts";

/** The builder's tree of a page, or only its summary. */
export async function getBuilderTree(
  api: LandformApi,
  { pageId, includeTree }: { readonly pageId: string; readonly includeTree?: boolean },
): Promise<Shown<BuilderSummary>> {
  return shown(await api.builder.read(pageId, { include_tree: includeTree }));
}

/** One node of a page's builder. */
export async function getBuilderNode(
  api: LandformApi,
  { pageId, nodeId }: { readonly pageId: string; readonly nodeId: string },
): Promise<Shown<BuilderNode>> {
  return shown(await api.builder.readNode(pageId, nodeId));
}
