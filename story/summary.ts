/** Tells a plan or a drift as somebody reads it who approves pages: losses, then prices, then texts, one line for each distinct change. Pure. */
import { same } from "../provider/values/json.ts";
import { formatPath, type Json, type PropertyPath } from "../engine/index.ts";
import { definitionOf } from "../provider/kinds/registry.ts";
import { counted, listed } from "../provider/values/wording.ts";
import type { Change, Drift, Impact, Report } from "../stack/report/model.ts";
import { nameText } from "../stack/report/text.ts";
import { pathText } from "../stack/report/values.ts";
import { calledBy, HELD, OPS, titleOf } from "../stack/report/words.ts";
import { lostAddresses } from "../stack/report/addresses.ts";
import { reasonText } from "../stack/report/reasons.ts";
import { ATTENTION, markOfChange, sidesOf, type Row, type Section, type Value } from "./model.ts";

export function summaryOf(report: Report): Section[] {
  return sectionsFor(report).filter(({ rows }) => rows.length > 0);
}

/** A comment folds more changes than these, and its summary tells all of them. */
const MOST_UNFOLDED = 5;

export function isLong({ changes, drift }: Pick<Report, "changes" | "drift">): boolean {
  return drift === undefined && changes.length > MOST_UNFOLDED;
}

function sectionsFor({ changes, drift, impact }: Report): Section[] {
  if (drift !== undefined) return [deletedIn(drift), editsIn(drift)];
  const happening = changes.filter(({ status }) => (status ?? "done") === "done");
  const losses = lossesIn(happening);
  const told = [changesOf("prices", changes), changesOf("texts", changes)];
  return [
    ...losses,
    ...(isLong({ changes, drift }) ? [replacedIn(happening), goneAddresses(impact, losses)] : []),
    movesIn(impact),
    ...told,
    ...(isLong({ changes, drift }) ? [othersIn(happening)] : []),
  ];
}

function lossesIn(changes: readonly Change[]): Section[] {
  const going = changes.filter(({ op }) => op === "delete");
  const gone = going.filter(({ stays }) => stays === undefined);
  const staying = going.filter(({ stays }) => stays !== undefined);
  return [
    { id: "losses", title: "Deleted", rows: rowsOf(gone), isSummary: true },
    {
      ...{ id: "staying", title: "Stays in the account", isSummary: true },
      rows: staying.map(({ reason, ...one }) => ({
        text: `${calledBy(one)}${reason === undefined ? "" : `: ${reasonText(reason)}`}`,
      })),
    },
  ];
}

/** The most rows of one kind that are told one by one. */
const MOST_ALIKE = 5;
/** Two long addresses fill several lines of a phone. */
const MOST_ADDRESSES = 3;

function replacedIn(changes: readonly Change[]): Section {
  const rows = rowsOf(changes.filter(({ op }) => op === "replace"));
  return { id: "replaced", title: "Replaced", rows, isSummary: true };
}

/** Returns the changes that no other part of the summary tells. */
function othersIn(changes: readonly Change[]): Section {
  const others = changes.filter(
    (one) => one.op !== "delete" && one.op !== "replace" && (one.op !== "update" || toldOf(one).length === 0),
  );
  return { id: "others", title: "Everything else", rows: rowsOf(others), isSummary: true };
}

/** Tells many changes of one kind in one row. */
function rowsOf(changes: readonly Change[]): Row[] {
  const alike = Map.groupBy(changes, ({ op, type }) => `${op} ${type}`);
  return [...alike.values()].flatMap(alikeRows);
}

function alikeRows(alike: readonly Change[]): Row[] {
  const [first] = alike;
  if (first === undefined || alike.length <= MOST_ALIKE)
    return alike.map((change) => ({
      ...{ mark: markOfChange(change), text: calledBy(change), link: change.url },
      notes: change.reason === undefined ? [] : [reasonText(change.reason)],
    }));
  const names = listed(
    alike.map(({ title, name }) => nameText(title ?? name)),
    3,
  );
  return [{ mark: markOfChange(first), text: `${manyOf(first.type, alike.length)}: ${names}` }];
}

