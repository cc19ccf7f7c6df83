import { findNode, type PageDocument, type PageNode, patchNode, replaceNode } from "../document/index.ts";
import { notFound } from "../http/errors.ts";
import { draftOf, pageById, saveDraft, shownDraftOf } from "../records/pages.ts";
import type { PageRecord } from "../records/records.ts";
import type { Service } from "../records/service.ts";
import { type Call, fromJson, type Operations } from "./operation.ts";

interface NodeFields {
  page_id: string;
  node_id: string;
  updates: { misc?: Record<string, unknown>; style?: Record<string, string> };
}

interface NodeReplace {
  page_id: string;
  node_id: string;
  node: Record<string, unknown> | string;
}

interface Delay {
  page_id: string;
  time?: number;
  sync_with_video?: boolean;
  scroll_into_view?: boolean;
  video_node_id?: string;
}

export const builder: Operations = {
  getBuilder: (service, { query }: Call<{ page_id: string; include_tree?: boolean }>) => {
    const page = pageById(service, query.page_id);
    const { sections, delay } = shownDraftOf(service, page);
    const shown = sections.map((section) => shownNode(service, page, section));
    const tree = query.include_tree === false ? {} : { tree: { sections: shown } };
    return { id: page.id, page_id: page.id, builder: { sectionCount: sections.length, delay: delay ?? null, ...tree } };
  },

  getBuilderNode: (service, { query }: Call<{ page_id: string; node_id: string }>) => {
    const page = pageById(service, query.page_id);
    const found = findNode(shownDraftOf(service, page), query.node_id);
    if (found === undefined) throw notFound("node", query.node_id);
    const { node, path } = found;
    return {
      id: page.id,
      page_id: page.id,
      node_id: node.id,
      path,
      summary: summaryOf(node),
      node: shownNode(service, page, node),
    };
  },

  updateBuilderNode: (service, { body }: Call<unknown, NodeFields>) => {
    const page = pageById(service, body.page_id);
    const patched = patchNode(draftOf(service, page), body.node_id, body.updates);
    if (patched === undefined) throw notFound("node", body.node_id);
    saveDraft(service, page, patched.document);
    return { id: page.id, page_id: page.id, node_id: body.node_id, updated: true, path: patched.path };
  },

  replaceBuilderNode: (service, { body }: Call<unknown, NodeReplace>) => {
    const page = pageById(service, body.page_id);
    const node = fromJson<Record<string, unknown>>(body.node, "node", "an object");
    const replaced = replaceNode(draftOf(service, page), body.node_id, node);
    if (replaced === undefined) throw notFound("node", body.node_id);
    saveDraft(service, page, replaced.document);
    return {
      id: page.id,
      page_id: page.id,
      node_id: body.node_id,
      updated: true,
      path: replaced.path,
      builder_warnings: JSON.stringify(replaced.warnings),
    };
  },

  setPageDelay: (service, { body }: Call<unknown, Delay>) => {
    const page = pageById(service, body.page_id);
    const draft = draftOf(service, page);
    const delay = delayOf(draft, body);
    saveDraft(service, page, { ...draft, delay });
    return { id: page.id, page_id: page.id, updated: true, delay };
  },
};

/** Keeps settings that were not sent. */
function delayOf(draft: PageDocument, sent: Delay): NonNullable<PageDocument["delay"]> {
  const videoId = sent.video_node_id ?? draft.delay?.video_node_id ?? null;
  if (sent.video_node_id && findNode(draft, sent.video_node_id) === undefined)
    throw notFound("node", sent.video_node_id);
  return {
    time: sent.time ?? draft.delay?.time ?? 0,
    sync_with_video: sent.sync_with_video ?? draft.delay?.sync_with_video ?? false,
    scroll_into_view: sent.scroll_into_view ?? draft.delay?.scroll_into_view ?? false,
    video_node_id: videoId === "" ? null : videoId,
  };
}

/** Returns a node as the builder shows it. */
function shownNode(service: Service, page: PageRecord, node: PageNode): PageNode & Record<string, unknown> {
  const { builderTexts, nodeStamps } = service.notShown;
  const { text } = node.misc;
  const children = node.children?.map((child) => shownNode(service, page, child));
  return {
    ...node,
    ...(builderTexts === "html" && typeof text === "string" && { misc: { ...node.misc, text: paragraph(text) } }),
    ...(nodeStamps !== "none" && { rev: Date.parse(page.updatedAt) }),
    ...(nodeStamps === "reads" && { renderedAt: service.now() }),
    ...(children && { children }),
  };
}

function paragraph(text: string): string {
  return `<p>${text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;")}</p>`;
}

function summaryOf({ type, misc, children = [] }: PageNode): string {
  const text = [misc["text"], misc["title"], misc["label"]].find((value) => typeof value === "string");
  const inside = children.length === 0 ? "" : ` with ${children.length} inside`;
  return text === undefined ? `${type}${inside}` : `${type}${inside}: ${text.slice(0, 60)}`;
}
