/** A killed run may have made a subscription that nobody finds: the next run says so, once. */
import { afterEach, beforeEach, expect, test } from "vitest";
import { strike } from "../faults/whole/kill.ts";
import { Machine } from "../faults/whole/machine.ts";

const WITH =
  "landform: 1\nname: hooked\nhooks: { leads: { eventType: form_lead.created, targetUrl: https://hooks.example.com/x } }\n";
const WITHOUT = "landform: 1\nname: hooked\nproducts: { mug: {} }\n";

let machine: Machine;
beforeEach(async () => {
  machine = await Machine.open({ kind: "embedded", form: "landform.yaml" }, { "landform.yaml": WITH });
  const here = { number: 0, boundary: "after commit" } as const;
  await strike(machine, ["up", "--yes"], here, ({ method, path }) => method === "POST" && path === "/hooks");
  await machine.free();
});
afterEach(() => machine.close());

test.each([
  ["the same up", WITH, ["up", "--yes"]],
  ["an up that no longer declares it", WITHOUT, ["up", "--yes"]],
  ["a destroy", WITH, ["destroy", "--yes"]],
])("by %s", { timeout: 120_000 }, async (_, text, args) => {
  machine.write("landform.yaml", text);
  const { code, said } = await machine.run(args);
  expect(code, said).toBe(0);
  expect(said.match(/warning: .*hook "leads".*/g), said).toHaveLength(1);
});
