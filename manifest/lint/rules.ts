/** All rules of lint, in the order of the documentation. */
import type { Rule } from "./rule.ts";
import { duplicateSlug, duplicateTitle } from "./rules/addresses.ts";
import { missingAlt } from "./rules/alt.ts";
import { cutText } from "./rules/cut.ts";
import { missingKey, missingVariable, unknownKey } from "./rules/keys.ts";
import { unreachableStep } from "./rules/steps.ts";
import { emptyText, placeholderText, tooLong, unresolvedVariable } from "./rules/texts.ts";
import { lostPlaceholder, sameAsSource, stale, untracked } from "./rules/translations.ts";
import { forbiddenWords, requiredWords } from "./rules/words.ts";

export const rules: readonly Rule[] = [
  missingKey,
  unknownKey,
  missingVariable,
  unresolvedVariable,
  emptyText,
  cutText,
  placeholderText,
  tooLong,
  forbiddenWords,
  requiredWords,
  missingAlt,
  stale,
  untracked,
  lostPlaceholder,
  sameAsSource,
  duplicateSlug,
  duplicateTitle,
  unreachableStep,
];

export const ruleIds: readonly string[] = rules.map(({ id }) => id);
