/** Where pages that a plan takes over are public today, and where the code has them. */
import { refersTo } from "../../provider/definition/references.ts";
import { definitionOf } from "../../provider/kinds/registry.ts";
import { schemaBelow } from "../../provider/definition/schema-walk.ts";
import { type AdoptedPage, placeOf } from "../report/adopted-urls.ts";
import { isPublic, publishOf } from "../report/impact.ts";
import { LATER } from "../report/model.ts";
import { type PlannedChanges, adoptedBy, type Rows } from "./planned.ts";
import { idsTakenOver, type Found } from "./taken-over.ts";

const SITE = ["publish", "siteId"];

/** `rows`: those that other looks ask for, too. */
export async function adoptedPages(
  rows: Rows,
  { changes, told }: Pick<PlannedChanges, "changes" | "told">,
  takenOver: Promise<readonly Found[]>,
): Promise<AdoptedPage[]> {
  const planned = idsTakenOver(await takenOver);
  const found = changes.map(async (change): Promise<AdoptedPage[]> => {
    const [definition, adoptId, one] = [definitionOf(change.type), adoptedBy(change), told.get(change.urn)];
    const declared = one && publishOf(one, "new");
    const isPage = change.op === "adopt" && isPublic(change.type, "address");
    if (!isPage || !declared || declared.slug === LATER || !definition?.collection || typeof adoptId !== "string")
      return [];
    const row = await rows(definition.collection, adoptId);
    if (!row) return [];
    const [what = ""] = refersTo(SITE.reduce<unknown>(schemaBelow, definition.inputs));
    const { siteId, slug } = declared;
    const live = placeOf(definition.shown.answerOf(row));
    const sites = typeof siteId === "string" && siteId !== LATER ? [siteId] : (planned.get(what) ?? []);
    return [{ name: change.name, slug, sites, ...(live && { live }) }];
  });
  return (await Promise.all(found)).flat();
}
