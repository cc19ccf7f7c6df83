/** Escapes a text for use between tags and in quoted attributes. */
export function escapeHtml(text: string): string {
  return text.replace(/[&<>"']/g, (character) => entities[character] ?? character);
}

const entities: Readonly<Record<string, string>> = {
  "&": "&amp;",
  "<": "&lt;",
  ">": "&gt;",
  '"': "&quot;",
  "'": "&#39;",
};

/** Escapes a text with its line breaks. */
export function lines(text: string): string {
  return escapeHtml(text.trim()).replace(/\r\n?|\n/g, "<br>");
}

/** Escapes a text with blank lines between paragraphs. */
export function paragraphs(text: string, attributes: string): string {
  return text
    .trim()
    .split(/(?:\r\n?|\n)[ \t]*(?:\r\n?|\n)\s*/)
    .map((paragraph) => `<p${attributes}>${lines(paragraph)}</p>`)
    .join("");
}

/** Returns a link that can't run script; undefined for any other. */
export function safeLink(url: string): string | undefined {
  const trimmed = url.trim();
  return trimmed !== "" && schemeOf(trimmed, /^(https?|mailto|tel)$/) ? trimmed : undefined;
}

/** Returns the address of an image, a poster or a film, which may be a data URI; undefined for any other. */
export function safeMedia(url: string): string | undefined {
  const trimmed = url.trim();
  if (/^data:(image|video)\//i.test(trimmed)) return trimmed;
  return trimmed !== "" && schemeOf(trimmed, /^https?$/) ? trimmed : undefined;
}

/** Returns the inline CSS of a node. It leaves out declarations that could leave the attribute or load something. */
export function inlineStyle(style: Readonly<Record<string, string>>): string {
  return Object.entries(style)
    .map(([property, value]) => [property.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`), value] as const)
    .filter(([property, value]) => /^-{0,2}[a-z][a-z-]*$/.test(property) && isSafeCss(value))
    .map(([property, value]) => `${property}:${value}`)
    .join(";");
}

export function isSafeCss(value: string): boolean {
  return !/[;{}<>\\@]|url\(|image\(|expression|\/\*/i.test(value);
}

/** Browsers skip control characters and spaces before a scheme, so this function skips them, too. */
function schemeOf(url: string, allowed: RegExp): boolean {
  // eslint-disable-next-line no-control-regex
  const scheme = /^([^/?#:]*):/.exec(url.replace(/[\u0000-\u0020]/g, ""))?.[1];
  return scheme === undefined || allowed.test(scheme.toLowerCase());
}
