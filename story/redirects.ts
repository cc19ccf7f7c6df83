/** Writes redirects in the forms of web servers and hosts. Each form escapes everything that its reader would not take for plain text. Pure. */
import type { Redirect } from "../stack/redirects.ts";

export const FORMATS = ["nginx", "netlify", "vercel", "cloudflare", "csv"] as const;
export type Format = (typeof FORMATS)[number];

export function renderRedirects(redirects: readonly Redirect[], format: Format): string {
  return { nginx, netlify, vercel, cloudflare, csv }[format](redirects);
}

/** A map for the whole server. Keys are compared without case, and are no patterns. */
function nginx(redirects: readonly Redirect[]): string {
  const entries = redirects.flatMap(({ from, to }) => nginxKeys(from).map((key) => [key, nginxTarget(to)] as const));
  const distinct = [...new Map(entries.map(([key, target]) => [key.toLowerCase(), [key, target] as const])).values()];
  return [
    "# Redirects of addresses that have moved. Include this file within http { }, and in each server { } of these hosts:",
    "#   if ($landform_moved) { return 301 $landform_moved$is_args$args; }",
    ...nginxSizes(distinct.map(([key]) => key)),
    "map $host$uri $landform_moved {",
    '    default "";',
    ...distinct.map(([key, target]) => `    ${nginxText(key)} ${nginxText(target)};`),
    "}",
    "",
  ].join("\n");
}

/** nginx compares decoded paths. It doesn't serve a path with a character that would break a line of the file. */
function nginxKeys(from: string): string[] {
  const { hostname, pathname } = new URL(from);
  const path = decoded(pathname).replace(/\/{2,}/g, "/");
  if (/\p{Cc}/u.test(path)) return [];
  const bare = path.replace(/\/$/, "");
  return bare === "" ? [`${hostname}/`] : [`${hostname}${bare}`, `${hostname}${bare}/`];
}

function decoded(path: string): string {
  try {
    return decodeURIComponent(path);
  } catch {
    return path;
  }
}

/** A dollar would start a variable, and nothing escapes it. */
function nginxTarget(to: string): string {
  return new URL(to).href.replaceAll("$", "%24");
}

function nginxText(text: string): string {
  return `"${text.replace(/[\\"]/g, String.raw`\$&`)}"`;
}

/** Adds sizes for keys that don't fit into nginx's usual tables. */
function nginxSizes(keys: readonly string[]): string[] {
  const longest = Math.max(0, ...keys.map((key) => Buffer.byteLength(key)));
  const power = (least: number): number => 2 ** Math.ceil(Math.log2(least));
  return [
    ...(longest > 40 ? [`map_hash_bucket_size ${power(longest + 24)};`] : []),
    ...(keys.length > 1_000 ? [`map_hash_max_size ${power(2 * keys.length)};`] : []),
  ];
}

/** `_redirects`: words that are separated by blanks, in which `*` and `:name` are patterns. */
function netlify(redirects: readonly Redirect[]): string {
  const lines = redirects.map(({ from, to }) => `${netlifyUrl(from)}  ${netlifyUrl(to)}  301!`);
  return ["# Redirects of addresses that have moved.", ...lines, ""].join("\n");
}

function netlifyUrl(url: string): string {
  const { origin, pathname, search } = new URL(url);
  return `${origin}${pathname.replaceAll("*", "%2A").replaceAll(":", "%3A")}${search}`;
}

/** `vercel.json`: paths and targets are patterns of path-to-regexp, and hosts are regular expressions. */
function vercel(redirects: readonly Redirect[]): string {
  const rules = redirects.map(({ from, to }) => {
    const { hostname, pathname } = new URL(from);
    return {
      source: pathname.replace(/[\\:*+?(){}[\]]/g, String.raw`\$&`),
      has: [{ type: "host", value: hostname.replaceAll(".", String.raw`\.`) }],
      destination: vercelTarget(to),
      statusCode: 301,
    };
  });
  return `${JSON.stringify({ redirects: rules }, undefined, 2)}\n`;
}

function vercelTarget(to: string): string {
  const { origin, pathname, search } = new URL(to);
  return `${origin}${pathname.replace(/[:*+?(){}[\]]/g, percent)}${search}`;
}

function percent(sign: string): string {
  return `%${sign.charCodeAt(0).toString(16).toUpperCase().padStart(2, "0")}`;
}

/** A list of Bulk Redirects: source, target, status, keep the query. */
function cloudflare(redirects: readonly Redirect[]): string {
  return redirects
    .map(({ from, to }) => `${[new URL(from).href, new URL(to).href, "301", "TRUE"].map(cell).join(",")}\n`)
    .join("");
}

function csv(redirects: readonly Redirect[]): string {
  const rows = redirects.map(({ from, to, since, resource }) => [from, to, since, resource]);
  return [["from", "to", "since", "resource"], ...rows].map((row) => `${row.map(cell).join(",")}\r\n`).join("");
}

/** RFC 4180. */
function cell(text: string): string {
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}
