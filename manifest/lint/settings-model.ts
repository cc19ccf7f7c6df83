/** What a manifest says of the rules of lint, as data. */
import type { JsonMap } from "../../provider/values/json.ts";

export const levels = ["off", "warning", "error"] as const;
export type Level = (typeof levels)[number];

/** Of one rule. */
export interface RuleSettings {
  /** Undefined: the rule's own. */
  readonly level: Level | undefined;
  /** Patterns of paths (`pages.draft*`) that the rule leaves alone. */
  readonly except: readonly string[];
  /** What the rule takes beyond that; checked. */
  readonly options: JsonMap;
}

/** By id of the rule. */
export type LintSettings = ReadonlyMap<string, RuleSettings>;
