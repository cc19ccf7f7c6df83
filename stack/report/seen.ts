/** What the looks at public pages found, of the pages that an up published. Pure. */
import { nameOf, typeOf } from "../../engine/index.ts";
import type { Notice } from "../../provider/messages/notices.ts";
import { keyOfKind, keyOfType } from "../../provider/kinds/registry.ts";
import type { SeenPage } from "./going-live.ts";
import { shortName } from "./steps.ts";
import type { Told } from "./told.ts";

export function seenPages(notices: readonly Notice[], told: ReadonlyMap<string, Told>): SeenPage[] {
  const byObject = new Map([...told.values()].map((one) => [keyOfType(typeOf(one.urn), one.id), one]));
  return notices.flatMap((notice) => {
    if (notice.code !== "seen-live") return [];
    const { code, kind, id, name, ...found } = notice;
    const one = byObject.get(keyOfKind(kind, id));
    const [step] = one?.steps.values() ?? [];
    if (one === undefined || step === undefined) return [];
    return [{ urn: one.urn, type: shortName(step.type), name: nameOf(one.urn), ...found }];
  });
}
