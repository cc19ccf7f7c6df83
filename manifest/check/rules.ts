/** All rules of lint, in the order of the documentation. */
import type { Rule } from "./subject.ts";
import { duplicateSlug, duplicateTitle, unreachableStep } from "./rules/addresses.ts";
import {
  missingAlt,
  cutText,
  emptyText,
  placeholderText,
  tooLong,
  unresolvedVariable,
  forbiddenWords,
  requiredWords,
} from "./rules/texts.ts";
import { missingKey, missingVariable, unknownKey } from "./rules/keys.ts";
import { lostLanguage, lostPlaceholder, sameAsSource, stale, untracked } from "./rules/translations.ts";

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
  lostLanguage,
  stale,
  untracked,
  lostPlaceholder,
  sameAsSource,
  duplicateSlug,
  duplicateTitle,
  unreachableStep,
];

export const ruleIds: readonly string[] = rules.map(({ id }) => id);
