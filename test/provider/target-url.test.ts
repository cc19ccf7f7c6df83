/** Addresses inside of a network, in every spelling: we refuse them, and so do the service's own rules. */
import { describe, expect, test } from "vitest";
import { checkTarget } from "../../emulator/visitors/hook-rules.ts";
import { targetUrlFault } from "../../provider/api/public-hosts.ts";

const INSIDE = [
  "127.0.0.1",
  "127.255.255.254",
  "10.0.0.1",
  "172.16.5.4",
  "172.31.255.255",
  "192.168.1.1",
  "169.254.169.254",
  "100.64.0.1",
  "0.0.0.0",
  "198.18.0.1",
  "224.0.0.1",
  "255.255.255.255",
];

/** Spellings that may lead a URL parser, a resolver or a proxy to the same address. */
const WRITTEN: Readonly<Record<string, (bytes: readonly number[], dotted: string) => string>> = {
  dotted: (_, dotted) => dotted,
  "with a dot at its end": (_, dotted) => `${dotted}.`,
  decimal: (bytes) => String(numberOf(bytes)),
  hexadecimal: (bytes) => `0x${numberOf(bytes).toString(16)}`,
  octal: (bytes) => `0${numberOf(bytes).toString(8)}`,
  "octal parts": (bytes) => bytes.map((byte) => `0${byte.toString(8)}`).join("."),
  "hexadecimal parts": (bytes) => bytes.map((byte) => `0X${byte.toString(16).toUpperCase()}`).join("."),
  "three parts": ([a = 0, b = 0, c = 0, d = 0]) => `${a}.${b}.${c * 256 + d}`,
  "two parts": ([a = 0, b = 0, c = 0, d = 0]) => `${a}.${(b * 256 + c) * 256 + d}`,
  "full-width digits": (_, dotted) => dotted.replaceAll(/./g, wide),
  "percent-encoded": (_, dotted) => dotted.replaceAll(/./g, (letter) => `%${letter.charCodeAt(0).toString(16)}`),
  "mapped into IPv6": (_, dotted) => `[::ffff:${dotted}]`,
  "mapped, in hexadecimal": (bytes) => `[::ffff:${groups(bytes)}]`,
  "compatible with IPv6": (bytes) => `[::${groups(bytes)}]`,
  "behind NAT64": (bytes) => `[64:ff9b::${groups(bytes)}]`,
};

function numberOf(bytes: readonly number[]): number {
  return bytes.reduce((number, byte) => number * 256 + byte, 0);
}

function wide(letter: string): string {
  return letter === "." ? "。" : String.fromCharCode(letter.charCodeAt(0) + 0xfee0);
}

function groups([a = 0, b = 0, c = 0, d = 0]: readonly number[]): string {
  return `${(a * 256 + b).toString(16)}:${(c * 256 + d).toString(16)}`;
}

const vectors = INSIDE.flatMap((dotted) => {
  const bytes = dotted.split(".").map(Number);
  return Object.entries(WRITTEN).map(([way, write]) => ({ dotted, way, url: `https://${write(bytes, dotted)}/hook` }));
});

test("there are many of them", () => {
  expect(vectors.length).toBeGreaterThanOrEqual(150);
  expect(new Set(vectors.map(({ url }) => url)).size).toBeGreaterThan(150);
});

describe.each(Object.keys(WRITTEN))("%s", (way) => {
  test.each(vectors.filter((vector) => vector.way === way))("$dotted as $url", async ({ url }) => {
    expect(targetUrlFault(url)).toBeDefined();
    await expect(checkTarget(url, { allowLoopback: false, lookup: () => Promise.resolve([]) })).rejects.toThrow(
      "can't be used",
    );
  });
});

test.each(["::1", "::", "fe80::1", "fc00::1", "fd12:3456::1", "ff02::1", "fec0::1", "2001:db8::1"])(
  "IPv6 inside of a network: %s",
  async (address) => {
    expect(targetUrlFault(`https://[${address}]/hook`)).toBeDefined();
    await expect(checkTarget(`https://[${address}]/hook`, { allowLoopback: false })).rejects.toThrow("can't be used");
  },
);

test.each(["http", "ftp", "file", "gopher", "javascript", "data", "ws", "wss"])("the scheme %s", (scheme) => {
  expect(targetUrlFault(`${scheme}://hooks.example.com/hook`)).toBeDefined();
});

