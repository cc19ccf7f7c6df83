/** Finds the parts of a plan that visitors see. Pure. */
import { isRecord, isSecret, type Json, nameOf, type PropertyMap, typeOf } from "../../engine/index.ts";
import { operations } from "../../provider/api/index.ts";
import type { AnyDefinition } from "../../provider/definition/define.ts";
import { refersTo, schemaBelow } from "../../provider/definition/schema-walk.ts";
import { definitionOf } from "../../provider/kinds/registry.ts";
import type { Collector } from "./collect.ts";
import { isAsItIs, oldOf } from "./decide.ts";
import { LATER, type Change, type FunnelStep, type Impact, type TouchedFunnel, type ChangeOp } from "./model.ts";
import { decisive, operationOf, type Told, publicUrls, releasedIn, wantedOf } from "./steps.ts";
import { type JsonMap, mapOf, same, text } from "../../provider/values/json.ts";
import { shown } from "./values.ts";

import { domainsIn, normalSlug, rootOfSite } from "../../provider/values/addresses.ts";

export function impactOf(collector: Collector): Impact {
  const changes = collector.changes();
  const moving = changes.filter(({ held, reason }) => held === undefined && reason?.code !== "takes edits");
  const scopes = scopesFor(moving);
  // Before any change, the run asks whose key it is.
  const needed = scopes.length === 0 ? [] : [...operations.getAccount.scopes, ...scopes];
  return { urls: urlsOf(collector, moving), funnels: funnelsOf(collector, moving), scopes: needed };
}

export function isPublic(type: string, how: AnyDefinition["public"]): boolean {
  return definitionOf(type)?.public === how;
}

function urlsOf({ told }: Collector, changes: readonly Change[]): Impact["urls"] {
  const own = changes.flatMap((change) => {
    const one = told.get(change.urn);
    if (one === undefined || !isPublic(change.type, "address")) return [];
    return addressesOf(change, one, [...told.values()]).map((entry) => ({ ...entry, page: change.name }));
  });
  return [...own, ...changes.flatMap((change) => alongWith(change, told, changes))];
}

/** Returns the addresses of pages that a release publishes although this run writes nothing of them: an earlier run wrote their drafts. */
function alongWith({ urn, op }: Change, told: ReadonlyMap<string, Told>, changes: readonly Change[]): Impact["urls"] {
  const release = told.get(urn);
  const step = release && decisive(release.steps, op);
  const gathers = step && definitionOf(step.type)?.gathers;
  if (step?.new === undefined || gathers === undefined || (op !== "create" && op !== "update")) return [];
  const members = new Set(gathers.memberIds(shown(step.new.inputs) as JsonMap));
  const published = releasedIn(step.old?.outputs ?? {});
  const all = [...told.values()];
  const pages = all.filter((one) => members.has(one.id) && !changes.some((change) => change.urn === one.urn));
  return pages.flatMap((page) => {
    const { status, hasUnpublishedChanges } = page.outputs;
    const isNew = status !== "published" && published[page.id] === undefined;
    const place = publishOf(page, "new") ?? publishOf(page, "old");
    if (place === undefined || !(isNew || hasUnpublishedChanges === true)) return [];
    return [{ url: addressFor(place, all), effect: isNew ? "create" : "update", page: nameOf(page.urn) }];
  });
}

type Address = Pick<Impact["urls"][number], "url" | "effect" | "on" | "mayMove">;

/** A page that moves has two addresses. A page that stays in the account stays public at its address. */
export function addressesOf(change: Change, one: Told, all: readonly Told[]): Address[] {
  const { op, url: told, stays } = change;
  const { stay, movesAside } = oldOf(change);
  if (stays === "in place") return [];
  const wanted = op === "delete" ? undefined : publishOf(one, "new");
  const next = wanted && addressFor(wanted, all);
  const coming = { ...(next?.startsWith("/") === true && siteToCome(one, all)), effect: "create" as const };
  const last = [...one.steps.values()].findLast(({ old }) => old !== undefined)?.old?.outputs ?? {};
  const before = placeBefore(one, last);
  // A page whose slug is secret has a secret address.
  const isHidden = last["status"] === "published" && isSecret(last["url"]);
  const url = told ?? (isHidden ? addressFor(before, all) : undefined);
  if (url === undefined || (stay === "in place" && movesAside !== true))
    return next === undefined ? [] : [{ ...coming, url: next, ...(op === "adopt" && { effect: op }) }];
  if (op === "delete" || (op === "replace" && next === undefined)) return [{ url, effect: "delete" }];
  if (wanted?.slug === LATER) return [{ url, effect: op, mayMove: true }];
  const moves = wanted && (normalSlug(wanted.slug) !== normalSlug(before.slug) || wanted.siteId !== before.siteId);
  if (next === undefined || moves !== true) return [{ url, effect: op }];
  return [
    { url, effect: "delete" },
    { ...coming, url: next },
  ];
}

/** An earlier run may have held the page back, so that it is not where the code said. `last`: the outputs before the last step. */
function placeBefore(one: Told, last: PropertyMap): Publish {
  const isKnown = last["status"] === "published" && typeof last["slug"] === "string";
  return isKnown ? asPublish(last) : (publishOf(one, "old") ?? asPublish(one.outputs));
}

