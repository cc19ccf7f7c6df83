/**
 * An up whose creation was answered by nothing, and found by no list: the run failed, and what it made shows later. No state
 * tells of it, so whatever runs next looks for it.
 */
import { afterEach, beforeEach, expect, test } from "vitest";
import { Machine } from "../faults/whole/machine.ts";

const WITHOUT = "landform: 1\nname: lost\nproducts: { other: { price: 2 } }\n";
const PRODUCT = "landform: 1\nname: lost\nproducts: { mug: { name: Mug } }\n";

let machine: Machine;
beforeEach(async () => {
  machine = await Machine.open({ kind: "embedded", form: "landform.yaml" }, { "landform.yaml": PRODUCT });
  machine.emulator.faults.add({ method: "POST", path: "/products", phase: "after" });
  const { faults } = machine.emulator;
  for (const path of ["/products", "/search/products"])
    faults.add({ method: "GET", path, phase: "altered", list: "empty", times: Infinity });
  const { code, said } = await machine.run(["up", "--yes"]);
  expect([code, said]).toEqual([1, expect.stringContaining("It is not known whether")]);
  faults.clear();
});
afterEach(() => machine.close());

const names = (): unknown[] =>
  (machine.emulator.records()["products"] ?? []).map((row) => (row as { name?: unknown }).name);
const idOf = (): string => String(machine.emulator.records()["products"]?.[0]?.["id"]);

test(
  "a destroy removes it, says so before, and has nothing left to look for",
  { tags: ["thorough"], timeout: 120_000 },
  async () => {
    expect(names()).toEqual([expect.stringMatching(/^Mug \[lf-/)]);
    const { code, said } = await machine.run(["destroy", "--yes"]);
    expect([code, names()], said).toEqual([0, []]);
    expect(said).toMatch(
      /product \S+ \("Mug \[lf-.*\]"\), which a failed run made, is in no state: it is removed as well/,
    );
    expect((await machine.run(["destroy", "--yes"])).said).not.toContain("Mug");
  },
);

test("an up that no longer declares it removes it", { tags: ["thorough"], timeout: 120_000 }, async () => {
  machine.write("landform.yaml", WITHOUT);
  const { code, said } = await machine.run(["up", "--yes"]);
  expect([code, names()], said).toEqual([0, ["other"]]);
  expect(said).toMatch(/Removed product .*, which an interrupted run had left behind/);
});

test("the same up carries on with it, and a destroy looks for nothing more", { timeout: 120_000 }, async () => {
  const id = idOf();
  expect((await machine.run(["up", "--yes"])).code).toBe(0);
  expect([names(), idOf()]).toEqual([["Mug"], id]);
  const { code, said } = await machine.run(["destroy", "--yes"]);
  expect([code, names()], said).toEqual([0, []]);
  expect(said).not.toContain("lf-");
});

test("one that somebody renamed is named, and stays", { tags: ["thorough"], timeout: 120_000 }, async () => {
  const { baseUrl, apiKey } = machine.emulator;
  const response = await fetch(`${baseUrl}/products`, {
    method: "PATCH",
    headers: { authorization: `Bearer ${apiKey}`, "content-type": "application/json" },
    body: JSON.stringify({ product_id: idOf(), name: `Precious ${String(names()[0])}` }),
  });
  expect(response.status).toBe(200);
  machine.write("landform.yaml", WITHOUT);
  const { said } = await machine.run(["up", "--yes"]);
  expect(said).toContain(`"Precious Mug [lf-`);
  expect(names()).toContainEqual(expect.stringMatching(/^Precious Mug/));
});
