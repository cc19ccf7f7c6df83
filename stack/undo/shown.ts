/** Shows the engine's plan of an undo together with the values that are written beside the declared ones. Pure. */
import type { RunRecord } from "../history/run-file.ts";
import { containsSecret, formatPath, type Json, type PropertyMap } from "../../engine/index.ts";
import { normalSlug, rootIn } from "../../provider/values/addresses.ts";
import { isMap, same, text } from "../../provider/values/json.ts";
import { valueAt } from "../../provider/values/paths.ts";
import { type Learned, withLearned } from "../report/decide.ts";
import { type Change, type Field, type Impact, type Report, SECRET, type UndoneRun } from "../report/model.ts";
import { cut } from "../report/text.ts";
import { fieldsBetween, isSecretIn, shown, unsaidFields } from "../report/values.ts";
import type { Finding } from "./look.ts";
import { leafKey, type Leaf, pathOf } from "./leaves.ts";
import { type Conflict, inputsAround, type Lost, type SettledStep, type Write } from "./undo-plan.ts";
import type { Undo } from "./settle.ts";

export function shownUndo(report: Report, undo: Undo, findings: ReadonlyMap<string, Finding>): Report {
  const steps = new Map(undo.steps.map((step) => [step.now?.urn ?? step.urn, step]));
  const rows = report.changes.flatMap((change) => {
    const step = steps.get(change.urn);
    return step === undefined ? [] : [[change.urn, restoredIn(change, step, findings)] as const];
  });
  const { unmanaged, ...rest } = report;
  const learned = withLearned(rest, new Map(rows));
  const { impact, changes } = learned;
  return impact === undefined
    ? learned
    : { ...learned, impact: withPlacesBack(impact, changes, placesBack(changes, undo, findings)) };
}

interface PlaceBack {
  readonly from: string;
  readonly to: string;
}

/** By page, the way to the place that it had before the run. Somebody may have put it there, so the code doesn't tell it. */
function placesBack(
  changes: readonly Change[],
  { steps }: Undo,
  findings: ReadonlyMap<string, Finding>,
): ReadonlyMap<string, PlaceBack> {
  return new Map(
    steps.flatMap((step) => {
      const write = step.due.find(({ leaf, restore }) => restore && leaf.field === "publish");
      const from = changes.find(({ urn }) => urn === (step.now?.urn ?? step.urn))?.url;
      if (write === undefined || from === undefined) return [];
      const [now, then] = [presentIn(write, findings.get(step.urn)), write.live].map(slugIn);
      const root = now === undefined ? undefined : rootIn(from, now);
      return root === undefined || then === undefined ? [] : [[step.name, { from, to: root + normalSlug(then) }]];
    }),
  );
}

function slugIn(publish: Json | undefined): string | undefined {
  return isMap(publish) ? text(publish["slug"]) : undefined;
}

/** An object that is given back is as it was. */
function withPlacesBack(impact: Impact, changes: readonly Change[], places: ReadonlyMap<string, PlaceBack>): Impact {
  const back = changes.filter(({ reason }) => reason?.code === "given back");
  const isBack = (name: string): boolean => back.some((change) => change.name === name);
  return {
    ...impact,
    urls: impact.urls.flatMap((one, index, all): Impact["urls"] => {
      const { page: name, effect } = one;
      const { from, to } = places.get(name) ?? {};
      if (from === undefined || to === undefined) return effect === "delete" && isBack(name) ? [] : [one];
      if (all.findIndex(({ page: other }) => other === name) < index) return [];
      if (from === to) return isBack(name) ? [] : [{ ...one, effect: "update" }];
      return [
        { ...one, url: from, effect: "delete" },
        { ...one, url: to, effect: "create" },
      ];
    }),
    funnels: impact.funnels.filter(({ urn }) => !back.some((change) => change.urn === urn)),
  };
}

