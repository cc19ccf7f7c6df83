import { lookup as systemLookup } from "node:dns/promises";
import { BlockList, isIP } from "node:net";
import { setTimeout as sleep } from "node:timers/promises";
import ipaddr from "ipaddr.js";
import { Refusal } from "../http/errors.ts";

/** Resolves a host name to its addresses. It rejects if there are none. */
export type Lookup = (host: string) => Promise<string[]>;

export interface HookRules {
  /** Allows receivers on loopback, with http as well: for trying and testing. */
  allowLoopback: boolean;
  lookup?: Lookup;
}

const reservedSuffixes = ["localhost", "local", "internal"];

/**
 * Checks a `target_url` and returns the address to connect to, so that the checked and the connected address are the same. `address` is undefined if
 * the host has none. That is no reason to refuse a subscription, but then nothing can be delivered.
 */
export async function checkTarget(
  target: string,
  rules: HookRules,
): Promise<{ url: URL; address: string | undefined }> {
  const url = parse(target);
  const host = hostOf(url);
  const addresses = isIP(host) ? [host] : await resolve(host, rules);
  const loopback = addresses.length > 0 && addresses.every(isLoopback);
  if (rules.allowLoopback && loopback) return { url, address: addresses[0] };
  if (url.protocol !== "https:") throw rejected(target, "it must start with https://");
  const suffix = reservedSuffixes.find((reserved) => host === reserved || host.endsWith(`.${reserved}`));
  if (suffix !== undefined) throw rejected(target, `the host must be public, and ${suffix} is not`);
  if (!isIP(host) && !host.includes("."))
    throw rejected(target, `the host must be public, and ${host} is a local name`);
  const inner = addresses.find((address) => !isPublic(address));
  if (inner !== undefined) throw rejected(target, `the host must be public, and ${host} is at ${inner}`);
  return { url, address: addresses[0] };
}

function parse(target: string): URL {
  const url = URL.parse(target);
  if (url === null) throw rejected(target, "it is not a URL");
  if (url.username !== "" || url.password !== "") throw rejected("", "it must not carry a user name or password");
  if (url.protocol !== "https:" && url.protocol !== "http:") throw rejected(target, "it must start with https://");
  return url;
}

/** Returns the host as the resolver sees it. The URL parser has turned decimal, octal and hexadecimal IPv4 into dotted form. */
function hostOf(url: URL): string {
  return url.hostname.replace(/^\[|\]$/g, "").replace(/\.+$/, "");
}

async function resolve(host: string, { lookup = resolveWithSystem, allowLoopback }: HookRules): Promise<string[]> {
  if (host === "localhost" || host.endsWith(".localhost")) return allowLoopback ? ["127.0.0.1"] : [];
  try {
    return await lookup(host);
  } catch {
    return [];
  }
}

/** Treats a resolver that hangs as a failure: a subscription must not take longer than its caller waits. */
async function resolveWithSystem(host: string): Promise<string[]> {
  const found = systemLookup(host, { all: true });
  return (await Promise.race([found, sleep(3000, [], { ref: false })])).map(({ address }) => address);
}

function isLoopback(address: string): boolean {
  return ipaddr.process(address).range() === "loopback";
}

/** Ranges of IPv6 that carry an IPv4 address. The address inside counts. */
const carriers = new BlockList();
carriers.addSubnet("::", 96, "ipv6");
carriers.addSubnet("64:ff9b::", 96, "ipv6");

function isPublic(address: string): boolean {
  const parsed = ipaddr.process(address);
  if (parsed.range() === "unspecified" || parsed.range() === "loopback") return false;
  if (parsed instanceof ipaddr.IPv6 && carriers.check(parsed.toString(), "ipv6")) {
    return ipaddr.fromByteArray(parsed.toByteArray().slice(12)).range() === "unicast";
  }
  return parsed.range() === "unicast";
}

function rejected(target: string, reason: string): Refusal {
  const which = target === "" ? "The target_url" : `The target_url ${target}`;
  return new Refusal("rejected_hook", `${which} can't be used: ${reason}. Give an HTTPS URL on a public host.`);
}
