/** Tells which addresses of a stack have moved where, from its state. Pure. */
import { addressKey, domainsIn, formerIn, publicAddress } from "../provider/values/addresses.ts";
import { isRootStack, nameOf, type PropertyMap, type ResourceState } from "../engine/index.ts";

import { shortName } from "./report/steps.ts";

export interface Redirect {
  from: string;
  to: string;
  /** When the address was left, ISO-8601. */
  since: string;
  /** `Page/offer` */
  resource: string;
}

export type StoredResource = Pick<ResourceState, "urn" | "type" | "id" | "outputs" | "delete">;

/** The present addresses in the account by object id, where they could be asked. */
type LiveAddresses = ReadonlyMap<string, string>;

interface Moves {
  redirects: Redirect[];
  /** Addresses that another object has taken since. */
  taken: string[];
}

export function movesIn(
  resources: readonly StoredResource[],
  live: LiveAddresses,
  domains: ReadonlyMap<string, readonly string[]>,
): Moves {
  const current = resources.filter((one) => one.delete !== true && !isRootStack(one.urn));
  const addressNow = ({ id = "", outputs = {} }: StoredResource) => live.get(id) ?? publicAddress(outputs);
  const sites = [...domains.values()];
  const inUse = new Set(
    [...current.map(addressNow), ...live.values()].flatMap((url) =>
      url ? underDomains(url, sites).map(looseKey) : [],
    ),
  );
  const found = current.flatMap((one) => {
    const to = addressNow(one);
    return to === undefined ? [] : formerIn(one.outputs ?? {}).map(({ url, until }) => redirect(one, url, to, until));
  });
  const isFree = ({ from }: Redirect): boolean => !inUse.has(looseKey(from));
  const taken = found.filter((one) => !isFree(one) && looseKey(one.from) !== looseKey(one.to));
  const everywhere = found.filter(isFree).flatMap((one) => underEachDomain(one, sites));
  return { redirects: latest(everywhere), taken: [...new Set(taken.map(({ from }) => from))] };
}

/** The domains of objects that have several, by id, as states and lists show them. */
export function domainsOf(all: Iterable<readonly [id: string, outputs: PropertyMap]>): Map<string, readonly string[]> {
  const found = [...all].map(([id, outputs]) => [id, domainsIn(outputs)] as const);
  return new Map(found.filter(([, domains]) => domains.length > 1));
}

function redirect({ urn, type }: StoredResource, from: string, to: string, since: string): Redirect {
  return { from, to, since, resource: `${shortName(type)}/${nameOf(urn)}` };
}

/** A path of a site is reached under each of its domains, and moves under each. */
function underEachDomain(one: Redirect, sites: Sites): Redirect[] {
  const { hostname } = new URL(one.from);
  const others = otherDomains(hostname, sites);
  const staysOnSite = new URL(one.to).hostname === hostname;
  return [
    one,
    ...others.map((domain) => ({
      ...one,
      from: onHost(one.from, domain),
      to: staysOnSite ? onHost(one.to, domain) : one.to,
    })),
  ];
}

type Sites = readonly (readonly string[])[];

function otherDomains(hostname: string, sites: Sites): string[] {
  const site = sites.find((domains) => domains.includes(hostname)) ?? [];
  return site.filter((domain) => domain !== hostname);
}

function underDomains(url: string, sites: Sites): string[] {
  const { hostname } = URL.parse(url) ?? {};
  return hostname === undefined ? [url] : [url, ...otherDomains(hostname, sites).map((domain) => onHost(url, domain))];
}

/** Tables of web servers ignore case and compare decoded paths. An address that differs by no more would redirect to itself. */
function looseKey(url: string): string {
  const key = addressKey(url);
  try {
    return decodeURIComponent(key).toLowerCase();
  } catch {
    return key.toLowerCase();
  }
}

function onHost(url: string, hostname: string): string {
  const moved = new URL(url);
  moved.hostname = hostname;
  return moved.href;
}

function latest(all: readonly Redirect[]): Redirect[] {
  const byAddress = new Map<string, Redirect>();
  for (const one of [...all].sort((a, b) => (a.since < b.since ? -1 : 1))) {
    if (looseKey(one.from) !== looseKey(one.to)) byAddress.set(looseKey(one.from), one);
  }
  return [...byAddress.values()].sort((a, b) => (a.from < b.from ? -1 : 1));
}
