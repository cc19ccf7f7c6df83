/** The section `copy` of a manifest: the language that everything is translated from. */
import { isScalar } from "yaml";
import { didYouMean } from "../../provider/values/nearest.ts";
import type { Declared } from "../declarations/declared.ts";
import type { Diagnostics } from "../diagnostics/diagnostics.ts";

export function readSourceLocale(declared: readonly Declared[], diagnostics: Diagnostics): string | undefined {
  let source: string | undefined;
  for (const { reader, key, keyPlace, value } of declared) {
    const path = `copy.${key}`;
    if (key !== "source") {
      const message = `copy has no property "${key}"${didYouMean(key, ["source"])}`;
      diagnostics.error("unknown-property", keyPlace, message, { path, hint: "Known is source." });
    } else if (isScalar(value) && typeof value.value === "string" && /^[\w-]+$/.test(value.value)) source = value.value;
    else {
      diagnostics.error("invalid-value", reader.place(value, keyPlace), "copy.source takes a language", {
        path,
        hint: "Write its tag, such as en or pt-BR.",
      });
    }
  }
  return source;
}
