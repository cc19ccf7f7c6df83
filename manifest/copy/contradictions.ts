/** Files that came back together and have two translations for one text: nobody said which one is right. Pure. */
import type { Diagnostics } from "../diagnostics/diagnostics.ts";
import type { CameBack, ReadUnit } from "./unit.ts";

export function tellContradictions(files: readonly CameBack[], diagnostics: Diagnostics): void {
  const known = new Map<string, ReadUnit>();
  for (const unit of files.flatMap(({ units }) => units.filter(isTaken))) {
    const id = JSON.stringify([unit.of, unit.key]);
    const earlier = known.get(id);
    if (earlier === undefined) known.set(id, unit);
    else if (textOf(earlier) !== textOf(unit)) {
      const { file, start } = earlier.place;
      const message = `"${unit.key}" of ${unit.of} has another translation at ${file.locate(start)}`;
      diagnostics.error("duplicate-key", unit.place, message, {
        hint: "Import the one that is right, or take the text out of the other file.",
        related: [{ place: earlier.place, message: `"${unit.key}" stands here, too` }],
      });
    }
  }
}

function isTaken({ target, unfinished }: ReadUnit): boolean {
  return target !== undefined && target !== "" && unfinished !== true;
}

/** Line ends are the tools' own. */
function textOf({ target = "" }: ReadUnit): string {
  return target.replaceAll(/\r\n?/g, "\n");
}
