/** XLIFF as a data file: the key and the translation of each unit. What has none yet says nothing. */
import type { DataEntry, DataMap } from "../data/value.ts";
import type { Diagnostics } from "../diagnostics/diagnostics.ts";
import type { SourceFile } from "../source/file.ts";
import type { CameBack } from "./unit.ts";
import { readXliff } from "./xliff-read.ts";

export function readXliffData(file: SourceFile, diagnostics: Diagnostics): DataMap | undefined {
  const xliff = readXliff(file, diagnostics);
  if (xliff === undefined) return undefined;
  const entries = new Map<string, DataEntry>();
  for (const { id, target, place } of xliff.units) {
    const earlier = entries.get(id);
    if (earlier !== undefined) {
      const { keyPlace } = earlier;
      const message = `two units say "${id}": the first is at ${file.locate(keyPlace.start)}`;
      diagnostics.error("duplicate-key", place, message, {
        hint: "As content of a page each key stands in one unit. npx landform copy import takes files of several pages.",
        related: [{ place: keyPlace, message: `"${id}" stands here first` }],
      });
      return undefined;
    }
    if (target === undefined || isUnfinished(target.state)) continue;
    entries.set(id, { keyPlace: place, value: { kind: "scalar", value: target.text, place: target.place } });
  }
  return { kind: "map", entries, place: file.whole };
}

/** XLIFF as it came back from translators: of any number of files. */
export function readUnitsXliff(file: SourceFile, diagnostics: Diagnostics): CameBack | undefined {
  const xliff = readXliff(file, diagnostics);
  if (xliff === undefined) return undefined;
  const units = xliff.units.map(({ original, id, source, target, place }) => ({
    of: original,
    key: id,
    source: source.text,
    target: target?.text,
    unfinished: isUnfinished(target?.state),
    place: target?.place ?? place,
  }));
  return { units, language: xliff.targetLanguage };
}

/** As the services say that somebody has to look at it. */
export function isUnfinished(state: string | undefined): boolean {
  return state !== undefined && /^(new$|needs-)/.test(state);
}
