import type { Scenario } from "../scenario.ts";
import { basics } from "./basics.ts";
import { failures } from "./failures.ts";
import { handover } from "./handover.ts";
import { identity } from "./identity.ts";
import { refresh } from "./refresh.ts";
import { replacement } from "./replacement.ts";
import { secrets } from "./secrets.ts";
import { targets } from "./targets.ts";

/** All scenarios that a sandbox may take its program from. */
export const scenarios: Scenario[] = [
  ...[basics, replacement, identity, secrets, targets, failures, refresh].flat(),
  handover,
];
