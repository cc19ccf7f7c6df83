/** The record of creations as tags of a stack, where no file can be put beside the state. Pure. */
import { expect, test } from "vitest";
import { recordToBegin, recordToEnd, withUnwanted } from "../../stack/engines/pulumi/tagged-record.ts";
import { identityFor, ownIn } from "../../provider/reconcile/identity.ts";
import { specOfName } from "../../provider/reconcile/leftovers.ts";
import { recordIn, tagsOf, type StackRecord } from "../../provider/ledger/record-tags.ts";

const STATE = { manifest: {}, resources: [], pending: [] } as unknown as Parameters<typeof recordToEnd>[1];
const made = { own: "lf-1-mug", spec: "ab", kind: "product", id: "prod_1" };
const lost = { own: "lf-1-cup", kind: "product", called: "Cup" };
const sought = { ...lost, own: "lf-1-bowl", called: "Bowl", at: "2026-11-25T04:00:00.000Z" };
const unwanted = {
  own: "lf-1-jar",
  urn: "urn:jar",
  type: "Product",
  called: "Jar",
  made: { ...made, own: "lf-1-jar" },
};

const RECORD: StackRecord = {
  run: "begun",
  pending: [],
  doubtful: [],
  creations: [made],
  lost: [lost],
  unwanted: [unwanted],
  sought: [sought],
  named: { "lf-1-site": "ab" },
};

const written = (record: StackRecord): StackRecord | undefined => recordIn(Object.fromEntries(tagsOf(record)));

test("what is written is read again, of a few creations and of many", () => {
  expect(written(RECORD)).toEqual(RECORD);
  const creations = Array.from({ length: 700 }, (_, index) => ({ ...made, own: `lf-1-${index}`, id: `prod_${index}` }));
  expect(tagsOf({ ...RECORD, creations })).toHaveLength(3);
  expect(written({ ...RECORD, creations })).toEqual({ ...RECORD, creations });
});

test("a tag of an earlier version says nothing of what was lost, unwanted, sought or asked for by name", () => {
  const { lost: _, unwanted: __, sought: ___, named: ____, ...early } = RECORD;
  const tag = { "landform:creations": JSON.stringify(early) };
  expect(recordIn(tag)).toEqual({ ...RECORD, lost: [], unwanted: [], sought: [], named: {} });
});

test("what a run is to look for goes through its beginning and its end", () => {
  const begun = recordToBegin(RECORD, [], STATE);
  const ended = recordToEnd(begun, STATE);
  for (const record of [begun, ended])
    expect([record.creations, record.lost, record.unwanted, record.sought, record.named]).toEqual([
      [made],
      [lost],
      [unwanted],
      [sought],
      RECORD.named,
    ]);
  expect([begun.run, ended.run]).toEqual(["begun", "ended"]);
});

test("what only its name finds goes with a state that holds what was asked for, and with none of another name", () => {
  const urn = "urn:pulumi:dev::shop::landform:Site::m";
  const named = { [ownIn(identityFor(urn))]: specOfName("Spring Mugs") };
  const state = (name: unknown, id?: string): typeof STATE => ({
    ...STATE,
    resources: [{ urn, type: "landform:Site", id, inputs: { name } }],
  });
  const left = (name: unknown, id?: string): unknown =>
    [recordToBegin({ ...RECORD, named }, [], state(name, id)), recordToEnd({ ...RECORD, named }, state(name, id))].map(
      (record) => record.named,
    );
  expect(left("Spring Mugs", "site_1")).toEqual([{}, {}]);
  for (const [name, id] of [["Spring Mugs"], ["Autumn Mugs", "site_1"], [{ secret: true }, "site_1"]] as const)
    expect(left(name, id)).toEqual([named, named]);
});

test("what is to be removed is noted once, and of what is under way nothing is known where there was no record", () => {
  const record = withUnwanted(RECORD, [unwanted, { ...unwanted, own: "lf-1-pot" }], []);
  expect(record.unwanted.map(({ own }) => own)).toEqual(["lf-1-jar", "lf-1-pot"]);
  const first = withUnwanted(undefined, [unwanted], ["urn:pulumi:dev::shop::t::mug"]);
  expect([first.unwanted, first.doubtful]).toEqual([[unwanted], first.pending]);
  expect(first.pending).toHaveLength(1);
});
