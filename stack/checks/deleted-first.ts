/** Names public pages that the program's options delete before their replacements exist. Landform itself makes the new page first. Pure. */
import { DESTROYS } from "../intents.ts";
import type { Told } from "../report/steps.ts";
import { titleOf } from "../report/words.ts";
import { type Check, since, warns } from "./check.ts";

export const deletedFirst: Check = {
  name: "deleted first",
  not: since("it replaces nothing", ...DESTROYS),
  run: ({ ran: { preview } }, report) => ({
    findings: warns(
      report.changes.flatMap(({ op, url, urn, type, name }) => {
        if (op !== "replace" || url === undefined || !isDeletedFirst(preview.told.get(urn))) return [];
        return [
          `${titleOf({ type, name })} is deleted before the new one is made, because the program says deleteBeforeReplace: until ` +
            `then, and if the new one can't be published, visitors get nothing at ${url}. Without this option, Landform makes the new page first.`,
        ];
      }),
    ),
  }),
};

/** The engine tells the steps in the order in which it carries them out. */
function isDeletedFirst(told: Told | undefined): boolean {
  const steps = [...(told?.steps.keys() ?? [])];
  const [deleted, made] = [steps.indexOf("delete-replaced"), steps.indexOf("create-replacement")];
  return deleted !== -1 && deleted < made;
}
