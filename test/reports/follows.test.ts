/** From which updates a value that is known only later may come: from what gives it, not from what was given it as well. */
import { expect, test } from "vitest";
import { withFollowing } from "../../stack/report/follows.ts";
import { LATER, type Change } from "../../stack/report/model.ts";
import type { Told } from "../../stack/report/steps.ts";
import type { PropertyMap } from "../../engine/index.ts";

const PROJECT = "proj_0123456789";

function change(name: string, field: string, old: string, next: string): Change {
  const fields: Change["fields"] = [{ path: [field], kind: "update", old, new: next }];
  return { op: "update", urn: name, type: "Site", name, fields };
}

function told(inputs: PropertyMap, outputs: PropertyMap, urn = "u"): Told {
  const side = { inputs, outputs: {}, type: "t", urn: "u", custom: true, delete: false, id: "i" };
  const old = { ...side, parent: "", protect: false, retainOnDelete: false, initErrors: [], provider: "" };
  const step = { op: "update" as const, urn: "u", type: "t", keys: [], diffs: [], detailedDiff: {}, old, new: old };
  return {
    ...{ urn, steps: new Map([["update", { ...step, logical: true, provider: "" }]]), leftovers: new Map() },
    ...{ underWay: new Set(), failed: false, outputs, id: "i" },
  };
}

const reasonsOf = (source: Told): (Change["reason"] | undefined)[] =>
  withFollowing(
    [change("site", "title", "One", "Two"), change("mug", "projectId", PROJECT, LATER)],
    new Map([["site", { ...source, urn: "site" }]]),
  ).map(({ reason }) => reason);

test("what gives a value may give another one", () => {
  expect(reasonsOf(told({}, { projectId: PROJECT }))).toEqual([undefined, { code: "may follow", from: ["site"] }]);
});

test("what was given the same value itself gives nothing: the change is counted", () => {
  expect(reasonsOf(told({ projectId: PROJECT }, { projectId: PROJECT }))).toEqual([undefined, undefined]);
});

const URL = "https://mugs.example/offer";

test.each([
  ["where the old one was gives its address again, perhaps", "templateId", { code: "may follow", from: ["offer"] }],
  ["elsewhere gives another one for certain", "publish", undefined],
])("a page that is made anew %s", (_, field, reason) => {
  const anew: Change = { ...change("offer", field, "a", "b"), op: "replace" };
  const [, mug] = withFollowing(
    [anew, change("mug", "ctaUrl", URL, LATER)],
    new Map([["offer", told({}, { url: URL }, "offer")]]),
  );
  expect(mug?.reason).toEqual(reason);
});

test("a page whose address begins as that of another one gives nothing to what points to the other", () => {
  const page = (urn: string, url: string): [string, Told] => [urn, told({}, { url }, urn)];
  const both = new Map([page("aa", URL), page("bb", `${URL}-two`)]);
  const [, mug] = withFollowing(
    [change("aa", "title", "One", "Two"), change("mug", "ctaUrl", `${URL}-two`, LATER)],
    both,
  );
  expect(mug?.reason).toBeUndefined();
  const [, other] = withFollowing([change("aa", "title", "One", "Two"), change("mug", "ctaUrl", URL, LATER)], both);
  expect(other?.reason).toEqual({ code: "may follow", from: ["aa"] });
});

test("of what is made anew the id is another one for certain", () => {
  const anew: Change = { ...change("offer", "templateId", "a", "b"), op: "replace" };
  const [, way] = withFollowing(
    [anew, change("way", "projectId", PROJECT, LATER)],
    new Map([["offer", told({}, { id: PROJECT }, "offer")]]),
  );
  expect(way?.reason).toBeUndefined();
});
