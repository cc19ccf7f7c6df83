/** Public pages that were looked at, for people; what is not seen is a warning already. Pure. */
import { isSeen, outcomeText } from "../provider/seen/seen-live.ts";
import type { SeenPage } from "../stack/report/going-live.ts";
import type { Report } from "../stack/report/model.ts";
import type { Canvas } from "./canvas.ts";
import { printableValue } from "./printable.ts";
import { titleOf } from "./words.ts";

export function seenLines({ seen = [] }: Report, canvas: Canvas): string[] {
  const visited = printableValue(seen.filter(isSeen));
  return visited.length === 0
    ? []
    : ["", canvas.styles.strong("Seen live"), ...visited.map((one) => lineOf(one, canvas))];
}

/** Pages that don't show what was published, as a drift names them. */
export function publicLines({ public: visited = [] }: Report, canvas: Canvas): string[] {
  if (visited.length === 0) return [];
  const title = canvas.styles.strong("Public pages that don't show what was published");
  return ["", title, ...printableValue(visited).map((one) => lineOf(one, canvas))];
}

function lineOf(page: SeenPage, { styles }: Canvas): string {
  const sign = isSeen(page) ? styles.add("✓") : styles.warn("!");
  return `  ${sign} ${titleOf(page)}: ${outcomeText(page)}  ${styles.link(page.url)}`;
}
