/** How what we wrote is found again among what people wrote. Pure. */

/** Invisible where it is shown, and first in the text. */
export function markerOf(what: "plan" | "drift", project: string, stack: string): string {
  const names = [project, stack].map((name) => name.replace(/[^\w.-]/g, (sign) => `_${sign.codePointAt(0) ?? 0}`));
  return `<!-- landform:${what}:${names.join("/")} -->`;
}
