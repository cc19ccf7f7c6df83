/**
 * The service's rules for a webhook's target_url, checked before anything is sent. The URL parser of the platform turns
 * decimal, octal, hexadecimal and full-width spellings of an IPv4 address into the dotted one, so that one look at the
 * address is enough. What a host name resolves to is the service's to check, at creation and before each delivery.
 */
import { hostFault } from "../api/public-hosts.ts";

/** What is wrong with the URL, or undefined. The URL itself is a secret and is not part of the text. */
export function targetUrlFault(target: string): string | undefined {
  if (/[\s\p{Cc}]/u.test(target)) return "the URL contains white space or control characters";
  if (/^http:\/\//i.test(target)) return "http:// is refused by the service; use https://";
  if (!/^https:\/\/[^/\\]/i.test(target)) return "the URL must start with https:// and name a host";
  // Parsers disagree on whether it ends the host.
  if (target.includes("\\")) return "the URL contains a backslash; write %5C";
  const url = URL.parse(target);
  if (!url) return "this is not a valid URL";
  const authority = /^https:\/\/([^/?#\\]*)/i.exec(target)?.[1] ?? "";
  if (authority.includes("@")) return "the URL must not carry a user name or password";
  if (url.port === "0") return "port 0 is nobody's";
  return hostFault(url.hostname.replace(/\.+$/, "").toLowerCase());
}