const NAMES: readonly (readonly [string, string])[] = [
  ["https://localhost/hook", "localhost is not a public host"],
  ["https://LOCALHOST/hook", "localhost is not a public host"],
  ["https://localhost./hook", "localhost is not a public host"],
  ["https://localhost../hook", "localhost is not a public host"],
  ["https://app.localhost/hook", "localhost is not a public host"],
  ["https://local/hook", ".local hosts are not public"],
  ["https://printer.local/hook", ".local hosts are not public"],
  ["https://printer.local./hook", ".local hosts are not public"],
  ["https://internal/hook", ".internal hosts are not public"],
  ["https://metadata.google.internal/hook", ".internal hosts are not public"],
  ["https://localhost.localdomain/hook", ".localdomain hosts are not public"],
  ["https://printer.localdomain/hook", ".localdomain hosts are not public"],
  ["https://nas.home.arpa/hook", "home.arpa is a network's own"],
  ["https://home.arpa/hook", "home.arpa is a network's own"],
  ["https://intranet/hook", "a host name without a dot is not public"],
  ["https://a..example/hook", "the host name has an empty label"],
  ["https://.example.com/hook", "the host name has an empty label"],
  ["https://./hook", "the URL must name a host"],
  ["https://user@example.com/hook", "the URL must not carry a user name or password"],
  ["https://user:word@example.com/hook", "the URL must not carry a user name or password"],
  ["https://@example.com/hook", "the URL must not carry a user name or password"],
  ["https://example.com@127.0.0.1/hook", "the URL must not carry a user name or password"],
  ["HTTPS://user@example.com", "the URL must not carry a user name or password"],
  ["https://example.com/ho ok", "the URL contains white space or control characters"],
  ["https://example.com/hook\n", "the URL contains white space or control characters"],
  ["https://exa\u0000mple.com/hook", "the URL contains white space or control characters"],
  ["https://exa\tmple.com/hook", "the URL contains white space or control characters"],
  [" https://example.com/hook", "the URL contains white space or control characters"],
  ["http://example.com/hook", "the service refuses http://; use https://"],
  ["HTTP://example.com/hook", "the service refuses http://; use https://"],
  ["ftp://example.com/http://x", "the URL must start with https:// and name a host"],
  ["x-https://example.com/hook", "the URL must start with https:// and name a host"],
  ["https:/example.com/hook", "the URL must start with https:// and name a host"],
  ["https:///example.com/hook", "the URL must start with https:// and name a host"],
  ["https://\\example.com/hook", "the URL must start with https:// and name a host"],
  ["https://", "the URL must start with https:// and name a host"],
  ["", "the URL must start with https:// and name a host"],
  ["https://example.com\\@127.0.0.1/", "the URL contains a backslash; write %5C"],
  ["https://example.com\\hook", "the URL contains a backslash; write %5C"],
  ["https://example.com/a\\b", "the URL contains a backslash; write %5C"],
  ["https://exa<mple.com/hook", "this is not a valid URL"],
  ["https://example.com:99999/hook", "this is not a valid URL"],
  ["https://example.com:0/hook", "no host has port 0"],
  ["https://example.com:00000/hook", "no host has port 0"],
  ["https://api.shop.svc/hook", ".svc hosts are a cluster's own"],
  ["https://168.63.129.16/hook", "the address is not public (a cloud's own)"],
  ["https://0xa83f8110/hook", "the address is not public (a cloud's own)"],
  ["https://10.0.0.1/hook", "the address is not public (private)"],
  ["https://[fe80::1]/hook", "the address is not public (linkLocal)"],
  ["https://[::7f00:1]/hook", "an IPv6 address that wraps an IPv4 address is not a public host"],
  ["https://[::]/hook", "an IPv6 address that wraps an IPv4 address is not a public host"],
];

test.each(NAMES)("%j: %s", (url, fault) => {
  expect(targetUrlFault(url)).toBe(fault);
});

test.each([
  "https://hooks.example.com/leads",
  "HTTPS://Hooks.Example.COM/Leads",
  "https://hooks.example.com./leads",
  "https://hooks.example.com:8443/leads",
  "https://hooks.example.com",
  "https://hooks.example.com?to=@team",
  "https://hooks.example.com#@team",
  "https://hooks.example.com/@team/user:word@x",
  "https://localhost.example.com/leads",
  "https://notlocalhost.example/leads",
  "https://mylocal.example/leads",
  "https://thelocal.se/leads",
  "https://internal.example.com/leads",
  "https://bücher.example/leads",
  "https://8.8.8.8/leads",
  "https://[2606:4700:4700::1111]/leads",
])("%s is public", (url) => {
  expect(targetUrlFault(url)).toBeUndefined();
});
