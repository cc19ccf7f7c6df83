/** Translations that somebody says are of their sources as these stand now: written by hand, or still right. Pure. */
import { matches } from "../lint/pattern.ts";
import type { CopyRecord } from "./record.ts";
import { standingIn, type Translation } from "./translations.ts";
import type { CameBack } from "./unit.ts";

export interface Accepted {
  readonly cameBack: CameBack;
  readonly count: number;
  /** Stale, and not named. */
  readonly left: readonly Translation[];
  /** What nothing is called. */
  readonly unknown: readonly string[];
}

/** `named`: paths (`pages.offer-de.content.*`) or files; without any, all whose source nobody has said, and none that is stale. */
export function accepted(
  translations: readonly Translation[],
  record: CopyRecord,
  named: readonly string[],
  locale: string | undefined,
): Accepted {
  const own = translations.filter((one) => locale === undefined || one.locale === locale);
  const standing = standingIn(own, record);
  const taken = own.filter((one) => {
    const how = standing.get(one);
    return named.length === 0
      ? how === "untracked"
      : (how === "untracked" || how === "stale") && named.some((name) => isOne(name, one));
  });
  const units = taken.flatMap(({ home, key, source, target }) =>
    target === undefined
      ? []
      : [{ of: home.name, key, source: source.text, target: target.text, unfinished: false, place: target.place }],
  );
  return {
    cameBack: { units, language: undefined },
    count: units.length,
    left: own.filter((one) => standing.get(one) === "stale" && !taken.includes(one)),
    unknown: named.filter((name) => !own.some((one) => isOne(name, one))),
  };

  function isOne(name: string, { path, home }: Translation): boolean {
    return [path, home.name, home.name.replace(/#.*$/, "")].some((one) => matches(name, one));
  }
}
