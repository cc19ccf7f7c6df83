/** Tells a plan or a drift as somebody reads it who approves pages: losses, then prices, then texts, one line for each distinct change. Pure. */
import { same } from "../provider/values/json.ts";
import { formatPath, type Json, type PropertyPath } from "../engine/index.ts";
import { definitionOf } from "../provider/kinds/registry.ts";
import { counted, listed } from "../provider/values/wording.ts";
import type { Change, Drift, DriftField, Field, Impact, Report } from "../stack/report/model.ts";
import { nameText } from "../stack/report/text.ts";
import { pathText } from "../stack/report/values.ts";
import { calledBy, HELD, OPS, titleOf } from "../stack/report/words.ts";
import { lostAddresses } from "../stack/report/addresses.ts";
import { reasonText } from "../stack/report/reasons.ts";
import { ATTENTION, markOfChange, sidesOf, type Row, type Section, type Value } from "./model.ts";

export function summaryOf({ changes, drift, impact }: Report): Section[] {
  const parts = drift === undefined ? partsOf(changes, impact?.urls ?? []) : partsOfDrift(drift);
  return parts.flatMap(([id, title, rows]) => (rows.length === 0 ? [] : [{ id, title, rows, isSummary: true }]));
}

type Part = readonly [id: string, title: string, rows: readonly Row[]];

/** A comment folds more changes than these, and its summary tells all of them. */
const MOST_UNFOLDED = 5;

export function isLong({ changes, drift }: { readonly changes: readonly Change[]; readonly drift?: unknown }): boolean {
  return drift === undefined && changes.length > MOST_UNFOLDED;
}

function partsOf(changes: readonly Change[], urls: Impact["urls"]): Part[] {
  const whereLong = (rows: () => readonly Row[]): readonly Row[] => (isLong({ changes }) ? rows() : []);
  const happening = changes.filter(({ status = "done" }) => status === "done");
  const going = happening.filter(({ op }) => op === "delete");
  const losses = rowsOf(going.filter(({ stays }) => stays === undefined));
  const told = changes.flatMap(toldOf);
  // No other part of the summary tells these.
  const isOther = (one: Change): boolean => !["delete", "replace"].includes(one.op) && toldOf(one).length === 0;
  return [
    ["losses", "Deleted", losses],
    ["staying", "Stays in the account", going.filter(({ stays }) => stays !== undefined).map(stayingRow)],
    ["replaced", "Replaced", whereLong(() => rowsOf(happening.filter(({ op }) => op === "replace")))],
    ["gone", "Addresses that go away", whereLong(() => goneAddresses(urls, losses))],
    ["moves", "Addresses that change", firstOf(movesOf(urls).map(moveRow))],
    ["prices", "Prices and products", grouped(told.filter(({ isProduct }) => isProduct))],
    ["texts", "Texts", grouped(told.filter(({ isProduct }) => !isProduct))],
    ["others", "Everything else", whereLong(() => rowsOf(happening.filter(isOther)))],
  ];
}

function stayingRow({ reason, ...one }: Change): Row {
  return { text: `${calledBy(one)}${reason === undefined ? "" : `: ${reasonText(reason)}`}` };
}

/** The most rows of one kind that are told one by one. */
const MOST_ALIKE = 5;
/** Two long addresses fill several lines of a phone. */
const MOST_ADDRESSES = 3;

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

function moveRow({ name, url, to }: ReturnType<typeof movesOf>[number]): Row {
  return { text: [`${nameText(name)}: `, { link: url }, " → ", { link: to }] };
}

/** Returns the addresses that visitors lose, except those of `losses`. */
function goneAddresses(urls: Impact["urls"], losses: readonly Row[]): Row[] {
  const told = new Set([...losses.map(({ link }) => link), ...movesOf(urls).map(({ url }) => url)]);
  return firstOf([...lostAddresses(urls)].filter((url) => !told.has(url)).map((link) => ({ text: [{ link }] })));
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

interface Told extends Pick<Change, "type" | "name" | "title"> {
  /** The title, or the type and the name. */
  readonly called: string;
  readonly site?: string | undefined;
  readonly value: Value;
  readonly isHeld: boolean;
  readonly isProduct: boolean;
}

/** Returns the texts of an update or a replacement as visitors read them, and the values of a product. */
function toldOf(change: Change): Told[] {
  const { url, fields, rendered = [], type, name, title, held, op } = change;
  if (op !== "update" && op !== "replace") return [];
  const seen = new Map(rendered.map((one) => [formatPath(one.path), one]));
  const isProduct = hasPrice(type);
  const hidden = rendered.filter(({ path }) => !fields.some((field) => formatPath(field.path) === formatPath(path)));
  const all: readonly Omit<Field, "kind">[] = [...fields, ...hidden];
  return all.flatMap((field): Told[] => {
    const { path, stays, writtenIn } = field;
    const { old, new: now } = seen.get(formatPath(path)) ?? field;
    // A release has the texts of its pages, each below the page's name.
    const isText = path.at(-2) === "content" && typeof old === "string" && typeof now === "string";
    if ((!isText && !isProduct) || stays === true) return [];
    const isHeld = held !== undefined || field.held === true;
    const value = { ...valueOf(path, old, now), place: placeText(writtenIn), note: isHeld ? HELD.done : undefined };
    return [
      { type, name, title, called: calledBy(change), site: URL.parse(url ?? "")?.host, value, isHeld, isProduct },
    ];
  });
}

function hasPrice(type: string): boolean {
  return definitionOf(type)?.inputs.shape["price"] !== undefined;
}

/** A reader of a page calls a text by its key. */
function valueOf(path: PropertyPath, old: Json | undefined, now: Json | undefined): Value {
  const [field, key, ...more] = path;
  const isKey = field === "content" && typeof key === "string" && more.length === 0;
  const short = isKey ? nameText(key) : pathText(path);
  return { path: short, short, sides: sidesOf(old, now) };
}

/** A column means nothing in a spreadsheet: `copy/offer.csv, line 2`. */
export function placeText(place: string | undefined): string | undefined {
  const [, file, line] = /^(.+?):(\d+)(?::\d+)?$/.exec(place ?? "") ?? [];
  return file === undefined ? place : `${file}, line ${line ?? ""}`;
}

/** Tells the same change of several resources once, with the places where it stands. Changes that are held back come last. */
function grouped(told: readonly Told[]): Row[] {
  const ordered = told.toSorted((a, b) => Number(a.isHeld) - Number(b.isHeld));
  const groups = Map.groupBy(ordered, ({ value: { path, sides }, isHeld }) => JSON.stringify([path, sides, isHeld]));
  return [...groups.values()].map((all) => ({ text: where(all), values: all.slice(0, 1).map(({ value }) => value) }));
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

function partsOfDrift(drift: readonly Drift[]): Part[] {
  const deleted = drift.filter(({ kind }) => kind === "gone").map((one) => ({ mark: ATTENTION, text: titleOf(one) }));
  const edits = drift.flatMap((one) =>
    one.kind === "changed" ? one.fields.flatMap((field) => editOf(one, field)) : [],
  );
  return [
    ["losses", "Deleted in the app", deleted],
    ["edits", "Edited in the app", grouped(edits)],
  ];
}

function editOf({ type, name }: Drift, { path, lastRun, live, unpublished }: DriftField): Told[] {
  if (same(lastRun, live)) return [];
  const called = `${titleOf({ type, name })}${unpublished === true ? " (draft, not published)" : ""}`;
  return [{ type, name, called, value: valueOf(path, lastRun, live), isHeld: false, isProduct: false }];
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
