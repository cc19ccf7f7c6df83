/** Which pages an up worked on and did not publish, and what the looks at those that it published found. Pure. */
import { nameOf, typeOf } from "../../engine/index.ts";
import type { Notice } from "../../provider/messages/notices.ts";
import { keyOfKind, keyOfType } from "../../provider/kinds/registry.ts";
import type { HeldBack, SeenPage } from "./going-live.ts";
import { aboutOf } from "./steps.ts";
import type { Told } from "./told.ts";

type Tolds = ReadonlyMap<string, Told>;

export function heldBack(notices: readonly Notice[], told: Tolds): HeldBack[] {
  const find = finderIn(told);
  return notices.flatMap((notice) => {
    if (notice.code !== "foreign-edits" || notice.outcome !== "held-back") return [];
    const { kind, id, edits, heldBy } = notice;
    return find(kind, id).map((one) => ({ ...aboutOf(one, typeOf(one.urn)), edits, ...(heldBy && { heldBy }) }));
  });
}

export function seenPages(notices: readonly Notice[], told: Tolds): SeenPage[] {
  const find = finderIn(told);
  return notices.flatMap((notice) => {
    if (notice.code !== "seen-live") return [];
    const { code, kind, id, name, ...found } = notice;
    return find(kind, id).map((one) => ({ ...aboutOf(one, typeOf(one.urn)), name: nameOf(one.urn), ...found }));
  });
}

/** Of what the run told, the resource that is the object. */
function finderIn(told: Tolds): (kind: string, id: string) => Told[] {
  const byObject = new Map([...told.values()].map((one) => [keyOfType(typeOf(one.urn), one.id), one]));
  return (kind, id) => {
    const one = byObject.get(keyOfKind(kind, id));
    return one === undefined || one.steps.size === 0 ? [] : [one];
  };
}
