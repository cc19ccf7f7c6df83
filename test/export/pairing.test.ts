/** Which of several things of one name is which in another account: keys of an account only tell their age. */
import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { compareModels } from "../../manifest/export/index.ts";
import { Reference, type Inputs, type Model, type Resource } from "../../manifest/match/model.ts";
import type { Kind } from "../../provider/kinds/registry.ts";
import { TestAccount, TestFolder } from "./harness.ts";

function thing(kind: Kind, key: string, name: string, inputs: Inputs = {}): Resource {
  return { kind, key, id: undefined, name, inputs, notes: [] };
}

function account(...resources: Resource[]): Model {
  return { from: "account", title: "", name: "", resources, leftOut: [], copy: false, whole: true, warnings: [] };
}

function steps(...pages: string[]): Inputs {
  return { steps: pages.map((page) => ({ pageId: new Reference("page", page), pageType: "sales" })) };
}

describe("namesakes", () => {
  test("are told by what they hold", () => {
    const a = account(thing("product", "mug", "Mug", { price: 1 }), thing("product", "mug-2", "Mug", { price: 2 }));
    const b = account(thing("product", "mug", "Mug", { price: 2 }), thing("product", "mug-2", "Mug", { price: 1 }));
    expect(compareModels(a, b).differences).toEqual([]);
  });

  test("are told by what refers to them, though they hold the same", () => {
    const pages = (): Resource[] => [thing("page", "offer", "Offer"), thing("page", "offer-2", "Offer")];
    const a = account(...pages(), thing("funnel", "spring", "Spring", steps("offer")));
    const b = account(...pages(), thing("funnel", "spring", "Spring", steps("offer-2")));
    expect(compareModels(a, b).differences).toEqual([]);
  });

  test("are told by what they refer to, which has namesakes too", () => {
    const pages = (): Resource[] => [thing("page", "offer", "Offer"), thing("page", "offer-2", "Offer")];
    const funnel = (key: string, page: string, url: string): Resource => {
      const [first = {}] = steps(page)["steps"] as Inputs[];
      return thing("funnel", key, "Spring", { steps: [first, { url, pageType: "thankyou" }] });
    };
    const a = account(
      ...pages(),
      funnel("spring", "offer", "https://a.example"),
      funnel("spring-2", "offer-2", "https://b.example"),
    );
    const b = account(
      ...pages(),
      funnel("spring", "offer", "https://b.example"),
      funnel("spring-2", "offer-2", "https://a.example"),
    );
    expect(compareModels(a, b).differences).toEqual([]);
  });

  test("that differ are held against the nearest, and each against one", () => {
    const a = account(
      thing("page", "offer", "Offer", { content: { a: "1", b: "2", c: "3" } }),
      thing("page", "offer-2", "Offer", { content: { a: "4", b: "5", c: "6" } }),
      thing("page", "offer-3", "Offer", { content: { a: "7", b: "8", c: "9" } }),
    );
    const b = account(
      thing("page", "offer", "Offer", { content: { a: "4", b: "5", c: "changed" } }),
      thing("page", "offer-2", "Offer", { content: { a: "1", b: "2", c: "3" } }),
    );
    const { differences, compared } = compareModels(a, b);
    expect(compared).toBe(2);
    expect(differences).toMatchObject([
      { change: "changed", a: "pages.offer-2", b: "pages.offer", fields: [{ field: 'content["c"]' }] },
      { change: "only-a", a: "pages.offer-3" },
    ]);
  });

  test("any account is the same as itself, whatever keys and order its things get", () => {
    const shape = fc.record({
      pages: fc.array(fc.constantFrom("1", "2"), { minLength: 1, maxLength: 4 }),
      funnels: fc.array(fc.array(fc.nat(3), { maxLength: 3 }), { maxLength: 3 }),
      order: fc.infiniteStream(fc.nat()),
    });
    fc.assert(
      fc.property(shape, ({ pages, funnels, order }) => {
        const build = (rank: (index: number) => number): Model => {
          const place = pages.map((_, index) => index).sort((a, b) => rank(a) - rank(b));
          const keyOf = (page: number): string => `offer-${place.indexOf(page % pages.length)}`;
          const made = place.map((page) => thing("page", keyOf(page), "Offer", { content: { a: pages[page] ?? "" } }));
          const flows = funnels.map((flow, index) => thing("funnel", `f-${index}`, "F", steps(...flow.map(keyOf))));
          return account(...made, ...flows);
        };
        const ranks = pages.map(() => order.next().value as number);
        expect(
          compareModels(
            build((index) => index),
            build((index) => ranks[index] ?? 0),
          ).differences,
        ).toEqual([]);
      }),
      { seed: 1, numRuns: 500 },
    );
  });
});

test("an export is in the order in which things were made, whatever order the service lists in", async () => {
  const source = await TestAccount.open();
  const folders = [new TestFolder(), new TestFolder()] as const;
  try {
    for (const price of [1, 2, 3]) {
      await source.api.products.create({ name: "Mug", price });
      await new Promise((done) => setTimeout(done, 5));
    }
    await folders[0].export(source);
    source.emulator.notShown.listOrder = "newest-first";
    await folders[1].export(source);
    expect(folders[1].read()).toBe(folders[0].read());
    expect(folders[0].read()).toMatch(/mug:[^]*price: 1[^]*mug-2:[^]*price: 2[^]*mug-3:[^]*price: 3/);
  } finally {
    for (const folder of folders) folder.close();
    await source.close();
  }
});
