/** What of a planned page is sure to fail, as far as reads can tell. */
import type { LandformApi, Page } from "../../api/index.ts";
import { collect } from "../../definition/collection.ts";
import type { PlannedChange } from "../../definition/foresight.ts";
import { mapOf } from "../../values/json.ts";
import { orGone } from "../../account/presence.ts";
import { didYouMean } from "../../values/nearest.ts";
import { pageKey } from "./collection.ts";
import { ContentFields } from "../../account/content-map.ts";
import { unfilledNew } from "./unfilled.ts";
import { unreadyAdopted } from "./unready-adopted.ts";

/** The page that an `adoptId` stands for. */
export type PageOf = (api: LandformApi, adoptId: string) => Promise<string>;

const itself: PageOf = (_, adoptId) => Promise.resolve(adoptId);

export async function foreseePage(
  api: LandformApi,
  planned: PlannedChange,
  pageOf: PageOf = itself,
): Promise<string[]> {
  const adoptId = planned.value("adoptId");
  const adopted = typeof adoptId === "string" ? await pageOf(api, adoptId) : undefined;
  return [
    ...(await takenPath(api, planned, adopted)),
    ...(await unknownKeys(api, planned, adopted)),
    ...(await unfilledNew(api, planned)),
    ...(await unreadyAdopted(api, planned, adopted)),
    ...madeOfNothing(planned),
  ];
}

/** A public page that the code doesn't make: what would come in its place has no sections, and could not be published. */
function madeOfNothing({ op, isPublic, declared, hides }: PlannedChange): string[] {
  const makers = ["templateId", "duplicateOf", "adoptId", "nodes"];
  const isMade = makers.some((field) => declared(field) !== undefined || hides(field));
  if (op !== "replace" || !isPublic || isMade || declared("publish") === undefined) return [];
  return [
    "publish: the page is replaced by a new one, and the code doesn't say what that is made of: it would be empty, which can't be published. " +
      "Name a template or duplicateOf, or put back adoptId with what the page had before",
  ];
}

/** A path that something else has, which is not a part of the plan: on every site that may be meant. */
async function takenPath(api: LandformApi, change: PlannedChange, adopted: string | undefined): Promise<string[]> {
  const { op, value, declared, hides, stands, planned, isBegun, isPublic } = change;
  // What is public stays where it is, unless its path changes.
  const isDue = op === "create" || op === "adopt" || (op === "update" && !isPublic);
  const root = stands("publish", "siteId").length > 0 && !hides("publish", "slug") ? "" : undefined;
  const wanted = value("publish", "slug") ?? (isDue ? (declared("publish", "slug") ?? root) : undefined);
  if (typeof wanted !== "string") return [];
  const id = op === "adopt" ? adopted : change.id;
  const path = pathKey(wanted);
  const holders = await Promise.all(
    stands("publish", "siteId").map(async (siteId) => {
      const isThere = (row: Page): boolean => row.site_id === siteId && pathKey(row.slug ?? "") === path;
      const rows = (await publishedOn(api, siteId)).filter((row) => isThere(row) && row.id !== id);
      return rows.find((row) => planned.has(pageKey(row.id))) ?? stillThere(api, rows, isThere);
    }),
  );
  const [holder] = holders;
  if (!holder || holders.some((row) => row === undefined || planned.has(pageKey(row.id)))) return [];
  if (await isBegun()) return [];
  return [
    `publish.slug: /${path} is taken on this site by "${holder.page_name}" (${holder.id}). Choose another slug, or take that page over with adoptId: ${holder.id}`,
  ];
}

/** The list may be behind, and show pages that are gone. */
async function stillThere(
  api: LandformApi,
  rows: readonly Page[],
  isThere: (row: Page) => boolean,
): Promise<Page | undefined> {
  const records = await Promise.all(rows.map(({ id }) => orGone(api.pages.read(id))));
  return records.find((record) => record?.status === "published" && isThere(record));
}

/** A service may fold case and drop slashes, and then another page's address would be taken without a word. */
function pathKey(slug: string): string {
  return slug
    .normalize("NFC")
    .toLowerCase()
    .replaceAll(/^\/+|\/+$/g, "");
}

const listed = new WeakMap<LandformApi, Map<string, Promise<readonly Page[]>>>();

/** The public pages of a site, listed once however many pages are planned there. */
async function publishedOn(api: LandformApi, siteId: string): Promise<readonly Page[]> {
  const sites = listed.get(api) ?? new Map<string, Promise<readonly Page[]>>();
  listed.set(api, sites);
  const pages = sites.get(siteId) ?? collect(api.pages.iterate({ site_id: siteId, published: true }));
  sites.set(siteId, pages);
  return pages;
}

/** Content keys that are new in the code, or that a failed run may not have got there, and that the page doesn't have. */
async function unknownKeys(
  api: LandformApi,
  { op, id: own, added, declared, carriesOn }: PlannedChange,
  adopted: string | undefined,
): Promise<string[]> {
  const keys = [...new Set([...added("content"), ...(carriesOn ? Object.keys(mapOf(declared("content"))) : [])])];
  const id = op === "update" ? own : op === "adopt" ? adopted : undefined;
  if (id === undefined || keys.length === 0) return [];
  const fields = new ContentFields((await api.builder.contentMap(id)).fields);
  const missing = keys.filter((key) => !fields.has(key));
  return missing.map(
    (key) => `content: the page has no field ${JSON.stringify(key)}${didYouMean(key, fields.keys()) || "."}`,
  );
}