interface Publish {
  siteId: Json | undefined;
  slug: string;
}

/** Returns the declared public place before and after the last step, because a refresh found the live one. */
export function publishOf({ steps }: Told, side: "old" | "new"): Publish | undefined {
  const states = [...steps.values()].reverse().flatMap((step) => step[side] ?? []);
  const publish = states.map(({ inputs }) => shown(inputs["publish"] ?? null)).find(isRecord);
  return publish && asPublish(publish);
}

function asPublish({ siteId, slug }: PropertyMap): Publish {
  return { siteId, slug: text(slug).replace(/^\/+/, "") };
}

function addressFor({ siteId, slug }: Publish, all: readonly Told[]): string {
  const known = typeof siteId === "string" && siteId !== LATER;
  return `${(known ? rootOf(siteId, all) : undefined) ?? "/"}${slug}`;
}

/** Returns the name that the site of a page will have, if this run makes the site. It has no address before. */
function siteToCome(one: Told, all: readonly Told[]): Pick<Address, "on"> {
  const meant = wantedOf(one)?.propertyDependencies?.["publish"];
  const [kind] = refersTo(["publish", "siteId"].reduce<unknown>(schemaBelow, definitionOf(typeOf(one.urn))?.inputs));
  const isSite = ({ urn }: Told): boolean => definitionOf(typeOf(urn))?.collection?.what === kind;
  const place = all.find((other) => meant?.includes(other.urn) === true && isSite(other));
  if (place === undefined) return {};
  const name = wantedOf(place)?.inputs["name"];
  return { on: typeof name === "string" ? name : nameOf(place.urn) };
}

/** Looks for the site itself only if no page on it tells. */
function rootOf(siteId: string, all: readonly Told[]): string | undefined {
  const own = rootOfSite(siteId, outputsOf(all));
  if (own !== undefined) return own;
  const site = siteOf(siteId, all)?.outputs ?? {};
  const [host] = domainsIn(site);
  return host === undefined ? undefined : (rootOfSite(siteId, outputsOf(all), site) ?? `https://${host}/`);
}

function* outputsOf(all: readonly Told[]): Generator<PropertyMap> {
  for (const { outputs } of all) yield outputs;
}

/** Returns the resource of a site by its id. Pages show its domain, too, and are left out. */
export function siteOf(siteId: string | undefined, all: readonly Told[]): Told | undefined {
  return all.find(
    ({ urn, id, outputs }) =>
      id !== "" && id === siteId && !isPublic(typeOf(urn), "address") && domainsIn(outputs).length > 0,
  );
}

function funnelsOf({ told }: Collector, changes: readonly Change[]): TouchedFunnel[] {
  const pages = changes.filter(({ id, type }) => id !== undefined && isPublic(type, "address"));
  const byId = new Map(pages.map((page) => [page.id ?? "", page]));
  const flows = changes.filter(({ type, stays }) => isPublic(type, "flow") && stays !== "in place");
  const direct = new Map(flows.map((change) => [change.urn, change]));
  return [...told.values()].flatMap((one): TouchedFunnel[] => {
    const { urn } = one;
    if (!isPublic(typeOf(urn), "flow")) return [];
    const [then, now] = [stepsOf(one, "old"), stepsOf(one, "new")];
    const steps = now.map((step) => stepAs(step, told, byId));
    const { op, stays } = direct.get(urn) ?? {};
    const about = { urn, name: nameOf(urn), ...(op && { op }), ...(stays && { stays }) };
    if (op === undefined) {
      const touched = then.flatMap(({ pageId }) => (typeof pageId === "string" ? (byId.get(pageId) ?? []) : []));
      return touched.length === 0
        ? []
        : [{ ...about, pages: touched.map(({ name, op: does }) => ({ name, op: does })), steps }];
    }
    if (op === "delete") return [{ ...about, pages: [] }];
    const left = op === "update" ? lostSteps(then, now) : [];
    const lost = left.map((at) => ({ ...stepAs(then[at] ?? {}, told, byId), at: at + 1 }));
    return [{ ...about, pages: [], steps, lost }];
  });
}

function stepsOf({ steps }: Told, side: "old" | "new"): PropertyMap[] {
  const all = [...steps.values()];
  const state = (side === "old" ? all : all.toReversed()).find((step) => step[side] !== undefined)?.[side];
  const list = shown(state?.inputs["steps"] ?? null);
  return Array.isArray(list) ? list.filter(isRecord) : [];
}

/** Returns the steps of a funnel as the state has them. */
export function flowOf(one: Told, told: ReadonlyMap<string, Told>): FunnelStep[] {
  return stepsOf(one, "old").map((step) => stepAs(step, told, new Map()));
}

function lostSteps(then: readonly PropertyMap[], now: readonly PropertyMap[]): number[] {
  const isKept = ({ pageId, url, pageType }: PropertyMap): boolean =>
    now.some((one) =>
      one["pageId"] === LATER ? one["pageType"] === pageType : same([one["pageId"], one["url"]], [pageId, url]),
    );
  return [...then.keys()].filter((at) => !isKept(then[at] ?? {}));
}

