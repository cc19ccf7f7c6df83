/** What killed runs have left in the account, and what of it goes with this plan. */
import type { Check } from "./check.ts";

export const leftovers: Check = {
  name: "leftovers",
  not: {
    "env down": "it looks through the account for all that the environment has made, once somebody has agreed",
    adopt: "what a killed run has made is found by its name, as everything else",
  },
  run: async ({ leftovers: all, ran }, report) => ({ report: await all.foretold(report, ran.preview) }),
};
