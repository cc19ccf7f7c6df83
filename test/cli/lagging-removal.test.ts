// @module-tag thorough
/** A killed run's object is removed, and the list shows it a while longer: the run that has removed it looks again, and ends well. */
import { afterEach, beforeEach, expect, test } from "vitest";
import { strike } from "../faults/whole/kill.ts";
import { Machine } from "../faults/whole/machine.ts";

const page = (template: string): string =>
  `landform: 1\nname: behind\npages: { offer: { name: Offer, template: ${template}, variables: { brand: A, support_email: a@b.example } } }\n`;

let machine: Machine;
beforeEach(async () => {
  const files = { "landform.yaml": page("tpl-hero") };
  machine = await Machine.open({ kind: "embedded", form: "landform.yaml" }, files);
});
afterEach(() => machine.close());

const names = (): unknown[] =>
  (machine.emulator.records()["pages"] ?? []).map((row) => (row as { pageName?: unknown }).pageName);

test("and a further run plans nothing", { timeout: 120_000 }, async () => {
  await strike(machine, ["up", "--yes"], { number: 0, boundary: "after commit" }, ({ method }) => method === "POST");
  await machine.free();
  // Made from something else, so that what there is has to go.
  machine.write("landform.yaml", page("tpl-thankyou"));
  machine.emulator.notShown.listLagMs = 600;
  const up = await machine.run(["up", "--yes"]);
  expect(up.code, up.said).toBe(0);
  machine.emulator.notShown.listLagMs = 0;
  expect(names()).toEqual(["Offer"]);
  expect((await machine.run(["preview", "--detailed-exitcode"])).code).toBe(0);
});