/** A step whose page is made in this plan has no id yet. */
function stepAs(step: PropertyMap, told: ReadonlyMap<string, Told>, changes: ReadonlyMap<string, Change>): FunnelStep {
  const { pageId, url, pageType } = step;
  const type = text(pageType);
  if (typeof url === "string") return { pageType: type, to: url };
  if (typeof pageId !== "string" || pageId === LATER) return { pageType: type };
  const page = [...told.values()].find(({ id, urn }) => id === pageId && isPublic(typeOf(urn), "address"));
  const change = changes.get(pageId);
  const about = page === undefined ? { to: pageId } : { to: nameOf(page.urn), urn: page.urn };
  return { pageType: type, ...about, ...(change && { op: change.op }) };
}

/** The pages that are certainly public after the run, and those that it published. `planned` alone has asked what an adoption changes. */
export function publishedUrls(collector: Collector, planned: readonly Change[]): { all: string[]; now: string[] } {
  const ended = new Map(collector.changes().map(({ urn, status }) => [urn, status]));
  const certain = ({ urn, steps }: Told): boolean => {
    const deleted = steps.has("delete") && !steps.has("create");
    return !deleted && ["done", undefined].includes(ended.get(urn));
  };
  const known = publicUrls(collector.told);
  const moved = new Map(
    collector.notices.flatMap((one) => (one.code === "of-kind" && one.url !== undefined ? [[one.id, one.url]] : [])),
  );
  const urlNow = ({ urn, id }: Told): string | undefined => known.get(urn) && (moved.get(id) ?? known.get(urn));
  const all = [...collector.told.values()].filter(certain);
  const along = new Set(
    collector.notices.flatMap((one) => (one.code === "foreign-edits" && one.outcome === "included" ? one.id : [])),
  );
  const unwritten = new Set(planned.flatMap((one) => (isAsItIs(one) && !along.has(one.id ?? "") ? [one.urn] : [])));
  const written = new Set(
    collector
      .changes()
      .flatMap(({ id, status, held }) => (id !== undefined && status === "done" && held === undefined ? [id] : [])),
  );
  const now = all.filter(({ urn }) => !unwritten.has(urn)).flatMap((one) => publishedBy(one, urlNow(one), written));
  const every = all.flatMap((one) => [urlNow(one) ?? [], Object.values(releasedIn(one.outputs))].flat());
  return { all: [...new Set(every)], now: [...new Set(now)] };
}

/** A publication moves a page's date. A release tells the addresses of its pages. `written`: the ids of objects that this run wrote. */
function publishedBy(one: Told, url: string | undefined, written: ReadonlySet<string>): string[] {
  const { urn, steps, outputs } = one;
  const op = operationOf(steps);
  if (op === undefined || op === "delete") return [];
  const before = decisive(steps, op)?.old?.outputs ?? {};
  const then = releasedIn(before);
  const released = Object.entries(releasedIn(outputs)).flatMap(([id, one]) =>
    written.has(id) || then[id] !== one ? [one] : [],
  );
  // Nobody knows the date from before an adoption. Only a page that we have published has our record.
  const { digests } = mapOf(outputs["__landform"]);
  const isOurs = op !== "adopt" || definitionOf(typeOf(urn))?.shown.hasPublished?.(mapOf(digests)) === true;
  // Somebody may have published a page that the code doesn't publish.
  const isDeclared = publishOf(one, "new") !== undefined;
  const isDated = typeof outputs["publishedAt"] === "string";
  const isMoved = isDated ? outputs["publishedAt"] !== before["publishedAt"] : written.has(one.id);
  return isOurs && isDeclared && url !== undefined && isMoved ? [url, ...released] : released;
}

/** The needed scopes, sorted. If any of several scopes is enough and none of them is needed anyway, they are joined by ` or `. */
export function scopesFor(changes: readonly Change[]): string[] {
  const wanted = changes.flatMap(alternativesFor);
  const certain = new Set(wanted.flatMap((scopes) => (scopes.length === 1 ? scopes : [])));
  const open = wanted.filter((scopes) => scopes.length > 1 && !scopes.some((scope) => certain.has(scope)));
  return [...new Set([...certain, ...open.map((scopes) => scopes.join(" or "))])].sort();
}

function alternativesFor(change: Change): (readonly string[])[] {
  const definition = definitionOf(change.type);
  if (!definition) return [];
  const told = definition.plan.scopes?.(
    (field) => change.fields.find(({ path }) => path.length === 1 && path[0] === field)?.new,
  );
  if (told) return [told];
  const { calls } = definition;
  const steps: Exclude<ChangeOp, "replace">[] = change.op === "replace" ? ["create", "delete"] : [change.op];
  const names = steps.flatMap((step) => calls[step]);
  const publishes = change.fields.some(({ path }) => path[0] === "publish") || change.url !== undefined;
  const all = publishes && change.op !== "delete" ? [...names, ...(calls.publish ?? [])] : names;
  return all.map((name) => operations[name].scopes);
}
