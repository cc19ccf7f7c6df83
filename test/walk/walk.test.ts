// @module-tag thorough
/**
 * Random walks over what a team does after the first deploy, in the code and in the app, on the embedded engine in one
 * process: what each plan says is what the account shows afterwards, and nothing else; and a second plan is empty.
 */
import { test } from "vitest";
import { walkAll, walkCount, walks } from "./walk.ts";

const WALKS = walkCount({ quick: 1, all: 12, soak: 1_000 });

test(`${WALKS} walks: each plan keeps its word`, { timeout: WALKS * 120_000 }, async () => {
  await walkAll(walks(), WALKS, "embedded");
});
