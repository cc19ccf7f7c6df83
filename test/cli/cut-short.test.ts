/** After an interruption only changes that certainly happened count as done. */
import { expect, test } from "vitest";
import { isCutShort } from "../../stack/engines/pulumi/interrupted.ts";
import type { PlannedStep } from "../../stack/engines/contract.ts";
import type { Told } from "../../stack/report/steps.ts";

const planned = (urn: string, op: PlannedStep["op"]): PlannedStep => ({ urn, op, type: "t", inputs: {} });

function told(urn: string, ops: readonly string[], about: Partial<Told> = {}): [string, Told] {
  const steps = new Map(ops.map((op) => [op, { op } as never]));
  return [urn, { urn, steps, leftovers: new Map(), underWay: new Set(), failed: false, outputs: {}, id: "", ...about }];
}

test.each<[what: string, steps: PlannedStep[], seen: [string, Told][], isCut: boolean]>([
  [
    "all of it",
    [planned("a", "delete"), planned("b", "update")],
    [told("a", ["delete"]), told("b", ["update"])],
    false,
  ],
  ["one was never begun", [planned("a", "delete"), planned("b", "delete")], [told("a", ["delete"])], true],
  ["one is under way", [planned("a", "delete")], [told("a", ["delete"], { underWay: new Set(["delete"]) })], true],
  ["one has failed", [planned("a", "create")], [told("a", ["create"], { failed: true })], true],
  ["the old one stands", [planned("a", "replace")], [told("a", ["create-replacement", "replace"])], true],
  ["the old one is gone", [planned("a", "replace")], [told("a", ["create-replacement", "delete-replaced"])], false],
  ["nothing was to be done", [], [], false],
])("%s", (_, steps, seen, isCut) => {
  expect(isCutShort(steps, new Map(seen))).toBe(isCut);
});

test("where nobody knows what was to be done, nobody says that it was done", () => {
  expect(isCutShort(undefined, new Map([told("a", ["delete"])]))).toBe(true);
});
