/** An unknown switch or position is an error: otherwise a test would run with another service than it asked for. */
import { expect, test } from "vitest";
import { notShownDefaults, startEmulator } from "../../emulator/index.ts";
import { inTest } from "../suite/opened.ts";

const WRONG: readonly [position: Record<string, unknown>, message: string][] = [
  [{ createdStatuses: 200 }, "notShown.createdStatuses: there is no such switch. There are createdStatus, "],
  [{ toString: true }, "notShown.toString: there is no such switch."],
  [{ duplicateSlug: "newest" }, 'notShown.duplicateSlug: takes "refuse" or "newest-wins" or "suffix".'],
  [{ contentShape: null }, 'notShown.contentShape: takes "'],
  [{ listLagMs: "500" }, "notShown.listLagMs: takes a number from 0 on."],
  [{ listLagMs: -1 }, "notShown.listLagMs: takes a number from 0 on."],
  [{ listLagMs: NaN }, "notShown.listLagMs: takes a number from 0 on."],
  [{ nullDates: undefined }, "notShown.nullDates: takes a boolean."],
  [{ copiesOfName: ["title"] }, 'notShown.copiesOfName: takes a list of "page.title", "node", "slug", "handle".'],
  [{ copiesOfName: "slug" }, "notShown.copiesOfName: takes a list of"],
  [{ revisionWarning: 1 }, "notShown.revisionWarning: takes a text."],
];

test.each(WRONG)("%j is refused", async (position, message) => {
  const starting = startEmulator({ notShown: position });
  await expect(starting).rejects.toThrow(message);
  await expect(starting).rejects.toBeInstanceOf(TypeError);
});

test("every default is a position, and what was asked for counts", async () => {
  const emulator = await inTest(
    startEmulator({
      notShown: { ...notShownDefaults, createdStatus: 200, copiesOfName: ["slug"] },
    }),
  );
  expect(emulator.notShown).toEqual({ ...notShownDefaults, createdStatus: 200, copiesOfName: ["slug"] });
});
