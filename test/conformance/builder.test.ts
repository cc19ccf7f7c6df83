import { describe, expect, test } from "vitest";
import { type Fields, record, refused } from "./expectations.ts";
import { made, makeTemplatedPage, missingId, someTemplate } from "./fixtures.ts";
import { openTarget } from "./target.ts";

const target = await openTarget();
const template = await someTemplate(target);
const page = await makeTemplatedPage(target, template.id);

interface TreeNode {
  id: string;
  [name: string]: unknown;
}

async function builderOf(pageId: string, query: Record<string, boolean> = {}) {
  const summary = await target.record("getBuilder", { query: { page_id: pageId, ...query } });
  return summary.builder as { sectionCount: number; tree?: { sections: TreeNode[] } };
}

async function firstNode(pageId: string): Promise<TreeNode> {
  const [section] = (await builderOf(pageId)).tree?.sections ?? [];
  expect(section?.id).toBeTypeOf("string");
  return section as TreeNode;
}

const readNode = (pageId: string, nodeId: string): Promise<Fields> =>
  target.record("getBuilderNode", { query: { page_id: pageId, node_id: nodeId } });

describe("GET /pages/builder", () => {
  test("answers the section tree, unless it is asked not to", async () => {
    const whole = await builderOf(page.id);
    expect(whole.tree?.sections).toHaveLength(whole.sectionCount);
    expect(await builderOf(page.id, { include_tree: true })).toEqual(whole);
    const bare = await builderOf(page.id, { include_tree: false });
    expect(bare.sectionCount).toBe(whole.sectionCount);
    expect(bare.tree?.sections).toBeUndefined();
  });

  test("needs a page", async () => refused(await target.call("getBuilder"), { code: "invalid_request" }));
});

describe("GET /pages/builder/node", () => {
  test("answers the node", async () => {
    const node = await firstNode(page.id);
    expect(await readNode(page.id, node.id)).toMatchObject({ page_id: page.id, node_id: node.id, node });
  });

  test("needs a page and a node that exist", async () => {
    const node = await firstNode(page.id);
    refused(await target.call("getBuilderNode", { query: { page_id: page.id } }), { code: "invalid_request" });
    refused(await target.call("getBuilderNode", { query: { node_id: node.id } }), { code: "invalid_request" });
    refused(await target.call("getBuilderNode", { query: { page_id: page.id, node_id: missingId } }));
  });
});

describe("PATCH /pages/builder/node", () => {
  const patch = async (node_id: string, updates: object, more: object = {}) =>
    target.call("updateBuilderNode", { body: { page_id: page.id, node_id, updates, ...more } });

  test.each([
    ["misc", { misc: { conformance: "kept" } }],
    ["style", { style: { "letter-spacing": "3px" } }],
    ["misc and style", { misc: { second: "kept" }, style: { color: "rgb(1, 2, 3)" } }],
  ])("patches %s and does not replace the node", async (_, updates) => {
    const before = await firstNode(page.id);
    const result = record("BuilderNodeUpdate", await patch(before.id, updates, { node_type: "section" }));
    expect(result).toMatchObject({ page_id: page.id, node_id: before.id, updated: true });
    const { node } = await readNode(page.id, before.id);
    expect(node).toMatchObject(updates);
    const untouched = { ...before, misc: undefined, style: undefined };
    expect({ ...(node as object), misc: undefined, style: undefined }).toEqual(untouched);
    expect((node as TreeNode).misc).toMatchObject(before.misc ?? {});
  });

  test("refuses updates with neither misc nor style, and unknown nodes", async () => {
    const node = await firstNode(page.id);
    const updates = { misc: { a: 1 } };
    refused(await patch(node.id, {}), { code: "invalid_request" });
    refused(await patch(missingId, updates));
    expect(await firstNode(page.id)).toEqual(node);
  });
});

describe("PATCH /pages/builder/node/replace", () => {
  test.each([
    ["an object", (node: object): unknown => node],
    ["a JSON string", (node: object): unknown => JSON.stringify(node)],
  ])("takes the replacement as %s", async (_, encode) => {
    const fresh = await makeTemplatedPage(target, template.id);
    const before = await firstNode(fresh.id);
    const replacement = { ...before, misc: { ...(before.misc as object), replaced: "yes" } };
    const body = { page_id: fresh.id, node_id: before.id, node: encode(replacement) };
    const result = await target.record("replaceBuilderNode", { body });
    expect(result).toMatchObject({ page_id: fresh.id, node_id: before.id, updated: true });
    expect((await readNode(fresh.id, before.id)).node).toEqual(replacement);
  });

  test("refuses text that is not JSON, JSON that is no object, and an unknown node", async () => {
    const node = await firstNode(page.id);
    const replace = async (more: object) =>
      target.call("replaceBuilderNode", { body: { page_id: page.id, node_id: node.id, node, ...more } });
    refused(await replace({ node: "{not JSON" }), { code: "invalid_request" });
    refused(await replace({ node: "[1]" }), { code: "invalid_request" });
    refused(await replace({ node_id: missingId }));
    expect(await firstNode(page.id)).toEqual(node);
  });
});

describe("PATCH /pages/delay", () => {
  test("saves the settings and answers them", async () => {
    const body = { page_id: page.id, time: 12.5, sync_with_video: false, scroll_into_view: true };
    const result = await target.record("setPageDelay", { body });
    expect(result).toMatchObject({ page_id: page.id, updated: true, delay: { time: 12.5 } });
  });
});

test("the builder of one page is not touched by changes to another", async () => {
  const other = await makeTemplatedPage(target, template.id);
  const before = await builderOf(other.id);
  const node = await firstNode(page.id);
  const body = { page_id: page.id, node_id: node.id, updates: { misc: { only: "here" } } };
  await target.record("updateBuilderNode", { body });
  expect(await builderOf(other.id)).toEqual(before);
});

test("a copy has the content of its source and a life of its own", async () => {
  const source = await makeTemplatedPage(target, template.id);
  const copy = await made(target, "duplicatePage", { page_id: source.id }, "deletePage");
  const [original, copied] = [await builderOf(source.id), await builderOf(copy.id)];
  expect(copied.sectionCount).toBe(original.sectionCount);
  const node = await firstNode(copy.id);
  const body = { page_id: copy.id, node_id: node.id, updates: { misc: { only: "copy" } } };
  await target.record("updateBuilderNode", { body });
  expect(await builderOf(source.id)).toEqual(original);
});
