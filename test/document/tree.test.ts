import fc from "fast-check";
import { describe, expect, test } from "vitest";
import {
  allNodes,
  blankDocument,
  copyDocument,
  findNode,
  type PageDocument,
  patchNode,
  replaceNode,
} from "../../emulator/document/index.ts";
import { anyDocument, counter, fromTemplate } from "./arbitraries.ts";

const ids = (document: PageDocument): string[] => allNodes(document).map((node) => node.id);

const nodeNamed = (document: PageDocument, name: string): string => {
  const node = allNodes(document).find((one) => one.misc.name === name);
  if (!node) throw new Error(`No node is named ${name}.`);
  return node.id;
};

describe("copy", () => {
  test("is equal but for its ids, all of which are new", () => {
    fc.assert(
      fc.property(anyDocument, (document) => {
        const copy = copyDocument(document, counter("copy"));
        expect(ids(copy).filter((id) => ids(document).includes(id))).toEqual([]);
        expect(new Set(ids(copy)).size).toBe(ids(document).length);
        expect(copyDocument(copy, counter())).toEqual(document);
      }),
    );
  });

  test("a delay goes on naming the copied video", () => {
    const original = fromTemplate("tpl-sales");
    const delay = { time: 5, sync_with_video: true, scroll_into_view: false };
    const copy = copyDocument(
      { ...original, delay: { ...delay, video_node_id: nodeNamed(original, "hero.video") } },
      counter("c"),
    );
    expect(copy.delay).toEqual({ ...delay, video_node_id: nodeNamed(copy, "hero.video") });
  });
});

describe("nodes", () => {
  test("every node is found under its id, where its path says", () => {
    fc.assert(
      fc.property(anyDocument, (document) => {
        for (const node of allNodes(document)) {
          const found = findNode(document, node.id);
          expect(found?.node).toBe(node);
          const steps = found?.path.split(/[[\].]+/).filter((step) => step !== "") ?? [];
          const there = steps.reduce<unknown>((at, step) => (at as Record<string, unknown>)[step], document);
          expect(there).toBe(node);
        }
      }),
    );
  });

  test("there is none in a blank page", () => {
    expect(allNodes(blankDocument())).toEqual([]);
    expect(findNode(blankDocument(), "n1")).toBeUndefined();
    expect(patchNode(blankDocument(), "n1", {})).toBeUndefined();
    expect(replaceNode(blankDocument(), "n1", { type: "text" })).toBeUndefined();
  });

  test("a patch merges misc and style and leaves the rest alone", () => {
    const document = fromTemplate("tpl-hero");
    const id = nodeNamed(document, "hero.title");
    const patched = patchNode(document, id, { misc: { level: 2 }, style: { color: "red" } });
    const before = findNode(document, id)?.node;
    expect(findNode(patched?.document ?? blankDocument(), id)?.node).toEqual({
      ...before,
      misc: { ...before?.misc, level: 2 },
      style: { color: "red" },
    });
    expect(before?.style).toEqual({});
  });
});

describe("replacement", () => {
  const document = fromTemplate("tpl-hero");
  const id = nodeNamed(document, "benefits");

  test("takes the place and the id of what it replaces", () => {
    const node = {
      type: "section",
      misc: { name: "new" },
      style: { padding: "0" },
      children: [],
      extra: { kept: true },
    };
    const result = replaceNode(document, id, node);
    expect(result?.warnings).toEqual([]);
    const found = findNode(result?.document ?? blankDocument(), id);
    expect(found).toEqual({ path: findNode(document, id)?.path, node: { ...node, id } });
  });

  test("by itself changes nothing", () => {
    fc.assert(
      fc.property(anyDocument, fc.nat(), (any, pick) => {
        const nodes = allNodes(any);
        const node = nodes[pick % Math.max(1, nodes.length)];
        if (!node) return;
        const result = replaceNode(any, node.id, { ...node });
        expect(result).toMatchObject({ warnings: [] });
        expect(result?.document).toEqual(any);
      }),
    );
  });

  test("ids stay unique, and what was not taken over is said", () => {
    const taken = nodeNamed(document, "hero.title");
    const result = replaceNode(document, id, {
      id: "mine",
      type: "section",
      children: [
        { id: taken, type: "text" },
        { id: id, type: "text" },
        { type: "text", misc: 5, style: [1] },
        "oops",
        {},
      ],
    });
    const after = result?.document ?? blankDocument();
    expect(new Set(ids(after)).size).toBe(ids(after).length);
    expect(findNode(after, id)?.node.children).toHaveLength(4);
    expect(findNode(after, id)?.node.children?.[2]).toMatchObject({ type: "text", misc: {}, style: {} });
    expect(result?.warnings).toEqual([
      expect.stringContaining('"mine" was ignored'),
      expect.stringContaining(`The id ${taken} is taken`),
      expect.stringContaining(`The id ${id} is taken`),
      expect.stringContaining("Child 3"),
      expect.stringContaining("has no type"),
    ]);
  });

  test("a bottomless tree is cut, not an exhausted stack", () => {
    const deep = JSON.parse(`${'{"type":"card","children":['.repeat(5000)}${"]}".repeat(5000)}`) as Record<
      string,
      unknown
    >;
    const result = replaceNode(document, id, deep);
    expect(result?.warnings).toContain("Nodes that are nested deeper than 64 levels were left out.");
    expect(allNodes(result?.document ?? blankDocument()).length).toBeLessThan(150);
  });
});
