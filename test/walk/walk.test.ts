// @module-tag thorough
/**
 * Random walks over a team's work after the first deploy, in the code and in the app, on the embedded engine in one process: each plan is exactly
 * what the account shows afterwards, and a second plan is empty.
 */
import { test } from "vitest";
import { walkAll, walkCount, walks } from "./walk.ts";

const WALKS = walkCount({ quick: 1, all: 6, soak: 1_000 });

test(`${WALKS} walks: each plan keeps its word`, { timeout: WALKS * 120_000 }, async () => {
  await walkAll(walks(), WALKS, "embedded");
});