function manyOf(type: string, count: number): string {
  const { what = "resource", plural = "resources" } = definitionOf(type)?.lookup ?? {};
  return counted(count, what, plural);
}

/** Returns the addresses that pages leave for others. */
function movesIn({ urls = [] }: Partial<Impact> = {}): Section {
  const rows = movesOf(urls).map(({ name, url, to }): Row => ({
    text: [`${nameText(name)}: `, { link: url }, " → ", { link: to }],
  }));
  return { id: "moves", title: "Addresses that change", rows: firstOf(rows), isSummary: true };
}

/** Returns the addresses that visitors lose, except those of `losses`. */
function goneAddresses({ urls = [] }: Partial<Impact> = {}, losses: readonly Section[]): Section {
  const moved = movesOf(urls);
  const told = new Set([...losses.flatMap(({ rows }) => rows.map(({ link }) => link)), ...moved.map(({ url }) => url)]);
  const rows = [...lostAddresses(urls)].flatMap((url): Row[] => (told.has(url) ? [] : [{ text: [{ link: url }] }]));
  return { id: "gone", title: "Addresses that go away", rows: firstOf(rows), isSummary: true };
}

function firstOf(rows: readonly Row[]): Row[] {
  const more = rows.length - MOST_ADDRESSES;
  return more > 0 ? [...rows.slice(0, MOST_ADDRESSES), { text: `… and ${more} more, below` }] : [...rows];
}

export function movesOf(urls: Impact["urls"]): { name: string; url: string; to: string }[] {
  const created = new Map(urls.flatMap(({ page: name, url, effect }) => (effect === "create" ? [[name, url]] : [])));
  return urls.flatMap(({ page: name, url, effect }) => {
    const to = effect === "delete" ? created.get(name) : undefined;
    return to === undefined ? [] : [{ name, url, to }];
  });
}

interface Told {
  readonly type: string;
  readonly name: string;
  /** The title, or the type and the name. */
  readonly called: string;
  readonly title: string | undefined;
  readonly site: string | undefined;
  readonly value: Value;
  readonly isHeld: boolean;
}

const TITLES = { prices: "Prices and products", texts: "Texts" };

function changesOf(which: keyof typeof TITLES, changes: readonly Change[]): Section {
  const told = changes.flatMap((change) => (change.op === "update" || change.op === "replace" ? toldOf(change) : []));
  const own = told.filter(({ kind }) => kind === which);
  return { id: which, title: TITLES[which], rows: grouped(own), isSummary: true };
}

/** Returns the texts of a change as visitors read them, and the values of a product. */
function toldOf(change: Change): (Told & { readonly kind: keyof typeof TITLES })[] {
  const { url, fields, rendered = [], type, held } = change;
  const seen = new Map(rendered.map((one) => [formatPath(one.path), one]));
  const isProduct = hasPrice(type);
  const hidden = rendered.filter(({ path }) => !fields.some((field) => formatPath(field.path) === formatPath(path)));
  return [...fields, ...hidden].flatMap((field) => {
    const { path, old, new: now } = { ...field, ...seen.get(formatPath(field.path)) };
    // A release has the texts of its pages, each below the page's name.
    const isText = path.at(-2) === "content" && typeof old === "string" && typeof now === "string";
    if ((!isText && !isProduct) || ("stays" in field && field.stays === true)) return [];
    const isHeld = held !== undefined || ("held" in field && field.held === true);
    const place = "writtenIn" in field ? field.writtenIn : undefined;
    const value = { ...valueOf(path, old, now, place), ...(isHeld && { note: HELD.done }) };
    const about = {
      type,
      name: change.name,
      called: calledBy(change),
      title: change.title,
      site: url === undefined ? undefined : URL.parse(url)?.host,
      isHeld,
    };
    return [{ ...about, value, kind: isProduct ? ("prices" as const) : ("texts" as const) }];
  });
}

