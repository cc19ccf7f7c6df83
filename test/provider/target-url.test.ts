/** Addresses inside of a network, in every spelling: we refuse them, and so do the service's own rules. */
import { describe, expect, test } from "vitest";
import { checkTarget } from "../../emulator/visitors/hook-rules.ts";
import { targetUrlFault } from "../../provider/api/public-hosts.ts";

const INSIDE = [
  ...["127.0.0.1", "127.255.255.254", "10.0.0.1", "172.16.5.4", "172.31.255.255", "192.168.1.1"],
  ...["169.254.169.254", "100.64.0.1", "0.0.0.0", "198.18.0.1", "224.0.0.1", "255.255.255.255"],
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

const IPV6 = ["::1", "::", "fe80::1", "fc00::1", "fd12:3456::1", "ff02::1", "fec0::1", "2001:db8::1"];
test.each(IPV6)("IPv6 inside of a network: %s", async (address) => {
  expect(targetUrlFault(`https://[${address}]/hook`)).toBeDefined();
  await expect(checkTarget(`https://[${address}]/hook`, { allowLoopback: false })).rejects.toThrow("can't be used");
});

test.each(["http", "ftp", "file", "gopher", "javascript", "data", "ws", "wss"])("the scheme %s", (scheme) => {
  expect(targetUrlFault(`${scheme}://hooks.example.com/hook`)).toBeDefined();
});

/** Each fault with hosts, or with whole URLs, that have it. */
const REFUSED: Readonly<Record<string, readonly string[]>> = {
  "localhost is not a public host": ["localhost", "LOCALHOST", "localhost.", "localhost..", "app.localhost"],
  ".local hosts are not public": ["local", "printer.local", "printer.local."],
  ".internal hosts are not public": ["internal", "metadata.google.internal"],
  ".localdomain hosts are not public": ["localhost.localdomain", "printer.localdomain"],
  "home.arpa is a network's own": ["nas.home.arpa", "home.arpa"],
  "a host name without a dot is not public": ["intranet"],
  "the host name has an empty label": ["a..example", ".example.com"],
  "the URL must name a host": ["."],
  "the URL must not carry a user name or password": [
    ...["user@example.com", "user:word@example.com", "@example.com", "example.com@127.0.0.1"],
    "HTTPS://user@example.com",
  ],
  "the URL contains white space or control characters": [
    ...["https://example.com/ho ok", "https://example.com/hook\n", "exa\u0000mple.com", "exa\tmple.com"],
    " https://example.com/hook",
  ],
  "the service refuses http://; use https://": ["http://example.com/hook", "HTTP://example.com/hook"],
  "the URL must start with https:// and name a host": [
    ...["ftp://example.com/http://x", "x-https://example.com/hook", "https:/example.com/hook"],
    ...["https:///example.com/hook", "https://\\example.com/hook", "https://", ""],
  ],
  "the URL contains a backslash; write %5C": [
    ...["https://example.com\\@127.0.0.1/", "https://example.com\\hook", "https://example.com/a\\b"],
  ],
  "this is not a valid URL": ["exa<mple.com", "example.com:99999"],
  "no host has port 0": ["example.com:0", "example.com:00000"],
  ".svc hosts are a cluster's own": ["api.shop.svc"],
  "the address is not public (a cloud's own)": ["168.63.129.16", "0xa83f8110"],
  "the address is not public (private)": ["10.0.0.1"],
  "the address is not public (linkLocal)": ["[fe80::1]"],
  "an IPv6 address that wraps an IPv4 address is not a public host": ["[::7f00:1]", "[::]"],
};
const refused = Object.entries(REFUSED).flatMap(([fault, places]) =>
  places.map((place) => ({ fault, url: place === "" || place.includes("/") ? place : `https://${place}/hook` })),
);

test.each(refused)("$url: $fault", ({ url, fault }) => expect(targetUrlFault(url)).toBe(fault));

const hosts = [
  ...["hooks.example.com", "hooks.example.com.", "hooks.example.com:8443", "localhost.example.com"],
  ...["notlocalhost.example", "mylocal.example", "thelocal.se", "internal.example.com", "bücher.example"],
  ...["8.8.8.8", "[2606:4700:4700::1111]"],
];

test.each([
  ...hosts.map((host) => `https://${host}/leads`),
  ...["HTTPS://Hooks.Example.COM/Leads", "https://hooks.example.com", "https://hooks.example.com?to=@team"],
  ...["https://hooks.example.com#@team", "https://hooks.example.com/@team/user:word@x"],
])("%s is public", (url) => expect(targetUrlFault(url)).toBeUndefined());
