import { test } from "vitest";
import { holdsForEdits, holdsForReordered } from "./properties.ts";

test("whatever is set in whatever is written: it parses, says what was meant, and the rest stays", () => {
  holdsForEdits(200);
});

test("a list comes into another order with the comments of its items", () => {
  holdsForReordered(300);
});