function restoredIn(change: Change, step: SettledStep, findings: ReadonlyMap<string, Finding>): Learned {
  const sides = inputsAround(step);
  const restored = step.due.flatMap((write) => [
    ...(write.restore && !write.unpublished ? unsaidFields(fieldsIn(write, findings.get(step.urn)), sides) : []),
    ...(write.restore ? [] : unsaidFields(overOthers(write, findings.get(step.urn)), sides)),
    ...draftField(write, sides),
  ]);
  const paths = new Set(restored.map(({ path }) => formatPath(path)));
  const others = change.fields.filter(
    (field) => field.stays !== true && !paths.has(formatPath(field.path)) && !isAsWritten(field, step),
  );
  const fields = [...others, ...restored];
  if (step.kind === "let go") return { fields, stays: "in place", reason: { code: "given back" } };
  // The values that come back say why it is an update.
  const isSaid =
    ["carries on", "publishes held", "may follow"].includes(change.reason?.code ?? "") && restored.length > 0;
  return { fields, ...(isSaid && { reason: undefined }) };
}

/** Tells if the value stays as it was written. The run had held another one back, which an engine takes for the present one. */
function isAsWritten({ path, new: next }: Field, { now, target }: SettledStep): boolean {
  const field = String(path[0]);
  const written = now?.inputs?.[field];
  if (now === undefined || !same(written, target?.inputs?.[field])) return false;
  const value = valueAt(shown(written ?? null), path.slice(1));
  return same(value ?? null, next ?? null);
}

function presentIn({ leaf, sent }: Write, finding: Finding | undefined): Json | undefined {
  return finding?.shown.get(leafKey(leaf))?.live ?? sent;
}

function fieldsIn(write: Write, finding: Finding | undefined): Field[] {
  const { leaf, live } = write;
  const now = presentIn(write, finding);
  const whole: Field = { path: pathOf(leaf), kind: "update", new: shown(live ?? null) };
  return partsOf(leaf, now, live) ?? [{ ...whole, ...(now !== undefined && { old: shown(now) }) }];
}

/** Shows a declared value that is written over one of somebody else. An engine knows only what the last run left. */
function overOthers(write: Write, finding: Finding | undefined): Field[] {
  const { live, known } = finding?.shown.get(leafKey(write.leaf)) ?? {};
  const { declared } = write;
  if (declared === undefined || containsSecret(declared)) return [];
  return live === undefined || known === undefined || same(live, known)
    ? []
    : fieldsIn({ ...write, live: declared }, finding);
}

/** Returns the fields that differ within two values of a leaf; undefined unless both have fields or items. */
export function partsOf(leaf: Leaf, now: Json | undefined, then: Json | undefined): Field[] | undefined {
  if (![now, then].every((value) => isMap(value) || Array.isArray(value))) return undefined;
  const fields = fieldsBetween({ value: now ?? null }, { value: then ?? null });
  const within = fields.map((field) => ({ ...field, path: [...pathOf(leaf), ...field.path.slice(1)] }));
  return within.length === 0 ? undefined : within;
}

/** Shows a text that stays in the draft. Visitors don't see it. */
function draftField({ leaf, live, restore, unpublished, draft }: Write, sides: readonly PropertyMap[]): Field[] {
  const text = draft ?? (restore && unpublished ? live : undefined);
  if (text === undefined) return [];
  const said = isSecretIn(sides, pathOf(leaf)) ? SECRET : shown(text);
  return [{ path: ["draft", leaf.key ?? leaf.field], kind: "add", new: said }];
}

export function undoneRun({ start }: RunRecord, conflicts: readonly Conflict[], lost: readonly Lost[]): UndoneRun {
  return {
    ...{ id: start.id, command: start.command, at: start.at, by: start.by.name },
    conflicts: conflicts.map(({ type, name, leaf, code, now }) => ({
      ...{ type, name, ...(leaf && { field: formatPath(pathOf(leaf)) }), why: code },
      ...(now !== undefined && { now: shown(now) }),
    })),
    lost: lost.map(({ type, name, text }) => ({ type, name, text })),
  };
}

export function conflictText({ type, name, field, why, now }: UndoneRun["conflicts"][number]): string {
  const what = field === undefined ? `${type} ${name}` : `${type} ${name}: ${field}`;
  return now === undefined ? `${what} was ${why}` : `${what} was ${why} (${cut(JSON.stringify(now), LONGEST)})`;
}

const LONGEST = 80;
