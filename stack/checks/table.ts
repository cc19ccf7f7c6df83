/** The checks of a plan in their order. Each row may name the intents that the check does not apply to, with the reason. */
import type { IntentKind } from "../intents.ts";
import { account, scopes, leftovers, staying } from "./account.ts";
import { adoptedValues } from "./adopted-values.ts";
import { alsoLive } from "./also-live.ts";
import type { Check } from "./check.ts";
import { copied } from "./copied.ts";
import { deletedFirst } from "./deleted-first.ts";
import { emptied, safety } from "./safety.ts";
import { heldElsewhere } from "./held-elsewhere.ts";
import { leftFunnels } from "./left-funnels.ts";
import { lint } from "./lint.ts";
import { madeBefore } from "./made-before.ts";
import { protection } from "./protection.ts";
import { review } from "./review.ts";
import { writtenOver } from "./written-over.ts";
import { unpublished } from "./unpublished.ts";

export const CHECKS: readonly Check[] = [
  account,
  staying,
  heldElsewhere,
  leftFunnels,
  madeBefore,
  adoptedValues,
  alsoLive,
  copied,
  deletedFirst,
  writtenOver,
  unpublished,
  leftovers,
  emptied,
  safety,
  protection,
  lint,
  review,
  scopes,
];

/** An adoption sends nothing and keeps no plan: the up that follows it is asked. */
export function checksFor(kind: IntentKind): Check[] {
  return kind === "adopt" ? [] : CHECKS.filter(({ not }) => not[kind] === undefined);
}
