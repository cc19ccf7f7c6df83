/** Languages by their tags. */

/** Returns the tags to look for, the nearest last: `de-AT` also looks under `de`. */
export function localeChain(tag: string): string[] {
  const parts = tag.split(/[-_]/);
  const separator = tag.includes("_") ? "_" : "-";
  return parts.map((_, index) => parts.slice(0, index + 1).join(separator));
}

/** Tells visitors of which language read another one. */
export function instead(locale: string, source: string | undefined): string {
  const visitors = `${languageName(locale)} visitors`;
  return source === undefined
    ? `${visitors} read the original text here`
    : `${visitors} read ${languageName(source)} here`;
}

/** `German` for `de`. A tag that names no language stays as it is. */
export function languageName(tag: string): string {
  try {
    return NAMES.of(tag.replaceAll("_", "-")) ?? tag;
  } catch (error) {
    if (error instanceof RangeError) return tag;
    throw error;
  }
}

const NAMES = new Intl.DisplayNames(["en"], { type: "language" });
