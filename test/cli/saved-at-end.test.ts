/** Landform tells Pulumi to save the state only at a run's end if the next run can find a killed run's work without it. */
import type { PlannedStep } from "../../stack/report/run-result.ts";
import { expect, test } from "vitest";
import { FEWEST, needsNoSaving, savesAtEnd, SKIP_VARIABLE } from "../../stack/engines/pulumi/interrupted.ts";
import type { RunRequest } from "../../stack/engines/contract.ts";
import type { ChangeOp } from "../../stack/report/model.ts";
import { registry, resourceType, type Kind } from "../../provider/kinds/registry.ts";

const around = { version: "3.245.0", isProven: true, env: {} };

function step(kind: Kind, op: ChangeOp, inputs: PlannedStep["inputs"] = {}): PlannedStep {
  return { urn: `${kind}-${op}`, type: resourceType(registry[kind]), op, inputs };
}

function up(...others: readonly PlannedStep[]): RunRequest {
  return { kind: "up", planned: [...Array.from({ length: FEWEST }, () => step("page", "create")), ...others] };
}

test("a large run whose ledger goes where the state goes", () => {
  const made = [step("project", "create"), step("site", "create"), step("hook", "create"), step("page", "update")];
  const others = [
    step("release", "update"),
    ...(["page", "funnel", "hook"] as const).map((kind) => step(kind, "replace")),
  ];
  expect(savesAtEnd(up(...made, ...others, step("page", "adopt"), step("videoPlayer", "create")), around)).toBe(true);
  const away = (["product", "funnel", "hook", "site", "videoPlayer"] as const).map((kind) => step(kind, "delete"));
  expect(savesAtEnd({ ...up(...away), kind: "destroy" }, around)).toBe(true);
});

test.each<[string, RunRequest]>([
  ["few changes", { kind: "up", planned: [step("page", "create")] }],
  ["no plan", { kind: "up" }],
  ["a preview", { ...up(), kind: "preview" }],
  ["a destroy that is only looked at", { ...up(), kind: "destroy", dryRun: true }],
  ["a site that must not be found by its name", up(step("site", "create", { reuse: false }))],
  ["what is not Landform's", up({ urn: "b", type: "aws:s3/bucket:Bucket", op: "create", inputs: {} })],
  ["an undo", { ...up(), restore: { values: { objects: {}, anew: {}, anewDrafts: {}, successors: {} }, key: "k" } }],
])("each step is saved: %s", (_, request) => expect(savesAtEnd(request, around)).toBe(false));

test("a look and a refresh lose nothing if they are killed", () => {
  for (const run of [{ kind: "preview" }, { kind: "refresh" }, { kind: "destroy", dryRun: true }] as const) {
    expect(needsNoSaving(run, {})).toBe(true);
    expect(needsNoSaving(run, { [SKIP_VARIABLE]: "false" })).toBe(false);
  }
  for (const kind of ["up", "destroy"] as const) expect(needsNoSaving({ kind }, {})).toBe(false);
});

test("an older Pulumi, a ledger that stays on this machine, and the user's own word", () => {
  expect(savesAtEnd(up(), { ...around, version: "3.244.0" })).toBe(false);
  expect(savesAtEnd(up(), { ...around, isProven: false })).toBe(false);
  for (const word of ["true", "false", ""])
    expect(savesAtEnd(up(), { ...around, env: { [SKIP_VARIABLE]: word } })).toBe(false);
});
