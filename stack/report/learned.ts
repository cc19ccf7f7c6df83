/** Finds what only the plan of a run has learned from the account. The report of the run keeps it. Pure. */
import { same } from "../../provider/values/json.ts";
import type { Learned, LearnedRows } from "./decide.ts";
import { LATER, type Change } from "./model.ts";
import { overlaps, textsIn } from "./values.ts";

/** An engine makes each object that its resource takes over. Only the plan has asked the account which ones these are. */
export function takenOver(done: readonly Change[], planned: readonly Change[]): LearnedRows {
  const adopted = new Map(planned.flatMap((row) => (row.op === "adopt" ? [[row.urn, row]] : [])));
  const retired = new Map(
    planned.flatMap(({ reason }) => (reason?.code === "reuses" ? [[reason.id, { reason }]] : [])),
  );
  return new Map(
    done.flatMap(({ op, urn, id = "" }): [string, Learned][] => {
      const { fields, reason } = adopted.get(urn) ?? {};
      const learned = fields ? { op: "adopt" as const, fields, reason } : retired.get(id);
      return op === "create" && learned ? [[urn, learned]] : [];
    }),
  );
}

/**
 * Keeps in an update what only its plan has learned: values that an earlier run had held back. An engine doesn't see them. `foreseen`: the
 * engine's own part of the plan. A value that the run itself tells as held, or that nobody knew before, stays as the run tells it.
 */
export function learnedBefore(
  done: readonly Change[],
  planned: readonly Change[],
  foreseen: readonly Change[],
): LearnedRows {
  const byRow = (rows: readonly Change[]): Map<string, Change> => new Map(rows.map((row) => [rowKey(row), row]));
  const [plans, engines] = [byRow(planned), byRow(foreseen)];
  return new Map(
    done.flatMap((change): [string, Learned][] => {
      const [plan, engine] = [plans.get(rowKey(change)), engines.get(rowKey(change))];
      if (plan === undefined || (change.op !== "update" && change.op !== "replace")) return [];
      const held = change.fields.filter((field) => field.held === true);
      const learned = plan.fields.filter(
        (field) =>
          !engine?.fields.some((one) => same(one, field)) &&
          field.held !== true &&
          !textsIn(field.new).some(({ text }) => text === LATER) &&
          !overlaps(held, field.path),
      );
      // Some of the texts that a variable changes are only in the state.
      const rendered = plan.rendered && { rendered: plan.rendered };
      if (learned.length === 0) return rendered === undefined ? [] : [[change.urn, rendered]];
      const others = change.fields.filter(({ path }) => !overlaps(learned, path));
      const reason = isCarriedOn(change) && { reason: plan.reason };
      return [[change.urn, { fields: [...others, ...learned], ...rendered, ...reason }]];
    }),
  );
}

function rowKey({ urn, op }: Change): string {
  return `${op} ${urn}`;
}

/** Tells if no field of the engine's plan says why it is an update. */
export function isCarriedOn({ reason }: Change): boolean {
  return reason?.code === "publishes held" || (reason?.code === "carries on" && reason.after === undefined);
}
