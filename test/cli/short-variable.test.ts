/** A killed run had replaced a placeholder by a one-letter text: that is no foreign edit, but a real edit still is. */
import { afterEach, beforeEach, expect, test } from "vitest";
import { strike } from "../faults/whole/kill.ts";
import { Machine } from "../faults/whole/machine.ts";
import { call } from "../undo/account.ts";

const manifest = (brand: string): string =>
  [
    "landform: 1",
    "name: short",
    "sites: { main: { name: short.example } }",
    `pages: { offer: { template: tpl-hero, variables: { brand: ${brand} }, publish: { site: main, slug: offer } } }`,
    "",
  ].join("\n");

let machine: Machine;
beforeEach(async () => {
  machine = await Machine.open({ kind: "embedded", form: "landform.yaml" }, { "landform.yaml": manifest("Acme") });
  expect((await machine.run(["up", "--yes"])).code).toBe(0);
  machine.write("landform.yaml", manifest("Z"));
  const isText = ({ method, path }: { method: string; path: string }): boolean =>
    method === "PATCH" && path === "/pages/content";
  const struck = await strike(machine, ["up", "--yes"], { number: 0, boundary: "after commit" }, isText);
  expect(struck.call, struck.said).toBeDefined();
});
afterEach(() => machine.close());

const live = (): string =>
  JSON.stringify((machine.emulator.records()["documents"] as unknown as { live: unknown }[])[0]?.live);

/** Returns the id of the node with this text, wherever it is. */
function nodeSaying(text: string, value: unknown): string | undefined {
  if (typeof value !== "object" || value === null) return undefined;
  const inner = Object.values(value).map((item) => nodeSaying(text, item));
  const found = inner.find((id) => id !== undefined);
  const own = JSON.stringify(value).includes(JSON.stringify(text)) && "id" in value ? String(value.id) : undefined;
  return found ?? own;
}

test("what somebody has changed of the same node is held back", async () => {
  const [page] = machine.emulator.records()["pages"] ?? [];
  const tree = (await call(machine, "GET", `/pages/builder?page_id=${page?.id ?? ""}`)) as {
    builder: { tree: unknown };
  };
  const node = nodeSaying("Z", tree.builder.tree);
  await call(machine, "PATCH", "/pages/builder/node", {
    page_id: page?.id,
    node_id: node,
    updates: { style: { color: "#123456" } },
  });
  const { code, said } = await machine.run(["up", "--yes"]);
  expect([code, said]).toEqual([1, expect.stringContaining("held back")]);
  expect(live()).not.toContain("#123456");
});

test("it goes public with the next run", async () => {
  const { code, said } = await machine.run(["up", "--yes"]);
  expect([code, said]).toEqual([0, expect.not.stringContaining("held back")]);
  expect(live()).not.toContain("Acme");
  const again = await machine.run(["up", "--yes"]);
  expect([again.code, again.said]).toEqual([0, expect.stringContaining("no changes")]);
});
