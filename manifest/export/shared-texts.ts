/** Texts in files of their own, and how many places of a manifest take each: what one page changes is not the other's. */
import { dirname, join, relative, sep } from "node:path";
import { isMap, isScalar, isSeq, type Node } from "yaml";
import type { Declared, Loaded } from "../declarations/declared.ts";
import { Diagnostics } from "../diagnostics/diagnostics.ts";
import { Reader } from "../source/reader.ts";

interface Change {
  readonly text: string;
  /** Writes the text for this place alone. */
  readonly apart: () => void;
}

export class SharedTexts {
  readonly #folder: string;
  readonly #uses: ReadonlyMap<string, number>;
  readonly #changes = new Map<string, Change[]>();

  constructor({ folder, parts }: Pick<Loaded, "folder" | "parts">) {
    this.#folder = folder.root;
    const uses = new Map<string, number>();
    for (const part of parts.values()) {
      for (const declared of part.values()) {
        for (const path of filesIn(declared)) uses.set(path, (uses.get(path) ?? 0) + 1);
      }
    }
    this.#uses = uses;
  }

  /** A place that takes a file (as a file of the manifest names it) has another text now. */
  change(from: string, name: string, change: Change): void {
    const path = join(dirname(from), name);
    this.#changes.set(path, [...(this.#changes.get(path) ?? []), change]);
  }

  /** Files to write, by their path in the folder. A file keeps its text while a place is left that takes it as it is. */
  settle(): Map<string, string> {
    const files = new Map<string, string>();
    for (const [path, changes] of this.#changes) {
      const [first] = changes;
      const together =
        changes.length >= (this.#uses.get(path) ?? 1) && changes.every(({ text }) => text === first?.text);
      if (together && first) files.set(relative(this.#folder, path).split(sep).join("/"), first.text);
      else for (const { apart } of changes) apart();
    }
    return files;
  }
}

function* filesIn({ reader, value }: Declared): Generator<string> {
  const file = reader.parsed.file.path;
  for (const name of namesIn(value, new Reader(reader.parsed, new Diagnostics()))) yield join(dirname(file), name);
}

function* namesIn(node: Node | null, reader: Reader): Generator<string> {
  const real = reader.follow(node);
  if (isSeq(real)) for (const item of real.items) yield* namesIn(item as Node | null, reader);
  if (!isMap(real)) return;
  const entries = reader.entries(real);
  const [only] = entries;
  if (entries.length === 1 && only?.key === "file" && isScalar<string>(only.value)) yield only.value.value;
  else for (const { key, value } of entries) if (key !== "literal") yield* namesIn(value, reader);
}
