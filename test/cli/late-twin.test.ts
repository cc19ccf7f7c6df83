/**
 * A run is killed once its creation is committed, and lists show what it made later than the next run waits for: that one makes
 * it anew, and whoever comes next removes the first one, as soon as a list has it.
 */
import { afterEach, beforeEach, expect, test } from "vitest";
import { strike } from "../faults/whole/kill.ts";
import { Machine } from "../faults/whole/machine.ts";

const MUG = "landform: 1\nname: late\nproducts: { mug: { name: Mug, price: 2 } }\n";

let machine: Machine;
beforeEach(async () => {
  machine = await Machine.open({ kind: "embedded", form: "landform.yaml" }, { "landform.yaml": MUG });
  const { faults } = machine.emulator;
  for (const path of ["/products", "/search/products"])
    faults.add({ method: "GET", path, phase: "altered", list: "empty", times: Infinity });
  await strike(machine, ["up", "--yes"], { number: 0, boundary: "after commit" }, ({ method }) => method === "POST");
  await machine.free();
  await run("up", "--yes");
  expect(names()).toEqual(["Mug", expect.stringMatching(/^Mug \[lf-/)]);
  faults.clear();
});
afterEach(() => machine.close());

async function run(...args: string[]): Promise<string> {
  const { code, said } = await machine.run(args);
  expect(code, said).toBe(0);
  return said;
}

const names = (): unknown[] =>
  (machine.emulator.records()["products"] ?? []).map((row) => (row as { name?: unknown }).name).sort();

test(
  "a preview tells of it, the same up removes it, and nothing is left to look for",
  { timeout: 120_000 },
  async () => {
    const { code, said } = await machine.run(["preview", "--detailed-exitcode"]);
    expect([code, said]).toEqual([2, expect.stringMatching(/product \S+ \("Mug \[lf-.*it is removed as well/)]);
    expect(await run("up", "--yes")).toMatch(/Removed product .*, which an interrupted run had left behind/);
    expect(names()).toEqual(["Mug"]);
    await run("preview", "--detailed-exitcode");
    machine.emulator.requests.length = 0;
    await run("up", "--yes");
    expect(machine.emulator.requests).toEqual([]);
  },
);

test("a destroy removes it", { tags: ["thorough"], timeout: 120_000 }, async () => {
  await run("destroy", "--yes");
  expect(names()).toEqual([]);
});

test("one that somebody has renamed stays", { tags: ["thorough"], timeout: 120_000 }, async () => {
  const rows = machine.emulator.records()["products"] as { id: string; name: string }[];
  const { id, name } = rows.find((row) => row.name.includes("[lf-")) ?? { id: "", name: "" };
  const { baseUrl, apiKey } = machine.emulator;
  const response = await fetch(`${baseUrl}/products`, {
    method: "PATCH",
    headers: { authorization: `Bearer ${apiKey}`, "content-type": "application/json" },
    body: JSON.stringify({ product_id: id, name: `Precious ${name}` }),
  });
  expect(response.status).toBe(200);
  await run("up", "--yes");
  expect(names()).toEqual(["Mug", `Precious ${name}`]);
});

test(
  "one that is killed over once more is told and removed once",
  { tags: ["thorough"], timeout: 120_000 },
  async () => {
    machine.write(
      "landform.yaml",
      `${MUG}pages: { offer: { name: Offer, template: tpl-hero, variables: { brand: A } } }\n`,
    );
    const made = ({ method, path }: { method: string; path: string }): boolean =>
      method === "POST" && path === "/pages/from-template";
    await strike(machine, ["up", "--yes"], { number: 0, boundary: "after commit" }, made);
    await machine.free();
    const { faults } = machine.emulator;
    for (const path of ["/pages", "/search/pages"])
      faults.add({ method: "GET", path, phase: "altered", list: "empty", times: Infinity });
    await strike(machine, ["up", "--yes"], { number: 0, boundary: "after commit" }, made);
    await machine.free();
    faults.clear();
    const said = await run("preview");
    expect(said).not.toMatch(/page \S+ \("Offer \[lf-.*it is removed as well/);
    const destroyed = await run("destroy", "--yes");
    expect(destroyed.match(/page \S+ \("Offer \[lf-.*it is removed as well/g)).toHaveLength(2);
    expect(machine.emulator.records()["pages"]).toEqual([]);
  },
);
