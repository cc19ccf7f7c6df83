/** What people are told of an environment. */
import { oneLine } from "../../provider/messages/texts.ts";
import { leftOutText } from "../../stack/env/show.ts";
import type { Difference } from "../../stack/report/model.ts";
import type { EnvironmentUp } from "../../stack/env/types.ts";
import type { Output } from "./terminal.ts";

export function showEnvironment(
  { line, canvas }: Output,
  advised: (text: string) => string,
  { environment, pages, leftOut, differences }: EnvironmentUp,
): void {
  if (environment === undefined) return;
  const { styles } = canvas;
  line();
  line(
    styles.strong(`${environment.name}${environment.base === undefined ? "" : `, a preview of ${environment.base}`}`),
  );
  for (const { type, name, url, editUrl } of pages)
    line(`  ${type} ${oneLine(name)}  ${url ?? `${editUrl ?? ""} (draft)`}`);
  for (const one of leftOut) line(`  ${styles.faint(`left out: ${leftOutText(one)}`)}`);
  if (differences !== undefined) line(`  ${differencesText(differences)}`);
  line(
    styles.faint(
      advised(
        `  expires ${environment.expiresAt.slice(0, 10)}; npx landform env down ${environment.name} takes it away`,
      ),
    ),
  );
}

const MOST_NAMES = 10;

function differencesText(differences: readonly Difference[]): string {
  const count = differences.length;
  if (count === 0) return "no difference to the base";
  const names = differences.slice(0, MOST_NAMES).map(({ type, name, kind }) => `${type} ${oneLine(name)} ${kind}`);
  const more = count > MOST_NAMES ? `, and ${count - MOST_NAMES} more` : "";
  return `${count} ${count === 1 ? "resource differs" : "resources differ"} from the base: ${names.join(", ")}${more}`;
}
