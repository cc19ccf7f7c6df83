import { test } from "vitest";
import { holdsForEdits } from "./properties.ts";

test("whatever is set in whatever is written: it parses, says what was meant, and the rest stays", () => {
  holdsForEdits(200);
});
