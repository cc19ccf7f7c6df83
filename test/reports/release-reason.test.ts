/** The reason for a release's update, from its drafts: they differ, are the same, or can't be seen. */
import { expect, test } from "vitest";
import { changesOf } from "../../stack/report/decide.ts";
import { type Json, SECRET_SIG, SIG_KEY, type StepEventMetadata } from "../../engine/index.ts";
import { registry } from "../../provider/kinds/registry.ts";

const { type } = registry.release;
const urn = `urn:pulumi:dev::shop::${type}::spring`;
/** A secret as Pulumi's own engine shows it. */
const hidden: Json = { [SIG_KEY]: SECRET_SIG, ciphertext: "[secret]" };

function reasonFor(before: Json, now: Json): string | undefined {
  const side = (drafts: Json): NonNullable<StepEventMetadata["old"]> => ({
    ...{ type, urn, custom: true, delete: false, id: "release-1", parent: "", protect: false, retainOnDelete: false },
    ...{ inputs: { drafts }, outputs: {}, initErrors: [], provider: "" },
  });
  const step: StepEventMetadata = {
    ...{ op: "update", urn, type, keys: [], diffs: [], detailedDiff: {}, logical: true, provider: "" },
    ...{ old: side(before), new: side(now) },
  };
  const told = {
    urn,
    steps: new Map([["update", step]]),
    leftovers: new Map(),
    underWay: new Set<string>(),
    failed: false,
  };
  const [change] = changesOf(new Map([[urn, { ...told, outputs: {}, id: "release-1" }]]), {
    planning: true,
    notices: [],
  });
  return change?.reason?.code;
}

test.each([
  ["another draft", { offer: "a" }, { offer: "b" }, "publishes"],
  ["the same drafts", { offer: "a" }, { offer: "a" }, "carries on"],
  ["drafts that the engine doesn't show", hidden, hidden, "publishes"],
])("%s", (_, before, now, reason) => {
  expect(reasonFor(before, now)).toBe(reason);
});
