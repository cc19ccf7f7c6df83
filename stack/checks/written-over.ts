/** Names the values that somebody has changed in the app and that a plan which has read the account puts back. Pure. */
import { DESTROYS, UNDOES } from "../intents.ts";
import { listed } from "../../provider/values/wording.ts";
import { same } from "../../provider/values/json.ts";
import { driftOf, whoMoved } from "../report/drift.ts";
import { nameText } from "../report/text.ts";
import { isWithin, pathText } from "../report/values.ts";
import type { Change, DriftField, Report } from "../report/model.ts";
import { type Check, type Look, since, warns } from "./check.ts";

export const writtenOver: Check = {
  name: "written over",
  not: {
    ...since("an undo compares each value itself", ...UNDOES),
    ...since("to destroy is to delete all of it, and that was asked for", ...DESTROYS),
  },
  run: ({ ran }, report) => {
    if (report.result !== "succeeded") return {};
    const places = report.changes.flatMap((change) => placesIn(change, ran, report));
    if (places.length === 0) return {};
    return { findings: warns([`this run writes over values that somebody has changed in the app: ${listed(places)}`]) };
  },
};

function placesIn(change: Change, { preview, notices }: Look["ran"], { impact }: Report): string[] {
  const told = change.op === "update" ? preview.told.get(change.urn) : undefined;
  if (told === undefined) return [];
  const named = (impact?.alsoLive ?? []).flatMap(({ urn, edits }) => (urn === change.urn ? edits : []));
  const isNamed = ({ path }: DriftField): boolean =>
    named.some((edit) => "over" in edit && edit.at !== undefined && isWithin(path, edit.at));
  return driftOf(told, change, notices).flatMap(({ type, name, fields }) =>
    fields
      .filter(
        (field) =>
          field.unread !== true && whoMoved(field) !== "code" && !same(field.live, field.code) && !isNamed(field),
      )
      .map(({ path }) => `${type} ${nameText(name)} ${pathText(path)}`),
  );
}
