/** Builder nodes and the reveal delay of a page. */
import { beforeEach, expect, test } from "vitest";
import type { Json, PropertyMap } from "../../engine/index.ts";
import { applied, byHand, calls, HERO as base, type ResourceTest, UNKNOWN, worldOfAll } from "./harness.ts";
import { refreshPlansNothing, unique, writes } from "./table.ts";
import { textsInApp } from "../suite/app.ts";

type Node = Readonly<{ id: string; type: string; misc: PropertyMap; style: PropertyMap; children?: Node[] }>;

const world = worldOfAll();
let page: ResourceTest;
let nodes: Node[];

beforeEach(async () => {
  page = await applied(world, "page", unique("nodes"), base);
  const path = `/pages/builder?page_id=${page.id}`;
  const { builder } = await byHand<{ builder: { tree: { sections: Node[] } } }>(world, "GET", path);
  nodes = flat(builder.tree.sections);
  calls(world);
});

function flat(list: readonly Node[]): Node[] {
  return list.flatMap((node) => [node, ...flat(node.children ?? [])]);
}

const first = (): Node => nodes[0] as Node;
const patch = (nodeId: string, updates: PropertyMap): PropertyMap => ({ page_id: page.id, node_id: nodeId, updates });
const live = async (nodeId: string): Promise<Node> =>
  (await byHand<{ node: Node }>(world, "GET", `/pages/builder/node?page_id=${page.id}&node_id=${nodeId}`)).node;
const edit = (nodeId: string, updates: PropertyMap): Promise<unknown> =>
  byHand(world, "PATCH", "/pages/builder/node", patch(nodeId, updates));
const withNodes = (declared: Record<string, Json>): PropertyMap => ({ ...base, nodes: declared });

test("a patch is merged; only its properties are compared; only the changed node is sent", async () => {
  const [one, two] = nodes as [Node, Node];
  const both = (margin: string): PropertyMap =>
    withNodes({
      [one.id]: { style: { color: "red" }, misc: { note: { deep: [1, "x"] } } },
      [two.id]: { style: { margin } },
    });
  expect(await page.apply(both("1px"))).toBe("updated");
  const call = "PATCH /pages/builder/node";
  expect(writes(world, page.id).map(([call]) => call)).toEqual([call, call]);
  expect(await live(one.id)).toMatchObject({
    style: { ...one.style, color: "red" },
    misc: { ...one.misc, note: { deep: [1, "x"] } },
  });
  await refreshPlansNothing(page, both("1px"));
  expect(await page.apply(both("2px"))).toBe("updated");
  expect(writes(world)).toEqual([[call, patch(two.id, { style: { margin: "2px" } })]]);
});

test("an undeclared property edited by hand is left alone; a declared one is found and repaired", async () => {
  const { id } = first();
  const declared = withNodes({ [id]: { style: { color: "red" } } });
  await page.apply(declared);
  await edit(id, { style: { padding: "9px" } });
  await refreshPlansNothing(page, declared);
  await edit(id, { style: { color: "blue" } });
  await page.refresh();
  expect(page.state?.inputs?.["nodes"]).toEqual({ [id]: { style: { color: "blue" } } });
  expect(await page.apply(declared)).toBe("updated");
  expect((await live(id)).style).toMatchObject({ color: "red", padding: "9px" });
});

test("a whole replacement takes the place of the node, and its removal sends nothing", async () => {
  const { id, type } = first();
  const node = { id, type, misc: { replaced: true }, style: { color: "green" }, children: [] };
  const declared = withNodes({ [id]: { node } });
  expect(await page.apply(declared)).toBe("updated");
  expect(writes(world)).toEqual([["PATCH /pages/builder/node/replace", { page_id: page.id, node_id: id, node }]]);
  expect((await live(id)).misc).toEqual({ replaced: true });
  await refreshPlansNothing(page, declared);
  expect(await page.apply(base)).toBe("same");
  expect(writes(world)).toEqual([]);
});

