/**
 * Reviewed means applied: a model of a team that merges, applies and edits by hand in any order. The oracle knows what the reviewed change rests on:
 * another's merge is no conflict unless it touches that.
 */
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { agreement, type Conflict, type ReviewedChange, conflictText } from "../../stack/review/agreement.ts";
import { rounds } from "../suite/parts.ts";

type Values = Record<string, string>;
type Account = Record<string, Values>;

const page: fc.Arbitrary<string> = fc.constantFrom("offer", "thanks", "terms");
const key: fc.Arbitrary<string> = fc.constantFrom("title", "text");
const value: fc.Arbitrary<string> = fc.constantFrom("a", "b", "c");

/** Returns the plan for this code and state, as an engine reports it. */
const planOf = (state: Account, code: Account): ReviewedChange[] =>
  [...new Set([...Object.keys(state), ...Object.keys(code)])].flatMap((name): ReviewedChange[] => {
    const [now, wanted] = [state[name], code[name]];
    const of = { urn: `urn:${name}`, type: "Page", name };
    if (wanted === undefined) return [{ ...of, op: "delete", id: name, fields: [] }];
    const keys = [...new Set([...Object.keys(now ?? {}), ...Object.keys(wanted)])];
    const fields = keys
      .filter((key) => now?.[key] !== wanted[key])
      .map((key) => ({
        path: ["content", key],
        ...(now?.[key] === undefined ? {} : { old: now[key] }),
        ...(wanted[key] === undefined ? {} : { new: wanted[key] }),
      }));
    if (now === undefined) return [{ ...of, op: "create", fields }];
    return fields.length === 0 ? [] : [{ ...of, op: "update", fields }];
  });

function applied(state: Account, changes: readonly ReviewedChange[]): Account {
  const next = structuredClone(state);
  for (const { name, op, fields } of changes)
    if (op === "delete") Reflect.deleteProperty(next, name);
    else {
      const page = (next[name] ??= {});
      for (const { path, new: wanted } of fields) {
        const key = String(path[1]);
        if (typeof wanted === "string") page[key] = wanted;
        else Reflect.deleteProperty(page, key);
      }
    }
  return next;
}

/** Without a key, it takes the page away. */
function edited(code: Account, { page, key, value }: { page: string; key?: string; value?: string }): Account {
  const next = structuredClone(code);
  if (key === undefined) Reflect.deleteProperty(next, page);
  else {
    const texts = (next[page] ??= {});
    if (value === undefined) Reflect.deleteProperty(texts, key);
    else texts[key] = value;
  }
  return next;
}

const edits = fc.record({ page, key, value }, { requiredKeys: ["page"] });
const accounts = fc.dictionary(page, fc.dictionary(key, value));

/** Others merge changes between review and merge, and apply the code at that time. */
const others = fc.array(fc.record({ edits: fc.array(edits, { minLength: 1, maxLength: 3 }), applies: fc.boolean() }), {
  maxLength: 5,
});

function recordedIn(state: Account): (urn: string) => { declared: { content: Values } } | undefined {
  return (urn) => {
    const page = state[urn.replace("urn:", "")];
    return page === undefined ? undefined : { declared: { content: page } };
  };
}

const conflictsOf = (reviewed: ReviewedChange[], state: Account, code: Account): Conflict[] =>
  agreement(reviewed, { changes: planOf(state, code), recorded: recordedIn(state), secrets: new Map() }).conflicts;

