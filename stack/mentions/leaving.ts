/** Finds the addresses and objects that go with a plan, and the parts of the program that point to them. Pure. */
import { isRecord, nameOf, type Json, type PropertyMap, type PropertyPath } from "../../engine/index.ts";
import { addressesOf, domainsIn, isPublic, siteOf } from "../report/impact.ts";
import type { Change, Impact, Leaving, Mention } from "../report/model.ts";
import { shortName, urlOf, type Told, wantedOf } from "../report/steps.ts";
import { shown } from "../report/values.ts";

export interface Departure extends Leaving {
  readonly siteId: string | undefined;
  readonly address: Address | undefined;
}

/** `urls`: the addresses that the plan touches, with those that pages leave when they are taken over. */
export function departuresIn(
  changes: readonly Change[],
  told: ReadonlyMap<string, Told>,
  urls: Impact["urls"],
): Departure[] {
  const all = [...told.values()];
  return changes.flatMap((change): Departure[] => {
    const one = told.get(change.urn);
    if (one === undefined || !isPublic(change.type, "address") || change.stays !== undefined) return [];
    const isTaken = change.op === "adopt";
    const addresses = isTaken ? urls.filter(({ page }) => page === change.name) : addressesOf(change, one, all);
    const url = addresses.find(({ effect }) => effect === "delete")?.url;
    const to = url === undefined ? undefined : addresses.find(({ effect }) => effect === "create")?.url;
    const gone = change.op === "delete" || change.op === "replace";
    if (url === undefined && !gone) return [];
    const siteId = isTaken ? siteAt(url ?? "", all) : textOf(one.outputs["siteId"]);
    const site = siteOf(siteId, all);
    return [
      {
        urn: change.urn,
        type: change.type,
        name: change.name,
        id: change.id,
        url,
        to,
        ...(gone ? { gone } : {}),
        mentions: [],
        siteId,
        address: url === undefined ? undefined : addressOf(url, domainsIn(site?.outputs ?? {})),
      },
    ];
  });
}

/** Returns the site of a page that isn't in the state yet, by the stack's other pages of that host. */
function siteAt(url: string, all: readonly Told[]): string | undefined {
  const host = URL.parse(url)?.host;
  const there = all.find(({ outputs }) => host !== undefined && URL.parse(urlOf(outputs) ?? "")?.host === host);
  return textOf(there?.outputs["siteId"]);
}

function textOf(value: Json | undefined): string | undefined {
  return typeof value === "string" ? value : undefined;
}

/** Finds mentions in the program's own texts: those that change along, and those that stay. They are grouped by departure, in the same order. */
export function declaredMentions(departures: readonly Departure[], told: ReadonlyMap<string, Told>): Mention[][] {
  const found = departures.map((): Mention[] => []);
  const ids = goneIds(departures);
  for (const one of told.values()) {
    const steps = [...one.steps.values()];
    const now = wantedOf(one)?.inputs;
    if (now === undefined) continue;
    const then = steps.find((step) => step.old !== undefined)?.old?.inputs ?? {};
    const [said, saidThen] = [now, then].map((inputs) => candidatesIn(visibleInputs(inputs), ids));
    const about = {
      urn: one.urn,
      type: shortName(steps[0]?.type ?? ""),
      name: nameOf(one.urn),
      ...(one.id === "" ? {} : { id: one.id }),
    };
    for (const [index, departure] of departures.entries()) {
      const sameSite = isOn(one.outputs, departure);
      const stays = pointersIn(said ?? [], departure, sameSite);
      const left = one.urn === departure.urn ? [] : pointersIn(saidThen ?? [], departure, sameSite);
      const kept = new Set(stays.map(({ path }) => path.join("\0")));
      // A place that the code no longer has points nowhere.
      const follows = left.filter(({ path }) => !kept.has(path.join("\0")) && isThere(visibleInputs(now), path));
      found[index]?.push(
        ...follows.map((pointer): Mention => ({ kind: "follows", ...about, ...pointer })),
        ...stays.map((pointer): Mention => ({ kind: "stays", ...about, ...pointer })),
      );
    }
  }
  return found;
}

function isThere(inputs: PropertyMap, path: PropertyPath): boolean {
  const value = path.reduce<unknown>(
    (here, step) => (typeof here === "object" && here !== null ? Reflect.get(here, step) : undefined),
    inputs,
  );
  return value !== undefined;
}

/** Tells if the code declares the value at a path. `perKey`: true for an input of which single keys are declared. */
export function isDeclared(inputs: PropertyMap, path: PropertyPath, perKey: (input: string) => boolean): boolean {
  const [input, key] = path.map(String);
  if (input === undefined || !(input in inputs)) return false;
  const value = shown(inputs[input] ?? null);
  return !perKey(input) || key === undefined || !isRecord(value) || key in value;
}

