/** Finds the values that an adoption writes over: those of the object that the code wants different. An engine plans a creation there. */
import { DESTROYS } from "../intents.ts";
import { containsUnknown, isUnknown, nameOf } from "../../engine/index.ts";
import { fieldsToWrite } from "../../provider/reconcile/adopt.ts";
import { ObjectState, splitInputs } from "../../provider/reconcile/object-state.ts";
import { definitionOf } from "../../provider/kinds/registry.ts";
import { AdoptionError } from "../../provider/messages/errors.ts";
import { filterMap, isMap, type Json, mapBy, mapEach, mapOf } from "../../provider/values/json.ts";
import type { Path } from "../../provider/values/paths.ts";
import { reasonOf } from "../../provider/values/wording.ts";
import { isHidden } from "../report/text.ts";
import { fieldsBetween } from "../report/values.ts";
import type { Learned } from "../report/decide.ts";
import type { Change, Field } from "../report/model.ts";
import type { Planned } from "../report/build.ts";
import { decisive, type Told } from "../report/steps.ts";
import type { AccountReader } from "../run/account-reader.ts";
import { type Check, heard, since, type Unanswered, unanswered, unansweredBy } from "./check.ts";
import { standsFor } from "./foreseen.ts";
import { type Found, objectsTakenOver } from "./objects.ts";
import { askEach, Unheard } from "./planned.ts";

export const adoptedValues: Check = {
  name: "adopted values",
  not: {
    ...since("it adopts nothing", ...DESTROYS),
    "env up": "what the program adopts becomes a copy in an environment",
  },
  run: async ({ ran: { preview }, reader, session, intent }, report) => {
    const adopted = report.changes.filter(({ op }) => op === "adopt");
    if (report.result !== "succeeded" || adopted.length === 0) return {};
    const account = await reader();
    const { changes, told } = preview;
    const objects = await askEach(changes, (change) => takenOverBy(change, told, account));
    const looks = adopted.map((change) => differencesOf(change, told.get(change.urn), { account, objects }));
    const { answers, open } = heard(await Promise.all(looks));
    const rows = answers.map(({ urn, fields }): [string, Learned] => {
      const asItIs = fields.length === 0 && { asItIs: true as const };
      return [urn, { fields: session.redactor.value(fields), reason: { code: "adopts", ...asItIs } }];
    });
    return { rows: new Map(rows), findings: unanswered(open, intent) };
  },
};

/** Returns the question if the account could not be asked, and undefined for an object that can't be adopted: the run's own check tells that. */
async function differencesOf(
  { urn, fields }: Change,
  told: Told | undefined,
  { account, objects }: { readonly account: AccountReader; readonly objects: readonly Found[] },
): Promise<{ readonly urn: string; readonly fields: Field[] } | Unanswered | undefined> {
  const step = told?.steps.get("create");
  const definition = step && definitionOf(step.type);
  if (step?.new === undefined || definition === undefined) return undefined;
  const { adoptId, ...declared } = splitInputs(step.new.inputs).inputs;
  if (typeof adoptId !== "string" || containsUnknown(adoptId)) return undefined;
  const inputs = mapEach(declared, (value, field) =>
    withAdoptedIds(value, [field], (path) => standsFor(step.type, path, { objects, one: told })),
  );
  const known = filterMap(inputs, (value) => !containsUnknown(value) && !isHidden(value));
  try {
    const run = account.of(step.provider, step.urn);
    const id = (await definition.life.identify?.(run, adoptId)) ?? adoptId;
    const object = new ObjectState(definition, id);
    const written = [...(await fieldsToWrite({ definition, run, object }, known))];
    const rendered = definition.plan.rendered?.(known) ?? {};
    const now = mapEach(known, (value, field) => (isMap(value) ? { ...value, ...mapOf(rendered[field]) } : value));
    const differing = fieldsBetween(
      mapBy(written, (field) => object.live(field)),
      mapBy(written, (field) => now[field]),
    );
    // A secret, or a value that is known later, can't be compared: it is shown as declared.
    const open = fields.filter(({ path: [field] }) => field !== "adoptId" && !(String(field) in known));
    return { urn, fields: [...open, ...differing] };
  } catch (error) {
    if (error instanceof AdoptionError) return undefined;
    const text = `${nameOf(step.urn)}: Landform could not compare it with the object that it adopts: ${reasonOf(error)}`;
    return unansweredBy(error, { text, urn: step.urn });
  }
}

/** Returns the object that a change takes over by its id or its name. Where the account can't be asked, a reference to it stays unknown. */
async function takenOverBy(change: Change, told: Planned["told"], account: AccountReader): Promise<Found[]> {
  const step = decisive(told.get(change.urn)?.steps ?? new Map(), change.op);
  try {
    const planned = { changes: [change], leftAs: () => Promise.resolve(undefined) };
    return await objectsTakenOver(account.of(step?.provider, change.urn).api, planned, new Unheard());
  } catch {
    return [];
  }
}

/** Replaces references to resources that the plan takes over as well: their ids are known already. */
function withAdoptedIds(value: Json, path: Path, stands: (path: Path) => readonly string[]): Json {
  if (isUnknown(value)) {
    const [id = value, other] = stands(path);
    return other === undefined ? id : value;
  }
  if (Array.isArray(value)) return value.map((one, index) => withAdoptedIds(one, [...path, index], stands));
  return isMap(value) ? mapEach(value, (one, key) => withAdoptedIds(one, [...path, key], stands)) : value;
}
