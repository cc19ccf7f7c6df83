/** Finds out what stays as it is because edits of others hold a page back: addresses, funnels, and the pages of its release. Pure. */
import { type JsonMap } from "../../provider/values/json.ts";
import { definitionOf } from "../../provider/kinds/registry.ts";
import { publicUrls, decisive, type Told, urlOf, wantedOf } from "../report/steps.ts";
import type { ChangeOp, Impact, TouchedFunnel, Report, Change, AlsoLive, Warning } from "../report/model.ts";
import { nameOf, type StepEventMetadata, typeOf } from "../../engine/index.ts";
import { type CheckFinding } from "./check.ts";
import { type LearnedRows, placeOf, publicPlaceOf } from "../report/decide.ts";
import { shown } from "../report/values.ts";

/**
 * Visitors of a held page keep seeing it as it is. Its address keeps the object that is there: the run deletes that one only once the page is
 * public.
 */
export function keptForHeld(
  { changes, impact }: Pick<Report, "changes"> & { readonly impact: Impact },
  found: readonly AlsoLive[],
  told: ReadonlyMap<string, Told>,
): {
  readonly touched: Partial<Impact>;
  readonly rows: LearnedRows;
  readonly stays: readonly Warning[];
  readonly blocked: CheckFinding[];
} {
  // A page that is taken over as it is waits for nothing.
  const held = found.filter((one) => one.policy === "hold" && one.asItIs !== true);
  const places = new Map(held.map((one) => [placeOf(wantedOf(told.get(one.urn))?.inputs["publish"]), one]));
  const kept = changes.flatMap((change) => {
    const { outputs = {} } = goingWith(change, told)?.old ?? {};
    const place = publicPlaceOf(outputs);
    const successor = place === undefined ? undefined : places.get(place);
    return successor === undefined ? [] : [{ change, successor, url: urlOf(outputs) ?? "" }];
  });
  const staying = new Set(kept.flatMap(({ url, successor }) => [url, successor.url]));
  const names = namesHeld(
    held.filter(({ noDraft, makesWay }) => noDraft !== true && makesWay !== true),
    told,
  );
  const isHeld = (page: string, effect: ChangeOp): boolean => effect === "update" && names.has(page);
  const going = new Set(changes.flatMap(({ name, op }) => (op === "delete" || op === "replace" ? [name] : [])));
  // A held page keeps its address, and gets no new one.
  const isKept = (page: string): boolean => names.has(page) && !going.has(page);
  const { urls: all, funnels: flows } = impact;
  const urls = all.filter(
    ({ url, page, effect }) =>
      !isHeld(page, effect) && !isKept(page) && (!staying.has(url) || !(effect === "delete" || effect === "create")),
  );
  const left = new Set(held.flatMap(({ urn, noDraft }) => (noDraft === true ? [urn] : [])));
  const leftOrNot = flows.map((flow) => (left.has(flow.urn ?? "") ? asItIs(flow) : flow));
  const funnels = leftOrNot.flatMap(({ pages, steps, ...flow }): TouchedFunnel[] => {
    const changing = pages.filter(({ name, op }) => !isHeld(name, op));
    if (flow.op === undefined && changing.length === 0) return [];
    const shown = steps?.map(({ op, ...step }) =>
      op !== undefined && isHeld(step.to ?? "", op) ? step : { ...step, ...(op && { op }) },
    );
    return [{ ...flow, pages: changing, ...(shown && { steps: shown }) }];
  });
  const leaving = held.filter(({ makesWay, url }) => makesWay === true && url !== undefined);
  const stays = kept.map(({ change: { urn, type, name, op }, successor, url }) => ({
    text: `${op === "replace" ? "the old " : ""}${type} ${name} stays at ${url} until its replacement (${successor.type} ${successor.name}) can be published`,
    urn,
  }));
  return {
    touched: { urls, funnels },
    rows: new Map(releasedWith(held, changes, told).map((urn) => [urn, { held: "draft" }])),
    stays,
    blocked: [
      ...blockedBy(urls, new Map([...publicUrls(told)].filter(([urn]) => isKept(nameOf(urn)))), HELD),
      ...blockedBy(urls, new Map(leaving.map(({ urn, url = "" }) => [urn, url])), GOING),
    ],
  };
}

