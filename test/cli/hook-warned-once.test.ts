/** A killed run may have made a subscription that nobody finds: the next plan says so, once, and so does the run of it. */
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
  ["the same up", WITH, ["up", "--yes"], [1, 1]],
  ["an up that no longer declares it", WITHOUT, ["up", "--yes"], [1, 1]],
  ["a destroy", WITH, ["destroy", "--yes"], [1, 0]],
])("by %s", { timeout: 120_000 }, async (_, text, args, [ofPlan, ofRun]) => {
  machine.write("landform.yaml", text);
  const { code, said } = await machine.run(args);
  expect(code, said).toBe(0);
  const planEnds = said.indexOf("embedded engine");
  const warnings = (part: string) => part.match(/warning: .*hook "leads".*/g) ?? [];
  expect(warnings(said.slice(0, planEnds)), said).toHaveLength(ofPlan ?? 0);
  expect(warnings(said.slice(planEnds)), said).toHaveLength(ofRun ?? 0);
  const again = await machine.run(args);
  expect(again.said).not.toContain('hook "leads"');
});
