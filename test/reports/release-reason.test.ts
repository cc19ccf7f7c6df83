/** The reason for an update without a changed field: the drafts of a release, or a page that an earlier run held back or did not finish. */
import { expect, test } from "vitest";
import { changesOf } from "../../stack/report/decide.ts";
import { type Json, SECRET_SIG, SIG_KEY, type StepEventMetadata } from "../../engine/index.ts";
import { registry } from "../../provider/kinds/registry.ts";

/** A secret as Pulumi's own engine shows it. */
const hidden: Json = { [SIG_KEY]: SECRET_SIG, ciphertext: "[secret]" };

type State = NonNullable<StepEventMetadata["old"]>;

function reasonFor(
  { type }: { readonly type: string },
  [before, now]: readonly [Json, Json],
  more: Partial<State> = {},
): string | undefined {
  const urn = `urn:pulumi:dev::shop::${type}::spring`;
  const side = (drafts: Json): State => ({
    ...{ type, urn, custom: true, delete: false, id: "release-1", parent: "", protect: false, retainOnDelete: false },
    ...{ inputs: { drafts }, outputs: {}, initErrors: [], provider: "", ...more },
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
  expect(reasonFor(registry.release, [before, now])).toBe(reason);
});

const unfinished = (publish: string): Partial<State> => ({
  outputs: { __landform: { form: 3, declared: "publish", unfinished: { publish } } },
});

test.each([
  ["held back", unfinished("again"), "publishes held"],
  ["killed", unfinished("interrupted"), "carries on"],
  ["failed", { ...unfinished("again"), initErrors: ["no"] }, "carries on"],
])("a page that an earlier run left unpublished: %s", (_, state, reason) => {
  expect(reasonFor(registry.page, [{}, {}], state)).toBe(reason);
});
