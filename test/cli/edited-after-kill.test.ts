// @module-tag thorough
/** An edit on a page whose update was killed is held back as it is without a kill, whether code declares the text or not. */
import { afterEach, beforeEach, expect, test } from "vitest";
import { strike } from "../faults/whole/kill.ts";
import { Machine } from "../faults/whole/machine.ts";
import { call } from "../undo/account.ts";

const manifest = (title: string, brand = "Acme"): string =>
  [
    "landform: 1",
    "name: edited",
    "sites: { main: { name: edited.example } }",
    "pages:",
    `  offer: { template: tpl-hero, tags: [${title}], variables: { brand: ${brand} }, content: { hero.title: ${title} }, publish: { site: main, slug: offer } }`,
    "",
  ].join("\n");

let machine: Machine;
beforeEach(async () => {
  machine = await Machine.open({ kind: "embedded", form: "landform.yaml" }, { "landform.yaml": manifest("One") });
  expect((await machine.run(["up", "--yes"])).code).toBe(0);
});
afterEach(() => machine.close());

const draftSays = (text: string): boolean => documents().some(({ draft }) => JSON.stringify(draft).includes(text));
const liveSays = (text: string): boolean => documents().some(({ live }) => JSON.stringify(live).includes(text));
const documents = () => machine.emulator.records()["documents"] as unknown as { draft: unknown; live: unknown }[];

const edit = (text: string): Promise<unknown> =>
  call(machine, "PATCH", "/pages/content", {
    page_id: machine.emulator.records()["pages"]?.[0]?.id,
    updates: { "hero.text": text },
  });

/** The text has a placeholder in the template. */
test.each([
  ["of a text", manifest("Two"), "before it is sent"],
  ["of a text", manifest("Two"), "after commit"],
  ["of a variable", manifest("One", "Other"), "before it is sent"],
] as const)("an update %s, killed at its content %#", { timeout: 120_000 }, async (_, code, boundary) => {
  machine.write("landform.yaml", code);
  await strike(machine, ["up", "--yes"], { number: 0, boundary }, ({ path }) => path === "/pages/content");
  await machine.free();
  await edit("Written by hand");
  if (code !== manifest("Two")) machine.write("landform.yaml", manifest("One"));
  const up = await machine.run(["up", "--yes"]);
  expect([up.code, up.said]).toEqual([1, expect.stringContaining("held back")]);
  expect([draftSays("Written by hand"), liveSays("Written by hand")]).toEqual([true, false]);
  const included = await machine.run(["up", "--yes", "--foreign-edits", "include"]);
  expect(included.code, included.said).toBe(0);
  expect(liveSays("Written by hand")).toBe(true);
  expect((await machine.run(["preview", "--detailed-exitcode"])).code).toBe(0);
});
