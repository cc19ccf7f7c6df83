/** Finds the parts of a planned page that are sure to fail, as far as reads can tell. */
import { ContentFields } from "../../account/content-map.ts";
import { orGone } from "../../account/presence.ts";
import type { LandformApi, Page } from "../../api/index.ts";
import { collect } from "../../definition/collection.ts";
import type { Failing } from "../../definition/define.ts";
import type { Foreseen, ForeseenDeletion, PlannedChange, PlannedDeletion } from "../../definition/foresight.ts";
import { pageKey } from "./document/collection.ts";
import { elsewhereIn } from "./draft/content.ts";
import { editedSincePublished } from "./edits/dates.ts";
import { inKeys, issuesBesides } from "./public/publish.ts";
import { valuesNow } from "./document/texts.ts";
import type { ObjectState } from "../../reconcile/object-state.ts";
import { normalSlug } from "../../values/addresses.ts";
import { filterMap, isMap, type Json, type JsonMap, mapOf, same, text } from "../../values/json.ts";
import { insteadOf } from "../../values/nearest.ts";
import { hasUnknown, type Path, propertyPath } from "../../values/paths.ts";
import { placeholdersIn } from "../../values/placeholders.ts";

/** `pageOf`: finds the page that an `adoptId` stands for, if that may be another id. */
export async function foreseePage(
  api: LandformApi,
  planned: PlannedChange,
  pageOf?: (api: LandformApi, adoptId: string) => Promise<string>,
): Promise<Foreseen[]> {
  const adoptId = planned.value("adoptId");
  const adopted = typeof adoptId === "string" ? ((await pageOf?.(api, adoptId)) ?? adoptId) : undefined;
  return [
    ...(await takenPath(api, planned, adopted)),
    ...(await unknownKeys(api, planned, adopted)),
    ...(await unfilledDraft(api, planned)),
    ...(await unreadyAdopted(api, planned, adopted)),
    ...madeOfNothing(planned),
  ];
}

/** Foresees that the API deletes no page that visitors see and that is on no site. */
export async function foreseeDeletion(_: LandformApi, { answer }: PlannedDeletion): Promise<ForeseenDeletion> {
  const isLost = ({ status, siteId }: JsonMap): boolean => status === "published" && siteId === null;
  const page = await answer((listed) => !isLost(listed));
  return { refused: page && isLost(page) ? [WITHOUT_SITE] : [], stays: false };
}

const WITHOUT_SITE =
  "it can't be deleted, because it is published and has no site. Attach it to a site or delete it in the app; or keep " +
  "it with the option retainOnDelete, in a run before its removal";

/** Refuses to replace a public page by one that the code doesn't make: that would have no sections, and could not be published. */
function madeOfNothing({ op, isPublic, declared, hides }: PlannedChange): Foreseen[] {
  const makers = ["templateId", "duplicateOf", "adoptId", "nodes"];
  const isMade = makers.some((field) => declared(field) !== undefined || hides(field));
  if (op !== "replace" || !isPublic || isMade || declared("publish") === undefined) return [];
  const text =
    "publish: the page is replaced by a new one, and the code doesn't say from what to make it: it would be empty, and an empty page can't be published. " +
    "Name a template or duplicateOf, or put back adoptId and the page's earlier values";
  return [{ text, at: ["publish"] }];
}

/** Finds a path that something outside of the plan has, on every site that may be meant. */
async function takenPath(api: LandformApi, change: PlannedChange, adopted: string | undefined): Promise<Foreseen[]> {
  const { op, value, declared, hides, stands, planned, isBegun, isPublic } = change;
  // A public page stays where it is, unless its path changes.
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
  const text = `publish.slug: /${path} is taken on this site by "${holder.page_name}" (${holder.id}). Choose another slug`;
  return [{ text, at: ["publish", "slug"], holder: { key: pageKey(holder.id), id: holder.id } }];
}

/** Returns the page that is still there. The list may lag, and show pages that are gone. */
async function stillThere(
  api: LandformApi,
  rows: readonly Page[],
  isThere: (row: Page) => boolean,
): Promise<Page | undefined> {
  const records = await Promise.all(rows.map(({ id }) => orGone(api.pages.read(id))));
  return records.find((record) => record?.status === "published" && isThere(record));
}