describe("in any order of merges and applies", () => {
  test("a plan is refused exactly where what it leads to, or where it starts from, is another", () => {
    let [held, refused] = [0, 0];
    const property = fc.property(
      accounts,
      fc.array(edits, { minLength: 1, maxLength: 4 }),
      others,
      (base, mine, theirs) => {
        const branch = mine.reduce(edited, base);
        const reviewed = planOf(base, branch);
        let [main, state] = [base, base];
        for (const { edits: merged, applies } of theirs) {
          main = merged.reduce(edited, main);
          if (applies) state = applied(state, planOf(state, main));
        }
        const merged = mine.reduce(edited, main);
        const conflicts = conflictsOf(reviewed, state, merged);
        const now = planOf(state, merged);
        if (conflicts.length === 0) {
          held += 1;
          const after = applied(state, now);
          // The reviewed changes are there, and nothing happened that nobody has reviewed.
          for (const change of reviewed) expect(isDone(change, after)).toBe(true);
          for (const change of now) expect(isPartOf(change, reviewed)).toBe(true);
        } else {
          refused += 1;
          const same =
            now.every((change) => isPartOf(change, reviewed)) &&
            reviewed.every((one) => isDone(one, applied(state, now)));
          expect(same, JSON.stringify({ conflicts, reviewed, now })).toBe(false);
          for (const conflict of conflicts) expect(conflictText(conflict)).toContain(`Page ${conflict.name}`);
        }
      },
    );
    fc.assert(property, { numRuns: rounds({ quick: 1_000, all: 1_000, soak: 100_000 }) });
    expect(Math.min(held, refused)).toBeGreaterThan(20);
  });
});

function isDone({ name, op, fields }: ReviewedChange, state: Account): boolean {
  const page = state[name];
  if (op === "delete") return page === undefined;
  return page !== undefined && fields.every(({ path, new: wanted }) => page[String(path[1])] === wanted);
}

function isPartOf(change: ReviewedChange, reviewed: readonly ReviewedChange[]): boolean {
  const planned = reviewed.find(({ urn }) => urn === change.urn);
  if (planned?.op !== change.op) return false;
  return change.fields.every((field) => planned.fields.some((one) => JSON.stringify(one) === JSON.stringify(field)));
}

test("what a failed run had brought about is there, though the state declares what was before", () => {
  const page = { urn: "urn:offer", type: "Page", name: "offer", op: "update" } as const;
  const reviewed = { ...page, fields: [{ path: ["content", "title"], old: "a", new: "b" }] };
  const conflicts = (broughtAbout?: { content: Values }): string[] => {
    const recorded = () => ({ declared: { content: { title: "a" } }, broughtAbout });
    const today = { changes: [{ ...page, fields: [] }], recorded, secrets: new Map<string, string[]>() };
    return agreement([reviewed], today).conflicts.map(({ code }) => code);
  };
  expect(conflicts({ content: { title: "b" } })).toEqual([]);
  expect(conflicts({ content: { title: "c" } })).toEqual(["another value"]);
  expect(conflicts()).toEqual(["another value"]);
});

describe("what a plan can't be held to", () => {
  const page = { urn: "urn:offer", type: "Page", name: "offer" };
  const update = (value: string, extra: Partial<ReviewedChange> = {}): ReviewedChange => ({
    ...page,
    op: "update",
    fields: [{ path: ["content", "title"], old: "a", new: value }],
    ...extra,
  });
  const against = (reviewed: ReviewedChange, now: ReviewedChange, secrets = new Map<string, string[]>()) =>
    agreement([reviewed], { changes: [now], recorded: () => ({ declared: {} }), secrets }).conflicts.map(
      ({ code }) => code,
    );

  test("less than was agreed to, and what was reviewed as a perhaps", () => {
    expect(against(update("b", { op: "replace" }), update("b"))).toEqual([]);
    expect(against(update("b"), update("b", { op: "replace" }))).toEqual(["another operation"]);
    expect(against(update("b", { perhapsReplaced: true }), update("b", { op: "replace" }))).toEqual([]);
  });

  test("a deletion that was to leave the object in place", () => {
    const gone = (extra: Partial<ReviewedChange>): ReviewedChange => ({ ...page, op: "delete", fields: [], ...extra });
    expect(against(gone({ stays: "in place" }), gone({}))).toEqual(["another operation"]);
    expect(against(gone({}), gone({ stays: "in place" }))).toEqual([]);
  });
});
