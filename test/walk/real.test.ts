// @module-tag thorough
/** The same walks on Pulumi's own engine, with its processes. */
import { describe, test } from "vitest";
import { realEngine, rounds } from "../suite/parts.ts";
import { ROUNDS, walkAll, walkCount, walks } from "./walk.ts";

const WALKS = walkCount({ quick: 0, all: 1, soak: 50 });
const LENGTH = rounds({ quick: 0, all: 2, soak: ROUNDS });

describe.skipIf(realEngine === undefined)("on Pulumi's engine", () => {
  test(`${WALKS} walks: each plan keeps its word`, { timeout: WALKS * 1_200_000 }, async () => {
    await walkAll(walks(LENGTH), WALKS, "pulumi");
  });
});
