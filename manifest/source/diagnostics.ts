/** The problems of a manifest as data: each has its place, the intended value and the next step. */
import type { Place, Position } from "./file.ts";

/** Every kind of problem with its description in one line (a rule in SARIF). Codes are stable. */
export const codes = {
  "file-unreadable": "A file can't be read.",
  "file-outside": "A path leaves the folder of the manifest.",
  data: "A data file doesn't hold what is read from it.",
  each: "The `each` of an entry is wrong, or a text names a field that no row has.",
  syntax: "The file is not YAML that Landform reads.",
  "duplicate-key": "The same key is written twice.",
  "text-key": "A key is not text.",
  alias: "An alias has no anchor, refers to itself or expands without end.",
  "nested-too-deep": "Values are nested too deep.",
  version: "The first line of a manifest is landform: 1.",
  "unknown-section": "A top-level key that a manifest doesn't have.",
  "unknown-property": "A property that the resource doesn't have.",
  "missing-property": "A property that the resource needs is not there.",
  "empty-value": "A property has no value.",
  "invalid-value": "A value is not one that the property takes.",
  "invalid-key": "A logical name that can't be used.",
  "unknown-reference": "A reference to something that the manifest doesn't have.",
  "wrong-account": "A reference to a resource of another account.",
  cycle: "Resources wait for each other.",
  conflict: "Two resources lay claim to the same thing.",
  include: "An included file can't be taken in.",
  environment: "An environment variable that a value needs is not set, or doesn't fit.",
  config: "A setting of the stack that a value needs is not set, or doesn't fit.",
  lookup: "A lookup doesn't find exactly one thing.",
  "not-in-account": "Something that the manifest names is not in the account.",
  unverified: "Something that the account could not be asked about.",
} as const;
export type DiagnosticCode = keyof typeof codes;

export interface Related extends Position {
  readonly message: string;
}

/** `Code`: the codes of the manifest's own check, or of another check that reports places in the same way (lint). */
export interface Diagnostic<Code extends string = DiagnosticCode> extends Position {
  readonly severity: "error" | "warning";
  readonly code: Code;
  readonly message: string;
  /** The faulty line, and below it a caret. Empty if there is no text to show. */
  readonly excerpt: string;
  /** The next step for the person. */
  readonly hint?: string;
  /** The path in the manifest: `pages.offer.publish.slug`. Empty for the file as a whole. */
  readonly path: string;
  /** A plan that brings it needs a person's permission. */
  readonly holds?: true;
  /** Addresses or paths of other entries that take the same value from the same place. */
  readonly also?: readonly string[];
  /** Further places that matter, such as the first of two equal keys. */
  readonly related?: readonly Related[];
}

export interface Details {
  readonly path?: string;
  readonly hint?: string;
  readonly holds?: boolean;
  readonly also?: readonly string[];
  readonly related?: readonly { readonly place: Place; readonly message: string }[];
  /** The places of the data that made the value. */
  readonly from?: readonly Place[];
}

export interface Faulty {
  readonly place: Place;
  readonly path: string;
  readonly from?: readonly Place[];
}

const UNREADABLE: DiagnosticCode = "file-unreadable";

/** Gathers problems. It reports the same problem at the same place (an anchor that is used twice) once. */
export class Diagnostics<Code extends string = DiagnosticCode> {
  readonly #found = new Map<string, Diagnostic<Code>>();
  #errors = 0;

  error(code: Code, place: Place, message: string, details: Details = {}): void {
    this.#add("error", code, place, message, details);
  }

  warning(code: Code, place: Place, message: string, details: Details = {}): void {
    this.#add("warning", code, place, message, details);
  }

  /** Reports a faulty value. The message goes on behind its path. */
  fault(code: Code, { place, path, from }: Faulty, message: string, hint?: string): void {
    this.#add("error", code, place, path + message, { path, hint, from });
  }

  get failed(): boolean {
    return this.#errors > 0;
  }

  /** In the order of the files and their lines. A file that can't be read comes first, because others may follow from it. */
  list(): Diagnostic<Code>[] {
    const files = [...new Set([...this.#found.values()].map(({ file }) => file))];
    const rank = ({ code, file }: Diagnostic<Code>): number => (code === UNREADABLE ? -1 : files.indexOf(file));
    return [...this.#found.values()].sort((a, b) => rank(a) - rank(b) || a.line - b.line || a.column - b.column);
  }

  #add(
    severity: Diagnostic["severity"],
    code: Code,
    place: Place,
    message: string,
    { path = "", hint, holds, also = [], related: others, from = [] }: Details,
  ): void {
    const position = place.file.position(place.start, place.end);
    const data = from.map(({ file, start }) => file.locate(start));
    const key = [code, position.file, place.start, withoutOwner(message, path), ...data].join("\n");
    const origins = from.map((one) => ({ place: one, message: "the value stands here" }));
    const related = origins.length > 0 ? [...(others ?? []), ...origins] : others;
    const known = this.#found.get(key);
    if (known !== undefined) {
      const isNew = path !== known.path && known.also?.includes(path) !== true;
      if (isNew) this.#found.set(key, { ...known, also: [...(known.also ?? []), path] });
      return;
    }
    if (severity === "error") this.#errors++;
    this.#found.set(key, {
      severity,
      code,
      message: data.length > 0 ? `${message} (${data.join(", ")})` : message,
      ...position,
      excerpt: place.file.excerpt(place.start, place.end),
      ...(hint !== undefined && { hint }),
      path,
      ...(holds === true && { holds }),
      ...(also.length > 0 && { also }),
      ...(related && {
        related: related.map(({ message, place: at }) => ({ message, ...at.file.position(at.start, at.end) })),
      }),
    });
  }
}

/** An anchored value is wrong wherever it is used. */
function withoutOwner(message: string, path: string): string {
  const [owner = ""] = /^[\w$-]+(?:\.[\w$-]+|\["(?:[^"\\]|\\.)*"\])/.exec(path) ?? [];
  return owner === "" ? message : message.replace(owner, "");
}

export function tellRepeated(
  diagnostics: Pick<Diagnostics, "error">,
  name: string,
  place: Place,
  first: Place,
  {
    message = `"${name}" is written twice, first at`,
    ...details
  }: Pick<Details, "path" | "hint"> & { message?: string } = {},
): void {
  diagnostics.error("duplicate-key", place, `${message} ${first.file.locate(first.start)}`, {
    hint: "Remove one of the two, or rename it.",
    ...details,
    related: [{ place: first, message: `"${name}" is first written here` }],
  });
}

/** Stops the work. The problem itself is in the diagnostics. */
export class Told extends Error {
  override readonly name = "Told";
}

export function unlessTold<Result>(work: () => Result, stop: new () => Error = Told): Result | undefined {
  try {
    return work();
  } catch (error) {
    if (error instanceof stop) return undefined;
    throw error;
  }
}
