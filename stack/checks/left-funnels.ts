/** Finds funnels that the stack doesn't have and that lead to pages which the plan deletes. Nothing else of a plan tells of them. */
import { nameOf } from "../../engine/index.ts";
import { ConfigurationError } from "../../provider/api/index.ts";
import { collect, type Collection } from "../../provider/definition/collection.ts";
import type { AnyDefinition } from "../../provider/definition/define.ts";
import { registry } from "../../provider/kinds/registry.ts";
import type { RunContext } from "../../provider/reconcile/run-context.ts";
import { isMap } from "../../provider/values/json.ts";
import { listed } from "../../provider/values/wording.ts";
import { isPublic } from "../report/impact.ts";
import type { Change } from "../report/model.ts";
import { decisive, recordedAs, type Told } from "../report/steps.ts";
import { nameText } from "../report/text.ts";
import type { AccountReader } from "../run/account-reader.ts";
import { type Check, warns } from "./check.ts";
import { endOf } from "./foreseen.ts";
import { Unheard } from "./planned.ts";

type Tolds = ReadonlyMap<string, Told>;

export const leftFunnels: Check = {
  name: "left funnels",
  not: { "env down": "the pages of an environment are in no funnel but its own" },
  run: async ({ ran, reader }, report) => {
    const { changes, told } = ran.preview;
    const going = changes.filter(goes);
    if (report.result !== "succeeded" || going.length === 0) return {};
    const unheard = new Unheard();
    const open = await reader();
    const accounts = Map.groupBy(going, ({ urn, op }) => accountOf(told.get(urn), op, open));
    const asked = [...accounts].map(([run, pages]) => leadingTo(run, pages, told).catch(unheard.note));
    const found = (await Promise.all(asked)).flatMap((texts) => texts ?? []);
    return { findings: warns([...found, ...unheard.told(false), ...unheard.told(true)], { lasts: true }) };
  },
};

function goes(change: Change): boolean {
  return isPublic(change.type, "address") && change.held === undefined && endOf(change) === "deleted";
}

function accountOf(told: Told | undefined, op: Change["op"], reader: AccountReader): RunContext | undefined {
  const step = told && decisive(told.steps, op);
  try {
    return step && reader.of(step.provider, recordedAs(step));
  } catch (error) {
    // A run without these settings fails by itself.
    if (error instanceof ConfigurationError) return undefined;
    throw error;
  }
}

/** Returns a text for each funnel. One that the stack has shows its steps in the plan. */
async function leadingTo(run: RunContext | undefined, pages: readonly Change[], told: Tolds): Promise<string[]> {
  if (run === undefined) return [];
  const ours = new Set([...told.values()].map(({ id }) => id));
  const found = FLOWS.map(async ({ collection, shown }) =>
    (await collect(collection.all(run.api, {}))).flatMap((row): string[] => {
      const steps = shown.answerOf(row)["steps"];
      if (ours.has(row.id) || !Array.isArray(steps)) return [];
      const lost = pages.filter(({ id }) => steps.some((step) => isMap(step) && step["pageId"] === id));
      if (lost.length === 0) return [];
      const called = `${collection.what} ${row.id} ("${nameText(collection.nameOf(row) ?? "")}")`;
      return [
        `${called}, which this stack doesn't have, leads to ${listed(
          lost.map(({ urn }) => nameText(nameOf(urn))),
          3,
        )}: visitors of that funnel come to a page that is gone`,
      ];
    }),
  );
  return (await Promise.all(found)).flat();
}

const FLOWS = Object.values<AnyDefinition>(registry).filter(
  (one): one is AnyDefinition & { readonly collection: Collection } =>
    one.public === "flow" && one.collection !== undefined,
);
