// @module-tag thorough
/** A killed `env up` was making an object that the branch no longer declares: the next one deletes it. */
import { afterEach, beforeEach, expect, test } from "vitest";
import type { Asked } from "../faults/between.ts";
import { strike } from "../faults/whole/kill.ts";
import { Machine } from "../faults/whole/machine.ts";

const BASE = `landform: 1
name: mugs
projects:
  spring: { name: Spring, description: "The spring launch of Example Mugs, one offer and thanks", context: "${"Handmade mugs for people who take their coffee seriously. ".repeat(5)}" }
sites: { mugs: { name: mugs.example, project: spring } }
pages: { offer: { project: spring, template: { id: tpl-hero }, variables: { brand: Mugs }, publish: { site: mugs, slug: offer } } }
`;
const ENV = ["env", "up", "--branch", "b", "--yes"];

let machine: Machine;
beforeEach(async () => {
  machine = await Machine.open({ kind: "embedded", form: "landform.yaml" }, { "landform.yaml": BASE });
  const { code, said } = await machine.run(["up", "--yes"]);
  expect(code, said).toBe(0);
});
afterEach(() => machine.close());

test("it is named in the plan, and removed", { timeout: 240_000 }, async () => {
  machine.write("landform.yaml", `${BASE}products: { mug: { price: 3, project: spring } }\n`);
  const makes = ({ method, path }: Asked): boolean => method === "POST" && path === "/products";
  const struck = await strike(machine, ENV, { number: 0, boundary: "after commit" }, makes);
  await machine.free();
  expect(struck.call, struck.said).toBeDefined();
  const products = () => machine.emulator.records()["products"] ?? [];
  expect(products()).toHaveLength(1);
  machine.write("landform.yaml", BASE);
  const next = await machine.run(ENV);
  expect(next.code, next.said).toBe(0);
  expect(next.said).toContain("1 leftover of a killed run removed");
  expect(products()).toEqual([]);
  const again = await machine.run(ENV);
  expect([again.code, again.said]).toEqual([0, expect.stringContaining("no changes")]);
});
