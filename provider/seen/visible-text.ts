/**
 * The texts of a page: those without tags, scripts and styles, and those in its attributes. White space doesn't count, nor how a quotation
 * mark or a dash is drawn: services set both as they like. Pure, and linear in the size of the page.
 */
export class VisibleText {
  readonly #text: string;

  constructor(html: string) {
    this.#text = textOf(html);
  }

  /** True if the page says something of its own. A page that a browser has to make first has a title, and a line for visitors without a browser. */
  get speaks(): boolean {
    return this.#text.length > LONGEST_STUB;
  }

  /** Returns how often the page says this: the text as it is, without its own tags, or without the marks of Markdown. */
  count(text: string): number {
    return Math.max(...formsOf(text).map((form) => occurrences(this.#text, form)));
  }
}

const LONGEST_STUB = 250;

/** Tells if a text is fit to be looked for: words or a number, no address, no colour, no code. */
export function isTelling(text: string): boolean {
  const bare = text.trim();
  if (formsOf(text).every((form) => form.length < 2) || !/[\p{L}\p{N}]/u.test(bare)) return false;
  if (/^([a-z][a-z\d+.-]*:|\/\/|#|\.{0,2}\/)\S*$/i.test(bare) || /^\S+@\S+$/.test(bare)) return false;
  return !/^(true|false|null|[{[][^]*[}\]])$/.test(bare) && !/^[\w-]+(\.[\w-]+)+(\/\S*)?$/.test(bare);
}

function formsOf(text: string): string[] {
  const markdown = text.replace(/!?\[([^\]]*)\]\([^)]*\)/g, "$1").replace(/^\s*(#+|[-*+>]|\d+\.)\s+|[*_`~]/gm, "");
  const forms = [squeezed(text), squeezed(decoded(text)), textOf(text), squeezed(markdown)];
  return [...new Set(forms)].filter((form) => form !== "");
}

function occurrences(text: string, part: string): number {
  let count = 0;
  for (let at = text.indexOf(part); at >= 0; at = text.indexOf(part, at + part.length)) count++;
  return count;
}

/** No word goes on between a text and an attribute. */
const APART = "\n";

function textOf(html: string): string {
  const texts: string[] = [];
  const attributes: string[] = [];
  let at = 0;
  while (at < html.length) {
    const start = html.indexOf("<", at);
    if (start < 0) break;
    texts.push(html.slice(at, start));
    const next = tagAt(html, start);
    if (next === undefined) {
      texts.push("<");
      at = start + 1;
      continue;
    }
    for (const value of next.attributes) attributes.push(value);
    at = next.end;
  }
  texts.push(html.slice(at));
  const said = squeezed(decoded(texts.join("")));
  return [said, ...attributes.map((value) => squeezed(decoded(value)))].filter((part) => part !== "").join(APART);
}

interface Tag {
  readonly attributes: readonly string[];
  /** Behind the tag, and behind its inside if that is no text. */
  readonly end: number;
}

const SILENT = ["script", "style", "template"];

/** Returns the tag; undefined if "<" is a character of a text. A tag that never ends takes the rest. */
function tagAt(html: string, start: number): Tag | undefined {
  if (html.startsWith("<!--", start)) return { attributes: [], end: behind(html, "-->", start + 4) };
  if (!/[a-z/!?]/i.test(html.charAt(start + 1))) return undefined;
  const attributes: string[] = [];
  let at = start + 1;
  while (at < html.length && html[at] !== ">") {
    const quote = html[at];
    if (quote !== '"' && quote !== "'") at++;
    else {
      const end = html.indexOf(quote, at + 1);
      if (end < 0) return { attributes, end: html.length };
      attributes.push(html.slice(at + 1, end));
      at = end + 1;
    }
  }
  const name = /^[a-z]+/i.exec(html.slice(start + 1, start + 12))?.[0].toLowerCase() ?? "";
  if (!SILENT.includes(name)) return { attributes, end: at + 1 };
  return { attributes, end: endOf(html, name, at + 1) };
}

function endOf(html: string, name: string, from: number): number {
  const close = new RegExp(`</${name}`, "gi");
  close.lastIndex = from;
  const found = close.exec(html);
  return found ? behind(html, ">", found.index) : html.length;
}

function behind(html: string, text: string, from: number): number {
  const found = html.indexOf(text, from);
  return found < 0 ? html.length : found + text.length;
}

const DRAWN: readonly (readonly [RegExp, string])[] = [
  [/[‘’‚‛′]/g, "'"],
  [/[“”„‟«»″]/g, '"'],
  [/[‐‑‒–—−]/g, "-"],
  [/…/g, "..."],
  [/[\s\u00ad\u200b-\u200d\u2060\ufeff]+/g, ""],
];

function squeezed(text: string): string {
  return DRAWN.reduce((rest, [drawn, plain]) => rest.replace(drawn, plain), text.normalize("NFC"));
}

/** The names of characters from U+00A0 on, in the order of Unicode. */
const LATIN_1 =
  "nbsp iexcl cent pound curren yen brvbar sect uml copy ordf laquo not shy reg macr deg plusmn sup2 sup3 acute micro para " +
  "middot cedil sup1 ordm raquo frac14 frac12 frac34 iquest Agrave Aacute Acirc Atilde Auml Aring AElig Ccedil Egrave Eacute " +
  "Ecirc Euml Igrave Iacute Icirc Iuml ETH Ntilde Ograve Oacute Ocirc Otilde Ouml times Oslash Ugrave Uacute Ucirc Uuml Yacute " +
  "THORN szlig agrave aacute acirc atilde auml aring aelig ccedil egrave eacute ecirc euml igrave iacute icirc iuml eth ntilde " +
  "ograve oacute ocirc otilde ouml divide oslash ugrave uacute ucirc uuml yacute thorn yuml";
const ENTITIES: ReadonlyMap<string, string> = new Map([
  ...LATIN_1.split(" ").map((name, index) => [name, String.fromCodePoint(0xa0 + index)] as const),
  ...Object.entries({ amp: "&", lt: "<", gt: ">", quot: '"', apos: "'", ndash: "–", mdash: "—", hellip: "…" }),
  ...Object.entries({ lsquo: "‘", rsquo: "’", sbquo: "‚", ldquo: "“", rdquo: "”", bdquo: "„", prime: "′", Prime: "″" }),
  ...Object.entries({ euro: "€", trade: "™", bull: "•", rarr: "→", larr: "←", check: "✓", star: "☆", starf: "★" }),
  ...Object.entries({ ensp: " ", emsp: " ", thinsp: " ", zwnj: "", zwj: "", OElig: "Œ", oelig: "œ", Yuml: "Ÿ" }),
  ...Object.entries({ NewLine: "\n", Tab: "\t", num: "#", excl: "!", quest: "?", colon: ":", comma: ",", period: "." }),
]);

function decoded(text: string): string {
  return text.replace(
    /&(?:#x([\da-f]{1,6})|#(\d{1,7})|(\w{2,8}));/gi,
    (whole, hex?: string, dec?: string, name = "") => {
      const code = hex === undefined ? Number(dec) : Number.parseInt(hex, 16);
      if (hex === undefined && dec === undefined) return ENTITIES.get(name as string) ?? whole;
      return code > 0x10ffff ? whole : String.fromCodePoint(code);
    },
  );
}