/** A service may fold case and drop slashes. It would then take another page's address without a word. */
function pathKey(slug: string): string {
  return slug
    .normalize("NFC")
    .toLowerCase()
    .replaceAll(/^\/+|\/+$/g, "");
}

/** Lists the pages once, however many pages are planned there. */
function publishedOn(api: LandformApi, siteId: string): Promise<readonly Page[]> {
  return api.once(`public pages of ${siteId}`, () => collect(api.pages.iterate({ site_id: siteId, published: true })));
}

/** Finds content keys that the page doesn't have: keys that are new in the code, or that a failed run may not have written. */
async function unknownKeys(api: LandformApi, change: PlannedChange, adopted?: string): Promise<Foreseen[]> {
  const { op, id: own, added, declared, carriesOn } = change;
  const keys = [...new Set([...added("content"), ...(carriesOn ? Object.keys(mapOf(declared("content"))) : [])])];
  const id = op === "update" ? own : op === "adopt" ? adopted : undefined;
  if (id === undefined || keys.length === 0) return [];
  const fields = new ContentFields((await api.builder.contentMap(id)).fields);
  return keys
    .filter((key) => !fields.has(key))
    .map((key) => {
      const why = `the page has no content key ${JSON.stringify(key)}${insteadOf(key, fields.keys(), "Its keys")}`;
      return { text: `content: ${why}`, at: ["content", key] };
    });
}

// Placeholders that would stay on a page made anew, so that it could never be published.

/** Looks at a page made anew from the same template, whose texts the notes tell. No call of the API shows the texts of another template. Pure. */
function unfilledAnew({ declared, notes }: ObjectState, now: JsonMap): Open | undefined {
  const { templateId, publish, variables = {}, content = {}, nodes } = now;
  if (publish === undefined || nodes !== undefined || hasUnknown({ variables, content })) return undefined;
  const isAlike = templateId !== undefined && templateId === declared.get("templateId");
  const texts = isAlike ? mapOf(notes["texts"]) : {};
  return openIn({ ...texts, ...mapOf(content) }, variables, isAlike ? elsewhereIn(notes) : []);
}

export function unfilled(old: ObjectState, now: JsonMap, on: "anew" | "this"): Failing | undefined {
  const open = on === "anew" ? unfilledAnew(old, now) : unfilledChange(old, now);
  return open && { field: propertyPath(open.at), why: open.why };
}

/** Looks at an update: at a text that is written with a placeholder, or that was left with one. Pure. */
function unfilledChange(old: ObjectState, now: JsonMap): Open | undefined {
  const { publish, variables, content, nodes } = now;
  if (publish === undefined || nodes !== undefined || !isMap(content) || hasUnknown(variables)) return undefined;
  const then = mapOf(old.declared.get("content"));
  const shown = mapOf(old.answer["content"]);
  const isWritten = (text: Json, key: string): boolean =>
    !hasUnknown(text) && (!same(then[key], text) || same(shown[key], text));
  return openIn(filterMap(content, isWritten), valuesNow(old, variables));
}

/** Looks at a page that goes public for the first time: at its own texts, and at those that its draft or the page that it copies shows. */
async function unfilledDraft(api: LandformApi, change: PlannedChange): Promise<Foreseen[]> {
  const { op, id, isPublic, declared } = change;
  const isMade = op === "create" || op === "replace";
  if (!(isMade || (op === "update" && !isPublic)) || !tellsTexts(change)) return [];
  const source = isMade ? copiedBy(change) : id;
  const map = source === undefined ? undefined : await orGone(api.builder.contentMap(source));
  const fields = new ContentFields(map?.fields);
  const elsewhere = (map?.variables ?? []).filter((name) => fields.holding(name).length === 0);
  const texts = { ...Object.fromEntries(fields.entries()), ...mapOf(declared("content")) };
  const open = openIn(texts, declared("variables"), elsewhere);
  return foreseen(open);
}

function foreseen(open: Open | undefined): Foreseen[] {
  return open === undefined ? [] : [{ text: `publish: ${open.why}`, at: open.at }];
}

/** Tells if the plan knows all texts of a page that is to be published. They don't tell what a node becomes. */
function tellsTexts({ declared, hides }: PlannedChange): boolean {
  const isHidden = ["content", "variables", "nodes"].some((field) => hides(field));
  return declared("publish") !== undefined && declared("nodes") === undefined && !isHidden;
}

