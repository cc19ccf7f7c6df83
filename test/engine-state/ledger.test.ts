import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { ResourceState } from "../../engine/model/types.ts";
import { arrange, integrityProblems } from "../../engine/state/integrity.ts";
import { page, provider, root, urnOf } from "./fixtures.ts";

describe("the order of the resources", () => {
  it("puts dependencies first even where the steps did not, and leaves a good order alone", () => {
    const child = page("child", { dependencies: [urnOf("late")] });
    expect(arrange([child, page("late"), provider, root])).toStrictEqual([root, provider, page("late"), child]);
    const good = [root, provider, page("z"), page("a")];
    expect(arrange(good)).toStrictEqual(good);
  });

  it("satisfies Pulumi for any graph in any order", () => {
    const graph = fc.array(fc.array(fc.nat(20), { maxLength: 3 }), { minLength: 1, maxLength: 12 }).chain((edges) => {
      const before = (index: number, targets: number[]) => targets.filter((target) => target < index);
      const pages = edges.map((targets, index) =>
        page(`p${index}`, { dependencies: before(index, targets).map((target) => urnOf(`p${target}`)) }),
      );
      return fc.shuffledSubarray([root, provider, ...pages], { minLength: pages.length + 2 });
    });
    fc.assert(
      fc.property(graph, (resources) => {
        expect(integrityProblems(arrange(resources))).toStrictEqual([]);
      }),
    );
  });
});

describe("references", () => {
  it("follow a resource, its children and its provider to their new names", () => {
    const component = "urn:pulumi:dev::shop::shop:index:Group::";
    const inside = (name: string, parent: string): ResourceState =>
      page(name, { urn: `urn:pulumi:dev::shop::${parent}$pulumi-nodejs:dynamic/landform:Page::${name}` });
    const renamedProvider = { ...provider, urn: `${provider.urn}-2`, aliases: [provider.urn] };
    const typed = {
      urn: "urn:pulumi:dev::shop::shop:index:Team::new",
      custom: false,
      type: "shop:index:Team",
      aliases: [`${component}old`],
      parent: root.urn,
    };
    const child = { ...inside("child", "shop:index:Group"), parent: `${component}old` };
    const arranged = arrange([root, renamedProvider, typed, child, page("user", { dependencies: [child.urn] })]);
    const renamed = inside("child", "shop:index:Team").urn;
    expect(arranged).toMatchObject([
      { urn: root.urn },
      { urn: renamedProvider.urn },
      { urn: typed.urn },
      { urn: renamed, parent: typed.urn, provider: `${renamedProvider.urn}::${provider.id ?? ""}` },
      { urn: urnOf("user"), dependencies: [renamed] },
    ]);
    expect(arranged.every(({ aliases }) => aliases === undefined)).toBe(true);
    expect(integrityProblems(arranged)).toStrictEqual([]);
  });
});

describe("integrity", () => {
  const alone = page("a", { provider: undefined });
  it.each([
    ["a missing parent", [alone], /parent .* is missing/],
    ["a parent that comes later", [alone, root], /parent .* comes after it/],
    ["a missing dependency", [root, { ...alone, dependencies: ["x"] }], /dependency x is missing/],
    ["a missing provider", [root, page("a")], /provider .* is missing/],
    ["a resource twice", [root, root], /is there twice/],
    ["a component with an id", [{ ...root, id: "1" }], /component but has the id 1/],
  ])("names %s", (_what, resources, message) => expect(integrityProblems(resources).join("\n")).toMatch(message));
});