interface Pointer {
  path: PropertyPath;
  text?: string;
}

interface Candidate {
  path: PropertyPath;
  value: string;
}

export function goneIds(departures: readonly Departure[]): ReadonlySet<string> {
  return new Set(departures.flatMap(({ id, gone }) => (gone === true && id !== undefined ? [id] : [])));
}

/** The texts within a value that could point to another object. */
export function candidatesIn(value: Json, ids: ReadonlySet<string>, path: PropertyPath = []): Candidate[] {
  if (typeof value === "string") return mayPoint(value) || ids.has(value) ? [{ path, value }] : [];
  if (Array.isArray(value)) return value.flatMap((item, index) => candidatesIn(item, ids, [...path, index]));
  if (!isRecord(value)) return [];
  return Object.entries(value).flatMap(([key, item]) => candidatesIn(item, ids, [...path, key]));
}

export function pointersIn(
  candidates: readonly Candidate[],
  { gone, id, address }: Departure,
  sameSite: boolean,
): Pointer[] {
  return candidates.flatMap(({ path, value }): Pointer[] => {
    if (gone === true && value === id && meansId(value, path)) return [{ path }];
    const text = address && pointerIn(value, address, { sameSite });
    return text === undefined ? [] : [{ path, text }];
  });
}

/** A number in a text is a price or a count, even if an object has such an id. It refers to an object only in a field that holds an id. */
function meansId(value: string, path: PropertyPath): boolean {
  return !NUMBER.test(value) || REFERS.test(String(path.at(-1)));
}

const NUMBER = /^\d{1,9}$/;
/** `pageId`, `page_id`, `duplicateOf`. Keys of texts don't match, because they have dots. */
const REFERS = /^\w*(Id|_id|Of)$/;

export function isOn(outputs: PropertyMap, { siteId }: Departure): boolean {
  return siteId !== undefined && outputs["siteId"] === siteId;
}

function visibleInputs(inputs: PropertyMap): PropertyMap {
  return shown(inputs) as PropertyMap;
}

interface Address {
  /** Matches a whole URL, anywhere in a text. */
  readonly whole: RegExp;
  /** Matches a path that is the whole text, or a link within it. It counts only on pages of the same site. */
  readonly local: readonly RegExp[];
}

/** `domains`: other domains of the same site. */
export function addressOf(url: string, domains: readonly string[] = []): Address | undefined {
  const parsed = URL.parse(url);
  if (parsed === null) return undefined;
  const port = parsed.port === "" ? "" : `:${parsed.port}`;
  const others = domains.includes(parsed.hostname) ? domains.map((domain) => `${domain}${port}`) : [];
  const hosts = [...new Set([parsed.host, ...others])].map(escaped).join("|");
  const path = parsed.pathname.replace(/^\/+|\/+$/g, "");
  const paths = [...new Set([path, decoded(path)])].map(escaped).join("|");
  const [way, local] = path === "" ? ["/*", "/"] : [`/+(?:${paths})`, `/(?:${paths})`];
  const anywhere = (form: string): RegExp => new RegExp(form, "i");
  return {
    whole: anywhere(`//(?:${hosts})${way}${END}`),
    local: [anywhere(`^\\s*${local}${END}\\S*\\s*$`), anywhere(`(?:=\\s*["']?|\\]\\()${local}${END}`)],
  };
}

/** A text without a slash points nowhere. */
function mayPoint(text: string): boolean {
  return text.includes("/");
}

/** Returns the part of the text that points to the address; undefined if none does. */
export function pointerIn(
  text: string,
  { whole, local }: Address,
  { sameSite }: { sameSite: boolean },
): string | undefined {
  const plain = text.replaceAll("\\/", "/");
  for (const form of [whole, ...(sameSite ? local : [])]) {
    const found = form.exec(plain);
    if (found) return excerpt(plain, found.index);
  }
  return undefined;
}

/** A slash may follow, and then a character that ends a path. A full stop ends it only at the end of a sentence. */
const END = String.raw`/?(?=$|[?#"'<>\s)\]},;|&\\]|[.!:](?:\s|$))`;

function escaped(text: string): string {
  return text.replace(/[.*+?^${}()|[\]\\/]/g, String.raw`\$&`);
}

export function decoded(path: string): string {
  try {
    return decodeURIComponent(path);
  } catch {
    return path;
  }
}

const AROUND = 60;

function excerpt(text: string, index: number): string {
  const from = Math.max(0, index - AROUND);
  const part = text.slice(from, index + 2 * AROUND).toWellFormed();
  return `${from > 0 ? "…" : ""}${part.trim()}${index + 2 * AROUND < text.length ? "…" : ""}`;
}
