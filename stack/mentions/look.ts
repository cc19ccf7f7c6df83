/** What of the account points to what goes, and no program of the stack declares. */
import type { LandformApi } from "../../provider/api/index.ts";
import type { AnyDefinition } from "../../provider/definition/define.ts";
import { objectKey, type ObjectKey } from "../../provider/definition/references.ts";
import type { PropertyPath } from "../../engine/index.ts";
import type { Mention, MentionsLook } from "../report/going-live.ts";
import { readAccount } from "./account.ts";
import { candidatesIn, type Departure, goneIds, isOn, pointersIn } from "./leaving.ts";

export interface Found {
  /** In the order of the departures. */
  mentions: Mention[][];
  looks: readonly MentionsLook[];
}

export interface Stack {
  /** Whether the object goes with the plan, and all that it says; of one type, where that is given. */
  goes: (key: ObjectKey, type?: string) => boolean;
  /** Whether the program says what stands there, so that its words count. */
  declares: (key: ObjectKey, path: PropertyPath, definition: AnyDefinition) => boolean;
  /** Of an object that is a resource of it, or that its state or its record knows besides. */
  urnOf: (key: ObjectKey) => string | undefined;
}

export async function undeclaredMentions(
  api: LandformApi,
  departures: readonly Departure[],
  stack: Stack,
): Promise<Found> {
  const { objects, looks } = await readAccount(api, {
    leavesOut: stack.goes,
    // Without an address that goes, only ids can be pointed to.
    listsOnly: departures.every(({ url }) => url === undefined),
    comesFirst: (answer) => departures.some((one) => isOn(answer, one)),
  });
  const mentions = departures.map((): Mention[] => []);
  const ids = goneIds(departures);
  for (const { definition, about, ref, answer, value } of objects) {
    const key = objectKey(definition, ref);
    const candidates = candidatesIn(value, ids).filter(({ path }) => !stack.declares(key, path, definition));
    for (const [index, departure] of candidates.length === 0 ? [] : departures.entries()) {
      const pointers = pointersIn(candidates, departure, isOn(answer, departure));
      const urn = stack.urnOf(key);
      const own = urn === undefined ? {} : { urn };
      mentions[index]?.push(
        ...pointers.map((pointer): Mention => ({ kind: "undeclared", ...own, ...about, ...pointer })),
      );
    }
  }
  return { mentions, looks };
}
