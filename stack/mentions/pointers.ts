/** Whether a text points to an address, the way a visitor would follow it. Pure. */

export interface Address {
  /** A whole URL, anywhere in a text. */
  readonly whole: RegExp;
  /** A path that is the whole text, or a link within it: on pages of the same site alone. */
  readonly local: readonly RegExp[];
}

/** `domains`: under which the same site is reached, too. */
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

/** Without a slash nothing points anywhere. */
export function mayPoint(text: string): boolean {
  return text.includes("/");
}

/** The part of the text that points to the address; undefined where nothing does. */
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

/** A slash may follow, and then what ends a path; a full stop ends it only where a sentence ends. */
const END = String.raw`/?(?=$|[?#"'<>\s)\]},;|&\\]|[.!:](?:\s|$))`;

function escaped(text: string): string {
  return text.replace(/[.*+?^${}()|[\]\\/]/g, String.raw`\$&`);
}

function decoded(path: string): string {
  try {
    return decodeURIComponent(path);
  } catch {
    return path;
  }
}

const AROUND = 60;

/** The text around a place in it. */
function excerpt(text: string, index: number): string {
  const from = Math.max(0, index - AROUND);
  const part = text.slice(from, index + 2 * AROUND).toWellFormed();
  return `${from > 0 ? "…" : ""}${part.trim()}${index + 2 * AROUND < text.length ? "…" : ""}`;
}