function hasPrice(type: string): boolean {
  return definitionOf(type)?.inputs.shape["price"] !== undefined;
}

function valueOf(path: PropertyPath, old: Json | undefined, now: Json | undefined, place?: string): Value {
  const short = shortPath(path);
  return { path: short, short, place: placeText(place), sides: sidesOf(old, now) };
}

/** A reader of a page calls a text by its key. */
function shortPath(path: PropertyPath): string {
  const [field, key, ...more] = path;
  return field === "content" && typeof key === "string" && more.length === 0 ? nameText(key) : pathText(path);
}

/** A column means nothing in a spreadsheet: `copy/offer.csv, line 2`. */
export function placeText(place: string | undefined): string | undefined {
  const [, file, line] = /^(.+?):(\d+)(?::\d+)?$/.exec(place ?? "") ?? [];
  return file === undefined ? place : `${file}, line ${line ?? ""}`;
}

/** Tells the same change of several resources once, with the places where it stands. Changes that are held back come last. */
function grouped(told: readonly Told[]): Row[] {
  const ordered = [...told.filter(({ isHeld }) => !isHeld), ...told.filter(({ isHeld }) => isHeld)];
  const groups = Map.groupBy(ordered, ({ value: { path, sides }, isHeld }) => JSON.stringify([path, sides, isHeld]));
  return [...groups.values()].flatMap(([first, ...more]): Row[] => {
    if (first === undefined) return [];
    return [{ text: where([first, ...more]), values: [first.value] }];
  });
}

function where(told: readonly Told[]): string {
  const places = [...new Map(told.map((one) => [`${one.type} ${one.name}`, one])).values()];
  const sites = new Set(told.flatMap(({ site }) => site ?? []));
  const [first] = places;
  if (first === undefined || places.length === 1) return first?.called ?? "";
  const on = sites.size > 1 ? ` on ${sites.size} sites` : "";
  const titles = new Set(places.map(({ title, name }) => title ?? name));
  // Pages of many languages may have one title.
  const names = (titles.size === places.length ? [...titles] : places.map(({ name }) => name)).map(nameText);
  return `${manyOf(first.type, places.length)}${on} (${listed(names, 3)})`;
}

function deletedIn(drift: readonly Drift[]): Section {
  const rows = drift.filter(({ kind }) => kind === "gone").map((one): Row => ({ mark: ATTENTION, text: titleOf(one) }));
  return { id: "losses", title: "Deleted in the app", rows, isSummary: true };
}

function editsIn(drift: readonly Drift[]): Section {
  const told = drift.flatMap((one) =>
    one.kind !== "changed"
      ? []
      : one.fields.flatMap(({ path, lastRun, live, unpublished }): Told[] =>
          same(lastRun, live)
            ? []
            : [
                {
                  ...{ type: one.type, name: one.name, title: undefined },
                  called: `${titleOf(one)}${unpublished === true ? " (draft, not published)" : ""}`,
                  ...{ site: undefined, isHeld: false, value: valueOf(path, lastRun, live) },
                },
              ],
        ),
  );
  return { id: "edits", title: "Edited in the app", rows: grouped(told), isSummary: true };
}

/** Sorts edits of others before changes that only wait for the next run. */
export function editsFirst(drift: readonly Drift[]): Drift[] {
  const order = ["gone", "changed", "unfinished", "unsettled", "absent", "undeclared"];
  return drift.toSorted((a, b) => order.indexOf(a.kind) - order.indexOf(b.kind));
}

/** Sorts what is lost first, then prices, then everything else by danger. The order stays otherwise. */
export function forPeople(changes: readonly Change[]): Change[] {
  const order = Object.keys(OPS);
  const rank = ({ op, type, stays }: Change): number =>
    order.indexOf(op) * 4 + (stays === undefined ? 0 : 2) + (hasPrice(type) ? 0 : 1);
  return changes.toSorted((a, b) => rank(a) - rank(b));
}
