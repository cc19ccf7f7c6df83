/** Maps that stand for one value, `{ file: … }` and its like, whose own texts may take `${each.x}`. */
import type { YAMLMap } from "yaml";
import type { z } from "zod";
import type { Json } from "../../provider/values/json.ts";
import { inputWording } from "../../provider/messages/wording.ts";
import type { Diagnostics } from "../diagnostics/diagnostics.ts";
import type { Reader } from "../source/reader.ts";
import { fault, FAULTY } from "./faulty.ts";
import type { Filler } from "./fill.ts";
import { Deferred, type At } from "./model.ts";

export class FormReader {
  readonly #reader: Reader;
  readonly #filler: Filler;
  readonly #diagnostics: Diagnostics;

  constructor(reader: Reader, filler: Filler, diagnostics: Diagnostics) {
    this.#reader = reader;
    this.#filler = filler;
    this.#diagnostics = diagnostics;
  }

  /** A form with its texts filled in; undefined where it is none, which is told. */
  read<Schema extends z.ZodType>(
    map: YAMLMap,
    schema: Schema,
    name: string,
    at: At,
    hint: string | undefined,
  ): z.infer<Schema> | undefined {
    const given = this.#reader.json(map, at.path);
    const filled = Object.entries(given as Record<string, Json>).map(([key, value]) => {
      if (typeof value !== "string") return [key, value] as const;
      const found = this.#filler.text(value, "text", at);
      if (found?.value instanceof Deferred) {
        fault(
          this.#diagnostics,
          `${at.path}: { ${name}: } is looked at before anything runs`,
          at,
          "It takes ${each.x}; the stack and its configuration are not known yet.",
        );
        return [key, FAULTY] as const;
      }
      return [key, found ? (found.value ?? "") : FAULTY] as const;
    });
    if (filled.some(([, value]) => value === FAULTY)) return undefined;
    const found = schema.safeParse(Object.fromEntries(filled), { error: inputWording });
    if (found.success) return found.data;
    const reasons = found.error.issues.map((issue) => `${issue.path.join(".")} ${issue.message}`).join("; ");
    fault(this.#diagnostics, `${at.path}: { ${name}: } is not complete: ${reasons}`, at, hint);
    return undefined;
  }
}
