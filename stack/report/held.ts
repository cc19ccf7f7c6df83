/** Which pages an up worked on and did not publish. Pure. */
import { nameOf, typeOf } from "../../engine/index.ts";
import type { Notice } from "../../provider/messages/notices.ts";
import { keyOfKind, keyOfType } from "../../provider/kinds/registry.ts";
import type { HeldBack } from "./going-live.ts";
import { shortName, urlOf } from "./steps.ts";
import type { Told } from "./told.ts";

export function heldBack(notices: readonly Notice[], told: ReadonlyMap<string, Told>): HeldBack[] {
  const byObject = new Map([...told.values()].map((one) => [keyOfType(typeOf(one.urn), one.id), one]));
  return notices.flatMap((notice) => {
    const one =
      notice.code === "foreign-edits" && notice.outcome === "held-back"
        ? byObject.get(keyOfKind(notice.kind, notice.id))
        : undefined;
    const [step] = one?.steps.values() ?? [];
    if (notice.code !== "foreign-edits" || one === undefined || step === undefined) return [];
    const url = urlOf(one.outputs);
    const { urn } = one;
    const { edits, heldBy } = notice;
    const about = { urn, type: shortName(step.type), name: nameOf(urn), ...(url && { url }) };
    return [{ ...about, edits, ...(heldBy && { heldBy }) }];
  });
}
