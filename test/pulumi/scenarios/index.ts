import type { Scenario } from "../scenario.ts";
import { basics } from "./basics.ts";
import { identity } from "./identity.ts";
import { replacement } from "./replacement.ts";

export const scenarios: Scenario[] = [...basics, ...replacement, ...identity];
