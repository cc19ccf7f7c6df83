/** A service that copies the name at creation: no visitor sees a marker, neither on new pages nor on those of older versions. */
import { beforeAll, expect, test } from "vitest";
import { markerIn } from "../../provider/ledger/identity.ts";
import { byHand, openWorld, ResourceTest } from "./harness.ts";
import { forAllTests } from "../suite/opened.ts";

const world = forAllTests(() => openWorld({ notShown: { copiesOfName: ["page.title", "slug", "handle"] } }));
let siteId = "";
beforeAll(async () => {
  siteId = ((await byHand(world, "POST", "/sites", { name: "copies.example" })) as { id: string }).id;
});

async function contentOf(id: string): Promise<string> {
  return JSON.stringify(await byHand(world, "GET", `/search/page-content-map?page_id=${id}`));
}

test.each(["page", "quiz"] as const)("a %s made from nothing shows its name, and no marker", async (kind) => {
  const draft = new ResourceTest(world, kind, `copied-${kind}.`);
  expect(await draft.apply({})).toBe("created");
  expect(markerIn(await contentOf(draft.id))).toBeUndefined();
  const published = new ResourceTest(world, kind, `copied-${kind}-published.`);
  const changes: string[] = [];
  world.emulator.requests.length = 0;
  expect(await published.apply({ publish: { siteId, slug: `copied-${kind}` } })).toBe("created");
  for (const { method, path } of world.emulator.requests) if (method !== "GET") changes.push(`${method} ${path}`);
  expect(changes.at(-1)).toBe("POST /pages/publish");
  expect(markerIn(await contentOf(published.id))).toBeUndefined();
  expect(await contentOf(published.id)).toContain(`copied-${kind}-published.`);
  expect(markerIn(JSON.stringify(published.outputs["slug"]))).toBeUndefined();
});

test("the builder shows the name where the content map shows no values", async () => {
  world.emulator.notShown.contentShape = "no-values";
  try {
    const page = new ResourceTest(world, "page", "hidden.");
    expect(await page.apply({ publish: { siteId, slug: "hidden" } })).toBe("created");
    const tree = JSON.stringify(await byHand(world, "GET", `/pages/builder?page_id=${page.id}`));
    expect(tree).toContain("hidden.");
    expect(markerIn(tree)).toBeUndefined();
    const documents = world.emulator.records()["documents"] as unknown as { id: string; live: unknown }[];
    expect(markerIn(JSON.stringify(documents.find(({ id }) => id === page.id)?.live))).toBeUndefined();
    expect(await page.apply({ publish: { siteId, slug: "hidden" }, tags: ["a"] })).toBe("updated");
    expect(world.printed.join("\n")).not.toMatch(/held back|while it was being/);
  } finally {
    world.emulator.notShown.contentShape = "array-key-value";
  }
});

test("a copy in a builder node goes before visitors can see it, and from a draft at the end of its creation", async () => {
  world.emulator.notShown.copiesOfName = ["page.title", "node"];
  try {
    for (const [name, inputs] of [
      ["in-a-draft.", {}],
      ["in-a-page.", { publish: { siteId, slug: "in-a-node" } }],
    ] as const) {
      const page = new ResourceTest(world, "page", name);
      expect(await page.apply(inputs)).toBe("created");
      const tree = JSON.stringify(await byHand(world, "GET", `/pages/builder?page_id=${page.id}`));
      expect(tree).toContain(`"heading":"${name}"`);
      expect(markerIn(tree)).toBeUndefined();
      const documents = world.emulator.records()["documents"] as unknown as { id: string; live: unknown }[];
      expect(markerIn(JSON.stringify(documents.find(({ id }) => id === page.id)?.live))).toBeUndefined();
    }
  } finally {
    world.emulator.notShown.copiesOfName = ["page.title", "slug", "handle"];
  }
});

test("a text that is declared is left as declared, and another's marker as it is", async () => {
  const publish = { siteId, slug: "declared" };
  const title = "Our [lf-00000000-1111111111-2222] title";
  const page = new ResourceTest(world, "page", "declared.");
  expect(await page.apply({ publish, content: { "page.title": title } })).toBe("created");
  expect(await contentOf(page.id)).toContain(title);
  expect(await page.refresh()).toBe(true);
  expect(await page.apply({ publish, content: { "page.title": title } })).toBe("same");
});

test("a creation that fails before the copies are cleaned is put right by the next run", async () => {
  const page = new ResourceTest(world, "page", "failed.");
  world.emulator.faults.add({ method: "PATCH", path: "/pages/content", phase: "status", status: 403 });
  await expect(page.up({})).rejects.toThrow(/PATCH \/pages\/content/);
  expect(markerIn(await contentOf(page.id))).toBeDefined();
  expect(await page.apply({})).toBe("updated");
  expect(markerIn(await contentOf(page.id))).toBeUndefined();
});
