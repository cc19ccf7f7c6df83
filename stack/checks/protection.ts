/** Finds resources whose option `protect` the code adds or takes away. An engine plans no step for it, and it decides if a later plan may delete. */
import { DESTROYS } from "../intents.ts";
import { nameOf, typeOf } from "../../engine/index.ts";
import { shortName, type Told } from "../report/steps.ts";
import { titleOf } from "../report/words.ts";
import { type Check, since } from "./check.ts";

export const protection: Check = {
  name: "protection",
  not: since("it deletes, and keeps no option", ...DESTROYS),
  run: ({ ran: { preview } }) => ({
    findings: [...preview.told.values()].flatMap((told) => {
      const text = changeOf(told);
      return text === undefined ? [] : [{ weight: "note", text, urn: told.urn }];
    }),
  }),
};

function changeOf({ urn, steps }: Told): string | undefined {
  const step = [...steps.values()].find((one) => one.old !== undefined && one.new !== undefined);
  const [then, now] = [step?.old?.protect === true, step?.new?.protect === true];
  if (then === now) return undefined;
  const title = titleOf({ type: shortName(typeOf(urn)), name: nameOf(urn) });
  return now
    ? `${title}: the code protects it from now on (protect). No later plan can delete or replace it`
    : `${title}: the code no longer protects it (protect). A later plan may delete or replace it`;
}