/** Returns the page that this one copies. If that page is a part of the plan, its placeholders may be filled in by then. */
function copiedBy({ stands, planned }: PlannedChange): string | undefined {
  const [source, other] = stands("duplicateOf");
  return source === undefined || other !== undefined || planned.has(pageKey(source)) ? undefined : source;
}

function heldBy(texts: JsonMap): string[] {
  return Object.values(texts).flatMap(placeholdersIn);
}

/** Placeholders without a value: the reason, and the first text that holds one. */
interface Open {
  readonly why: string;
  readonly at: Path;
}

/** `elsewhere`: placeholders that stand in no text of these. */
function openIn(texts: JsonMap, variables: Json | undefined, elsewhere: readonly string[] = []): Open | undefined {
  const given = mapOf(variables);
  const isOpen = (name: string): boolean => !Object.hasOwn(given, name);
  const names = [...new Set([...elsewhere, ...heldBy(texts)])].filter(isOpen).sort();
  if (names.length === 0) return undefined;
  const keys = Object.keys(texts).filter((key) => placeholdersIn(texts[key] ?? null).some(isOpen));
  const left = names.map((name) => `{{${name}}}`).join(", ");
  const why = `its texts hold ${left} without a value${inKeys(keys)}, so that it can't be published. Give ${names.length === 1 ? "it a value" : "these a value"} under variables.`;
  const [first] = keys;
  return { why, at: first === undefined ? ["publish"] : ["content", first] };
}

// A page that would be adopted and published, and can't be published. The plan tells it, since the apply would stop halfway.

/** Inputs that the service never shows. Landform always sends them. */
const ALWAYS_SENT = ["variables", "tags", "productLabel", "delay"] as const;

async function unreadyAdopted(api: LandformApi, change: PlannedChange, adopted?: string): Promise<Foreseen[]> {
  const { op, declared } = change;
  if ((op !== "adopt" && op !== "replace") || adopted === undefined || !tellsTexts(change)) return [];
  const page = await orGone(api.pages.read(adopted));
  const map = page && (await orGone(api.builder.contentMap(page.id)));
  if (!page || !map) return [];
  const fields = new ContentFields(map.fields);
  const texts = mapOf(declared("content"));
  if (!isPublished(page, change, texts, fields)) return [];
  const validation = await orGone(api.pages.validate(page.id));
  if (validation === undefined) return [];
  const held = Object.fromEntries(fields.entries());
  // Placeholders stand in other places, too. There only the page's own check finds them.
  const elsewhere = validation.remaining_variables.filter((name) => !heldBy(held).includes(name));
  const open = openIn({ ...held, ...texts }, declared("variables"), elsewhere);
  // An issue on a page that may be published is a hint.
  const others = (validation.ready_to_publish ? [] : issuesBesides(validation)).map((issue): Foreseen => {
    const text = `publish: page ${page.id} can't be published as it is: ${issue}. Correct that in the builder, or leave publish out`;
    return { text, at: ["publish"] };
  });
  return [...foreseen(open), ...others];
}

/**
 * Tells if the run publishes the page. A public page that is as declared is left alone. If others have edited its draft, the run publishes
 * it only by the word to include their edits, and holds it back otherwise. If the dates are too near to tell, it may do either.
 */
function isPublished(page: Page, change: PlannedChange, texts: JsonMap, fields: ContentFields): boolean {
  const { declared, stands, foreignEdits } = change;
  if (page.status !== "published") return true;
  const edited = editedSincePublished(page);
  if (edited !== false)
    return edited === true && (foreignEdits.option ?? declared("onForeignEdits") ?? foreignEdits.stack) === "include";
  const sites = stands("publish", "siteId");
  const isOnSite = sites.length > 0 && sites.every((siteId) => siteId === page.site_id);
  const isThere = isOnSite && normalSlug(page.slug) === normalSlug(text(declared("publish", "slug")));
  const isNamed = (declared("name") ?? page.page_name) === page.page_name;
  const isGrouped = (declared("projectId") ?? page.project_id) === page.project_id;
  const says = Object.entries(texts).every(([key, text]) => same(fields.value(key), text));
  return !isThere || !isNamed || !isGrouped || !says || ALWAYS_SENT.some((field) => declared(field) !== undefined);
}