/** The steps of a funnel are left to somebody who has edited them. Only its pages change. */
function asItIs({ urn, name, steps = [] }: TouchedFunnel): TouchedFunnel {
  return {
    ...(urn !== undefined && { urn }),
    name,
    pages: steps.flatMap(({ to, op }) => (to === undefined || op === undefined ? [] : [{ name: to, op }])),
  };
}

const HELD = "is held back because of edits in the app";
const GOING = "has to go public elsewhere for a moment, with somebody's unpublished edits in its draft";

/** No page can take the address of such a page: that one would have to be published elsewhere, with the edits in its draft. */
function blockedBy(urls: Impact["urls"], staying: ReadonlyMap<string, string>, why: string): CheckFinding[] {
  const holders = new Map([...staying].map(([urn, url]) => [url, nameOf(urn)]));
  return urls.flatMap(({ url, page, effect }) => {
    const holder = effect === "delete" ? undefined : holders.get(url);
    if (holder === undefined) return [];
    const text = `page ${page} can't come to ${url}: page ${holder} is there, and ${why}. Publish or undo these edits in the app`;
    return [{ weight: "hold", text, allowed: "--foreign-edits include" } as const];
  });
}

/** Returns the URNs of the changes that wait with a held page: its release, and the other pages of it. */
function releasedWith(
  held: readonly AlsoLive[],
  changes: readonly Change[],
  told: ReadonlyMap<string, Told>,
): string[] {
  const pages = held.flatMap(({ urn }) => (releaseOf(told.get(urn)) === undefined ? [] : (told.get(urn) ?? [])));
  const releases = new Set(pages.map(releaseOf));
  const ids = new Set(pages.map(({ id }) => id));
  const waits = (one: Told | undefined): boolean => {
    const release = releaseOf(one);
    return release === undefined ? membersOf(one).some((id) => ids.has(id)) : releases.has(release);
  };
  return changes.flatMap(({ urn, op }) => (op !== "delete" && op !== "replace" && waits(told.get(urn)) ? [urn] : []));
}

function membersOf(one: Told | undefined): string[] {
  const gathers = one && definitionOf(typeOf(one.urn))?.gathers;
  return gathers?.memberIds(shown(wantedOf(one)?.inputs ?? {}) as JsonMap) ?? [];
}

/** Returns the names of the held pages. A release is held back as a whole. */
function namesHeld(drafts: readonly AlsoLive[], told: ReadonlyMap<string, Told>): Set<string> {
  const releases = new Set(drafts.map(({ urn }) => releaseOf(told.get(urn))));
  const released = [...told].flatMap(([urn, one]) => {
    const release = releaseOf(one);
    return release !== undefined && releases.has(release) ? [nameOf(urn)] : [];
  });
  return new Set([...drafts.map(({ name }) => name), ...released]);
}

function releaseOf(one: Told | undefined): string | undefined {
  const wanted = wantedOf(one);
  const release = wanted && definitionOf(wanted.type)?.gathered?.waitsFor(wanted.inputs);
  return release === undefined ? undefined : JSON.stringify(release);
}

/** Returns the step that takes an object away. */
function goingWith(
  { urn, op, id = "", stays }: Change,
  told: ReadonlyMap<string, Told>,
): StepEventMetadata | undefined {
  const { steps, leftovers } = told.get(urn) ?? {};
  if (steps === undefined || stays === "in place" || (op !== "delete" && op !== "replace")) return undefined;
  return (op === "delete" ? leftovers?.get(id) : undefined) ?? decisive(steps, op);
}
