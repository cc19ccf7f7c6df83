/** What a plan is asked, in this order: a row each, with the reason where one does not apply. */
import { account, scopes } from "./account.ts";
import { alsoLive } from "./also-live.ts";
import type { Check } from "./check.ts";
import { emptied } from "./emptied.ts";
import { heldElsewhere } from "./held-elsewhere.ts";
import { lint } from "./lint.ts";
import { madeBefore } from "./made-before.ts";
import { mentions } from "./mentions.ts";
import { leftovers } from "./leftovers.ts";
import { review } from "./review.ts";
import { safety } from "./safety.ts";
import { staying } from "./staying.ts";
import { unpublished } from "./unpublished.ts";

export const CHECKS: readonly Check[] = [
  account,
  staying,
  heldElsewhere,
  madeBefore,
  mentions,
  alsoLive,
  unpublished,
  leftovers,
  emptied,
  safety,
  lint,
  review,
  scopes,
];
