/**
 * Texts of a published page's draft that no visitor got, before a run writes over them. Where the content map shows the draft,
 * they are among its values; where it shows what is live, the builder tree has them, as far as it shows texts of fields.
 */
import type { Apply, PlannedWrites } from "../../../definition/define.ts";
import type { Held } from "../../../history/kept.ts";
import { isMap, type Json, type JsonMap } from "../../../values/json.ts";
import { rowOf } from "../../../reconcile/listed.ts";
import { pages } from "../collection.ts";
import { fieldsNow } from "../page-fields.ts";
import { DRAFT } from "../release-draft-name.ts";
import { draftIn } from "../release-draft.ts";
import { mayBeEdited } from "./by-dates.ts";
import { draftTexts, isNowhere, isSomewhere, type DraftText } from "./draft-texts.ts";
import { footprintIn, valueText, type Footprint } from "./footprint.ts";
import { findStowaways } from "./stowaways.ts";
import { NO_WRITES, textsDeclared } from "./own-writes.ts";
import { lookAndHandOn, type PageLook } from "./page-look.ts";

type Pass = Pick<Apply<unknown>, "run" | "id" | "object">;
type HeldDraft = Pick<Held, "unpublished" | "draft" | "draftUnknown" | "waited">;
type BesideLive = Pick<Held, "draft" | "draftUnknown"> & { readonly isSure: boolean };

const NOTHING: BesideLive = { isSure: false };

/** `content`: what the content map shows of the keys that are about to be written, or that go with the page. */
export async function draftHeld(pass: Pass, content: JsonMap, writes: PlannedWrites | undefined): Promise<HeldDraft> {
  const { object } = pass;
  if (object.answer["status"] !== "published" || Object.keys(content).length === 0) return {};
  const footprint = footprintIn(object.notes, pass.id);
  if (writes === undefined) return heldOfDeleted(pass, content, footprint);
  // A page that is published again is looked at before its first write in any case.
  const look = isMap(writes.inputs["publish"]) ? await lookOf(pass) : undefined;
  const { isSure, ...beside } = look ? besideLive(look, footprint, content, textsDeclared(object)) : NOTHING;
  const rest = Object.entries(content).filter(([key]) => beside.draftUnknown?.includes(key) !== true);
  const unpublished = isSure ? [] : await unpublishedIn(pass, Object.fromEntries(rest), footprint, look);
  return { ...beside, ...(unpublished.length > 0 && { unpublished }) };
}

/** What goes can't be looked at again: of what nobody can tell whether it was public, it is said. */
async function heldOfDeleted(pass: Pass, content: JsonMap, footprint: Footprint | undefined): Promise<HeldDraft> {
  const { run, id, object } = pass;
  const record = await rowOf(run, pages, id, object);
  if (!record) return {};
  const draft = draftIn(object.answer[DRAFT]);
  const waited = object.redo.has("publish") || (draft !== undefined && isSameDate(record.published_at, draft.at));
  const moved = footprint ? movedIn(content, footprint) : [];
  const ours = footprint?.at ?? object.answer["publishedAt"];
  // Somebody published it since our last publication, and an edit may have followed at once.
  const isDoubtful =
    moved.length > 0 && !isSameDate(record.published_at, ours) && (await mayBeEdited(run, record, footprint?.lag));
  const edited =
    footprint === undefined || isDoubtful ? moved : await unpublishedIn(pass, content, footprint, undefined);
  return { ...(edited.length > 0 && { unpublished: edited }), ...(waited && { waited }) };
}

function isSameDate(one: string | null, other: Json | undefined): boolean {
  return one !== null && typeof other === "string" && Date.parse(one) === Date.parse(other);
}

async function lookOf({ run, id, object }: Pass): Promise<PageLook> {
  const { nodes } = await lookAndHandOn(run, id, object);
  const { fields } = await fieldsNow({ run, id, object });
  return { nodes, fields: new Map(fields.keys().map((key) => [key, fields.value(key)])) };
}

/** What the draft says where the content map shows what is live: sure where a node is as it was published but for that. */
function besideLive(look: PageLook, footprint: Footprint | undefined, content: JsonMap, declared: JsonMap): BesideLive {
  const all = [...(look.fields ?? [])];
  // What we have written and couldn't publish is in the draft, too.
  const isLost = (key: string, live: Json | undefined): boolean =>
    isNowhere(live, look) && !isSomewhere(declared[key], look);
  const lost = new Set(all.flatMap(([key, live]) => (isLost(key, live) ? [key] : [])));
  const texts = footprint ? [...draftTexts(footprint.nodes, look).values()].flat() : [];
  const values = new Set(all.map(([, value]) => value));
  // Of a draft's own content map, the old text of a field may be what another one says still.
  const known = texts.filter(({ keys, text }) => keys.some((key) => lost.has(key)) || !values.has(text));
  const draft = Object.fromEntries(known.flatMap((one) => textOf(one, content)));
  const told = new Set(known.filter(({ keys }) => keys.length === 1).flatMap(({ keys }) => keys));
  const unsure = [...(showsFields(look, footprint, lost) ? lost : []), ...known.flatMap(({ keys }) => keys)];
  const draftUnknown = [...new Set(unsure)].filter((key) => key in content && !told.has(key));
  return {
    isSure: known.length > 0,
    ...(Object.keys(draft).length > 0 && { draft }),
    ...(draftUnknown.length > 0 && { draftUnknown }),
  };
}

function textOf({ keys: [key = "", ...others], text }: DraftText, content: JsonMap): [string, Json][] {
  return others.length === 0 && key in content ? [[key, text]] : [];
}

/** What content keys write shows in the tree: seen before, or by all that is the same in both. */
function showsFields(look: PageLook, footprint: Footprint | undefined, lost: ReadonlySet<string>): boolean {
  if (look.nodes.size === 0) return false;
  if (footprint?.fieldsInTree === true) return true;
  const others = [...(look.fields ?? [])].filter(([key, value]) => typeof value === "string" && !lost.has(key));
  return others.length > lost.size;
}

async function unpublishedIn(
  { run, id, object }: Pass,
  content: JsonMap,
  footprint: Footprint | undefined,
  look: PageLook | undefined,
): Promise<string[]> {
  const { answer, edited: known, notes, declared, recorded, identity } = object;
  const moved = movedIn(content, footprint);
  if (moved.length === 0) return [];
  const page = { answer, edited: known, notes, declared, recorded, identity };
  const { edits } = await findStowaways(run, id, page, NO_WRITES, () => fieldsNow({ run, id, object }), look);
  const edited = new Set(edits.map((edit) => (edit.kind === "field" ? edit.key : edit.kind)));
  return moved.filter((key) => edited.has(key) || edited.has("unnamed"));
}

/** What says something else than what the page was last published with by us. */
function movedIn(content: JsonMap, footprint: Footprint | undefined): string[] {
  return Object.entries(content).flatMap(([key, value]) =>
    footprint?.fields.holds(key, valueText(value)) === true ? [] : [key],
  );
}
