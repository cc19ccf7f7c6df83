/**
 * Decides which hosts are public, for the target of a webhook and for a look at a public page. The URL parser of the platform turns
 * decimal, octal, hexadecimal and full-width spellings of an IPv4 address into the dotted one.
 */
import ipaddr from "ipaddr.js";

/** Returns the reason why this host is not public, by its name alone; undefined if it may be public. */
export function hostFault(host: string): string | undefined {
  const bare = host.replace(/^\[|\]$/g, "");
  if (ipaddr.isValid(bare)) return addressFault(bare);
  if (host === "") return "the URL must name a host";
  if (host === "localhost" || host.endsWith(".localhost")) return "localhost is not a public host";
  if (host.endsWith(".localdomain")) return ".localdomain hosts are not public";
  if (host === "home.arpa" || host.endsWith(".home.arpa")) return "home.arpa is a network's own";
  if (host === "local" || host.endsWith(".local")) return ".local hosts are not public";
  if (host === "internal" || host.endsWith(".internal")) return ".internal hosts are not public";
  if (host.endsWith(".svc")) return ".svc hosts are a cluster's own";
  if (!host.includes(".")) return "a host name without a dot is not public";
  if (host.split(".").some((label) => label === "")) return "the host name has an empty label";
  return undefined;
}

/** Azure serves a machine's own data, keys included, at an address of the public ranges (docs of 2026-11). */
const MACHINES_OWN = "168.63.129.16";

/** Returns the same for an address, also for one that a name resolves to. */
export function addressFault(address: string): string | undefined {
  const parsed = ipaddr.parse(address);
  if (parsed.toString() === MACHINES_OWN) return "the address is not public (a cloud's own)";
  const embedded = parsed instanceof ipaddr.IPv6 ? embeddedIPv4(parsed) : undefined;
  if (embedded) return "an IPv6 address that wraps an IPv4 address is not a public host";
  const range = parsed.range();
  return range === "unicast" ? undefined : `the address is not public (${range})`;
}

/** ::a.b.c.d (deprecated, RFC 4291) counts as unicast for the library; the mapped forms have ranges of their own. */
function embeddedIPv4(address: ipaddr.IPv6): boolean {
  return address.parts.slice(0, 6).every((part) => part === 0);
}

/** The service's rules for a webhook's target_url. The service itself checks the addresses of a host's name, before each delivery, too. */

/** Returns the fault of the URL, or undefined. The URL itself is a secret and is not part of the text. */
export function targetUrlFault(target: string): string | undefined {
  if (/[\s\p{Cc}]/u.test(target)) return "the URL contains white space or control characters";
  if (/^http:\/\//i.test(target)) return "the service refuses http://; use https://";
  if (!/^https:\/\/[^/\\]/i.test(target)) return "the URL must start with https:// and name a host";
  // Parsers disagree on whether a backslash ends the host.
  if (target.includes("\\")) return "the URL contains a backslash; write %5C";
  const url = URL.parse(target);
  if (!url) return "this is not a valid URL";
  const authority = /^https:\/\/([^/?#\\]*)/i.exec(target)?.[1] ?? "";
  if (authority.includes("@")) return "the URL must not carry a user name or password";
  if (url.port === "0") return "no host has port 0";
  return hostFault(url.hostname.replace(/\.+$/, "").toLowerCase());
}
