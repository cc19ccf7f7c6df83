/** The updates that may follow from a value that is known later: only those of the resource that gives it. */
import { expect, test } from "vitest";
import type { PropertyMap } from "../../engine/index.ts";
import { changesOf } from "../../stack/report/decide.ts";
import type { Reason } from "../../stack/report/model.ts";
import type { Told } from "../../stack/report/steps.ts";
import { UNKNOWN } from "../../provider/values/paths.ts";

const PROJECT = "proj_0123456789";
const URL = "https://mugs.example/offer";

interface Side {
  readonly before: PropertyMap;
  readonly after: PropertyMap;
  readonly outputs?: PropertyMap;
  readonly op?: "update" | "replace";
}

function toldOf(name: string, { before, after, outputs = {}, op = "update" }: Side): [string, Told] {
  const urn = `urn:pulumi:dev::p::t::${name}`;
  const state = { outputs: {}, type: "t", urn, custom: true, delete: false, id: name, retainOnDelete: false };
  const side = (inputs: PropertyMap) => ({
    ...state,
    inputs,
    parent: "",
    protect: false,
    initErrors: [],
    provider: "",
  });
  const [old, next] = [side(before), side(after)];
  const step = {
    op,
    urn,
    type: "t",
    keys: [],
    diffs: [],
    detailedDiff: {},
    old,
    new: next,
    logical: true,
    provider: "",
  };
  const told = { urn, steps: new Map([[op, step]]), leftovers: new Map(), underWay: new Set<string>() };
  return [urn, { ...told, failed: false, outputs, id: name }];
}

function reasonsOf(sides: Readonly<Record<string, Side>>): (Reason | undefined)[] {
  const told = new Map(Object.entries(sides).map(([name, side]) => toldOf(name, side)));
  return changesOf(told, { planning: true, notices: [] }).map(({ reason }) => reason);
}

const title = { before: { title: "One" }, after: { title: "Two" } };
const later = (field: string, value: string): Side => ({ before: { [field]: value }, after: { [field]: UNKNOWN } });
const follows = (from: string): Reason => ({ code: "may follow", from: [from] });

test("what gives a value may give another one", () => {
  const site = { ...title, outputs: { projectId: PROJECT } };
  expect(reasonsOf({ site, mug: later("projectId", PROJECT) })).toEqual([undefined, follows("site")]);
});

test("what was given the same value itself gives nothing: the change is counted", () => {
  const site = {
    before: { title: "One", projectId: PROJECT },
    after: { title: "Two", projectId: PROJECT },
    outputs: { projectId: PROJECT },
  };
  expect(reasonsOf({ site, mug: later("projectId", PROJECT) })).toEqual([undefined, undefined]);
});

test.each([
  ["where the old one was gives its address again, perhaps", "templateId", follows("offer")],
  ["elsewhere gives another one for certain", "publish", undefined],
])("a page that is made anew %s", (_, field, reason) => {
  const offer: Side = {
    before: { [field]: "a" },
    after: { [field]: "b" },
    outputs: { url: URL, status: "published" },
    op: "replace",
  };
  expect(reasonsOf({ offer, mug: later("ctaUrl", URL) })[1]).toEqual(reason);
});

test("a page whose address begins as that of another one gives nothing to what points to the other", () => {
  const aa = { ...title, outputs: { url: URL } };
  const bb = { before: { title: "One" }, after: { title: "One" }, outputs: { url: `${URL}-two` } };
  expect(reasonsOf({ aa, bb, mug: later("ctaUrl", `${URL}-two`) }).at(-1)).not.toEqual(follows("aa"));
  expect(reasonsOf({ aa, bb, mug: later("ctaUrl", URL) }).at(-1)).toEqual(follows("aa"));
});

test("of what is made anew the id is another one for certain", () => {
  const offer: Side = {
    before: { templateId: "a" },
    after: { templateId: "b" },
    outputs: { id: PROJECT },
    op: "replace",
  };
  expect(reasonsOf({ offer, way: later("projectId", PROJECT) })[1]).toBeUndefined();
});
