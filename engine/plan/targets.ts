/** The resources that an operation is limited to: whole URNs, or patterns with `*` (within a part) and `**` (across parts). */
export class Targets {
  readonly literals: ReadonlySet<string>;
  readonly #patterns: RegExp[];

  constructor(urnsOrPatterns: readonly string[] = []) {
    this.literals = new Set(urnsOrPatterns.filter((text) => !text.includes("*")));
    this.#patterns = urnsOrPatterns.filter((text) => text.includes("*")).map(patternOf);
  }

  get constrained(): boolean {
    return this.literals.size > 0 || this.#patterns.length > 0;
  }

  /** Tells if a URN is a target. Without any targets, every URN is. */
  has(urn: string): boolean {
    return !this.constrained || this.literals.has(urn) || this.#patterns.some((pattern) => pattern.test(urn));
  }
}

function patternOf(text: string): RegExp {
  const escape = (part: string) => part.replace(/[.+?^${}()|[\]\\]/g, "\\$&");
  const parts = text.split("**").map((part) => part.split("*").map(escape).join("[^:]*"));
  // A name may contain a line end, which a dot doesn't match by default.
  return new RegExp(`^${parts.join(".*")}$`, "s");
}
