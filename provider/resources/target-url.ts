/**
 * The service's rules for a webhook's target_url, checked before anything is sent. The URL parser of the platform turns
 * decimal, octal, hexadecimal and full-width spellings of an IPv4 address into the dotted one, so that one look at the
 * address is enough. What a host name resolves to is the service's to check, at creation and before each delivery.
 */
import ipaddr from "ipaddr.js";

/** What is wrong with the URL, or undefined. The URL itself is a secret and is not part of the text. */
export function targetUrlFault(target: string): string | undefined {
  if (/[\s\p{Cc}]/u.test(target)) return "the URL contains white space or control characters";
  if (/^http:\/\//i.test(target)) return "http:// is refused by the service; use https://";
  if (!/^https:\/\/[^/\\]/i.test(target)) return "the URL must start with https:// and name a host";
  const url = URL.parse(target);
  if (!url) return "this is not a valid URL";
  const authority = /^https:\/\/([^/?#\\]*)/i.exec(target)?.[1] ?? "";
  if (authority.includes("@")) return "the URL must not carry a user name or password";
  return hostFault(url.hostname.replace(/\.+$/, "").toLowerCase());
}

function hostFault(host: string): string | undefined {
  const bare = host.replace(/^\[|\]$/g, "");
  if (ipaddr.isValid(bare)) return addressFault(bare);
  if (host === "") return "the URL must name a host";
  if (host === "localhost" || host.endsWith(".localhost")) return "localhost is not a public host";
  if (host === "local" || host.endsWith(".local")) return ".local hosts are not public";
  if (host === "internal" || host.endsWith(".internal")) return ".internal hosts are not public";
  if (!host.includes(".")) return "a host name without a dot is not public";
  if (host.split(".").some((label) => label === "")) return "the host name has an empty label";
  return undefined;
}

function addressFault(address: string): string | undefined {
  const parsed = ipaddr.parse(address);
  const embedded = parsed instanceof ipaddr.IPv6 ? embeddedIPv4(parsed) : undefined;
  if (embedded) return "an IPv6 address that wraps an IPv4 address is not a public host";
  const range = parsed.range();
  return range === "unicast"
    ? undefined
    : `the address is not public (${range}), and the service refuses such receivers`;
}

/** ::a.b.c.d (deprecated, RFC 4291) counts as unicast for the library; the mapped forms have ranges of their own. */
function embeddedIPv4(address: ipaddr.IPv6): boolean {
  return address.parts.slice(0, 6).every((part) => part === 0);
}