test("what somebody adds to a node that is declared as a whole is found and taken away", async () => {
  const { id, type } = first();
  const declared = withNodes({ [id]: { node: { id, type, misc: { text: "Ours" }, children: [] } } });
  await page.apply(declared);
  await refreshPlansNothing(page, declared);
  await edit(id, { style: { color: "red" }, misc: { note: "theirs" } });
  await page.refresh();
  expect(page.state?.inputs?.["nodes"]).toMatchObject({
    [id]: { node: { misc: { text: "Ours", note: "theirs" }, style: { color: "red" } } },
  });
  expect(await page.apply(declared)).toBe("updated");
  expect(await live(id)).toMatchObject({ misc: { text: "Ours" } });
  expect(JSON.stringify(await live(id))).not.toMatch(/theirs|red/);
  await refreshPlansNothing(page, declared);
});

test("a node that does not exist: an error with the nearest ids and their paths; the others are kept", async () => {
  const { id } = first();
  const wrong = `${id.slice(0, -1)}~`;
  const declared = withNodes({ [id]: { style: { color: "red" } }, [wrong]: { style: { color: "red" } } });
  await expect(page.up(declared)).rejects.toThrow(
    new RegExp(
      `nodes: page ${page.id} has no builder node "${wrong}"\\. The nearest are "[^"]+" \\(sections\\[\\d+\\].*\\)\\. Correct the id and run again\\.`,
    ),
  );
  expect((await live(id)).style).toMatchObject({ color: "red" });
  expect(await page.apply(withNodes({ [id]: { style: { color: "red" } } }))).toBe("updated");
});

test("a node needs a patch or a replacement, not both; what is not known yet passes", async () => {
  const { id } = first();
  for (const [value, message] of [
    [{ style: {}, node: {} }, /node: can't be combined with style/],
    [{ node: "text" }, /node: has a value of the wrong type/],
    [{ stile: { color: "red" } }, /did you mean "style"/],
  ] as const)
    await expect(page.check(withNodes({ [id]: value }))).rejects.toThrow(message);
  const unknowns: Json[] = [UNKNOWN, { style: UNKNOWN }, { style: { color: UNKNOWN } }, { node: UNKNOWN }];
  for (const value of unknowns)
    expect(await page.diff(withNodes({ [id]: value }))).toMatchObject({ changes: "some", replaceKeys: [] });
});

test("the delay of a section over a video", async () => {
  const { id } = first();
  const delay = { time: 12.5, syncWithVideo: true, scrollIntoView: true, videoNodeId: id };
  expect(await page.apply({ ...base, delay })).toBe("updated");
  expect(writes(world, page.id)).toEqual([
    [
      "PATCH /pages/delay",
      { page_id: "ID", time: 12.5, sync_with_video: true, scroll_into_view: true, video_node_id: id },
    ],
  ]);
  await refreshPlansNothing(page, { ...base, delay });
  await expect(page.check({ ...base, delay: { time: -1 } })).rejects.toThrow(/delay\.time: /);
});

const contentOf = (): Promise<Record<string, unknown>> => textsInApp(world, page.id);

test.each([
  ["the content stays", { content: { "hero.title": "From content" } }, "From content"],
  ["the node stays", { nodes: true }, "From node"],
])("one text set as content and in its node is refused before it is public; then %s", async (_, kept, shown) => {
  const { "hero.title": title } = await contentOf();
  const node = nodes.find(({ misc }) => misc["text"] === title) as Node;
  const set = { [node.id]: { misc: { text: "From node" } } };
  const content = { "hero.title": "From content", "hero.text": "Beside it" };
  calls(world);
  await expect(page.up({ ...base, content, nodes: set })).rejects.toThrow(
    `content["hero.title"] and nodes.${node.id} set the same text: the page would show the node's, "From node". Set it in one of them`,
  );
  const declared = { ...base, ...kept, ...("nodes" in kept && { nodes: set }) };
  expect(await page.apply(declared)).toBe("updated");
  expect(await contentOf()).toMatchObject({ "hero.title": shown });
  await refreshPlansNothing(page, declared);
});
