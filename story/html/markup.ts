/** HTML that holds nothing but what is meant: every text is escaped, and only what is made here is markup. Pure. */

/** What may stand in the page as it is. */
export class Markup {
  readonly text: string;

  constructor(text: string) {
    this.text = text;
  }
}

type Part = Markup | string | number | undefined | readonly (Markup | string | undefined)[];

/** A template whose values are texts, unless they are markup themselves. */
export function markup(fixed: TemplateStringsArray, ...parts: readonly Part[]): Markup {
  return new Markup(fixed.reduce((text, next, index) => text + markupOf(parts[index - 1]) + next));
}

export function joined(parts: readonly Markup[], between = ""): Markup {
  return new Markup(parts.map(({ text }) => text).join(between));
}

function markupOf(part: Part): string {
  if (part === undefined) return "";
  if (part instanceof Markup) return part.text;
  if (typeof part === "object") return part.map(markupOf).join("");
  return escaped(String(part));
}

export function escaped(text: string): string {
  return text.replace(/[&<>"'`=]/g, (sign) => `&#${sign.charCodeAt(0)};`);
}

/** An address that a browser may be led to; anything else is a text. */
export function linkTo(address: string, title: Markup): Markup {
  return isAddress(address)
    ? markup`<a href="${address}" rel="noopener noreferrer" target="_blank">${title}</a>`
    : markup`<span>${title}</span>`;
}

export function isAddress(text: string): boolean {
  const { protocol } = URL.parse(text) ?? {};
  return protocol === "https:" || protocol === "http:";
}
