/** Where pages that a plan takes over are public today, and where the code has them. */
import { refersTo } from "../../provider/references.ts";
import { definitionOf } from "../../provider/registry.ts";
import { schemaBelow } from "../../provider/schema-walk.ts";
import { type AdoptedPage, placeOf } from "../report/adopted-urls.ts";
import { isPublic, publishOf } from "../report/impact.ts";
import { LATER } from "../report/model.ts";
import type { PlannedChanges } from "./checks.ts";
import { adoptedBy, type Rows } from "./rows.ts";
import { idsTakenOver, type Found } from "./taken-over.ts";

const SITE = ["publish", "siteId"];

/** `rows`: those that other looks ask for, too. */
export async function adoptedPages(
  rows: Rows,
  { changes, told }: Pick<PlannedChanges, "changes" | "told">,
): Promise<(sites: readonly Found[]) => AdoptedPage[]> {
  const read = changes.map(async (change) => {
    const [definition, adoptId, one] = [definitionOf(change.type), adoptedBy(change), told.get(change.urn)];
    const declared = one && publishOf(one, "new");
    const isPage = change.op === "adopt" && isPublic(change.type, "address");
    if (!isPage || !declared || declared.slug === LATER || !definition?.collection || typeof adoptId !== "string")
      return [];
    const row = await rows(definition.collection, adoptId);
    const [what = ""] = refersTo(SITE.reduce<unknown>(schemaBelow, definition.inputs));
    return row ? [{ name: change.name, what, declared, live: placeOf(definition.answerOf(row)) }] : [];
  });
  const found = (await Promise.all(read)).flat();
  return (takenOver) => {
    const planned = idsTakenOver(takenOver);
    return found.map(({ name, what, declared: { siteId, slug }, live }) => ({
      name,
      slug,
      sites: typeof siteId === "string" && siteId !== LATER ? [siteId] : (planned.get(what) ?? []),
      ...(live && { live }),
    }));
  };
}
