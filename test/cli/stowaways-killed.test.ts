// @module-tag thorough
/** A replacement that is killed once the new page is public: later edits of people are held, and our own texts are not. */
import { afterEach, beforeEach, expect, test } from "vitest";
import { strike } from "../faults/whole/kill.ts";
import { Machine } from "../faults/whole/machine.ts";

const manifest = (template: string, title: string, slug: string, more = ""): string => `landform: 1
name: killed
sites: { main: { name: killed.example } }
pages:
  offer:
    name: Offer ${title}
    template: ${template}
    tags: [${title}]
    variables: { brand: Acme${more} }
    content: { hero.title: ${title} }
    publish: { site: main, slug: ${slug} }
`;
const FIRST = manifest("tpl-hero", "One", "offer");
const SECOND = manifest("tpl-sales", "Two", "deal", ", product: Mug, support_email: help@acme.example");
const UP = ["up", "--yes"];

let machine: Machine;
beforeEach(async () => {
  machine = await Machine.open({ kind: "embedded", form: "landform.yaml" }, { "landform.yaml": FIRST });
  await passes(UP);
  machine.write("landform.yaml", SECOND);
});
afterEach(() => machine.close());

async function passes(args: readonly string[]): Promise<string> {
  const { code, said } = await machine.run(args);
  expect(code, said).toBe(0);
  return said;
}

async function killedAfter(method: string, path: string): Promise<void> {
  const here = { number: 0, boundary: "after commit" } as const;
  const { call } = await strike(machine, UP, here, (asked) => asked.method === method && asked.path === path);
  expect(call).toBe(`${method} ${path}`);
  await machine.free();
}

function idsOf(...templates: string[]): string[] {
  const pages = (machine.emulator.records()["pages"] ?? []) as { id: string; templateId?: string | null }[];
  return pages.flatMap(({ id, templateId }) => (templates.includes(templateId ?? "") ? [id] : []));
}

async function edit(id: string): Promise<void> {
  const { baseUrl, apiKey } = machine.emulator;
  const response = await fetch(`${baseUrl}/pages/content`, {
    method: "PATCH",
    headers: { authorization: `Bearer ${apiKey}`, "content-type": "application/json" },
    body: JSON.stringify({ page_id: id, updates: { "top.note": "Half a thought", "hero.text": "Half a thought" } }),
  });
  expect(response.ok).toBe(true);
}

function isPublic(text: string): boolean {
  const documents = (machine.emulator.records()["documents"] ?? []) as { id: string; live?: unknown }[];
  return documents.some(({ live }) => JSON.stringify(live ?? null).includes(text));
}

test.each([
  ["the new page", ["tpl-sales"]],
  ["both pages", ["tpl-hero", "tpl-sales"]],
])("an edit of %s, at once", { timeout: 120_000 }, async (_, templates) => {
  await killedAfter("POST", "/pages/publish");
  for (const id of idsOf(...templates)) await edit(id);
  for (const time of [1, 2]) {
    const { code, said } = await machine.run(UP);
    expect(code, said).toBe(1);
    expect(said, `time ${time}`).toMatch(/held back[^]*Half a thought/);
    expect(isPublic("Half a thought")).toBe(false);
  }
  await passes([...UP, "--foreign-edits", "include"]);
  expect(isPublic("Half a thought")).toBe(true);
  expect(await passes(["preview", "--detailed-exitcode"])).toContain("no changes");
});

test("killed twice, and edited by nobody", { timeout: 120_000 }, async () => {
  await killedAfter("POST", "/pages/publish");
  await killedAfter("PATCH", "/pages/metadata");
  expect(await passes(UP)).not.toContain("held back");
  expect(idsOf("tpl-hero", "tpl-sales")).toHaveLength(1);
  expect(await passes(["preview", "--detailed-exitcode"])).toContain("no changes");
});
