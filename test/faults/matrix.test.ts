// @module-tag thorough
/**
 * Every call that changes something × every class of fault (classes.ts), at each place where a resource's life makes it. Services that differ where
 * the specification is open get a sample.
 */
import { describe, expect, test, vi } from "vitest";
import { loadContract } from "../../emulator/http/contract.ts";
import type { NotShown } from "../../emulator/index.ts";
import { asked, rounds, whole } from "../suite/parts.ts";
import { runCell } from "./cell.ts";
import { faultClasses, type FaultClass } from "./classes.ts";
import { CHECK, referenceOf, type Call, type Reference } from "./desk.ts";
import { scenarios } from "./scenarios.ts";

vi.mock("node:timers/promises", async () => ({ setTimeout: (await import("./clock.ts")).sleep }));

const seen = new Set<string>();
let turns = 0;

/** Runs only cells whose text matches, to look into one: `LANDFORM_CELLS="POST /sites.*lists lag"`. */
const only = new RegExp(process.env["LANDFORM_CELLS"] ?? "");

const USUAL = "as the emulator is by default";

/** Services that differ in ways which matter for making and finding objects. */
const OTHERS: Readonly<Record<string, Partial<NotShown>>> = {
  "copies names into titles, slugs and handles": { copiesOfName: ["page.title", "slug", "handle"] },
  "shows no dates": { nullDates: true },
  "both, newest first, and one code for all that is not found": {
    copiesOfName: ["page.title", "slug", "handle"],
    nullDates: true,
    listOrder: "newest-first",
    notFoundCodes: "generic",
    contentMapShows: "live",
  },
};

/** Every so-many-th cell of such a service runs; before a release, all do. */
const STEP = rounds({ quick: 331, all: 131, soak: 1 });

type Due = Readonly<{ call: Call; fault: FaultClass }>;

const TIMEOUT = { timeout: 2 * 3_600_000 };

test.each(scenarios)("$name", TIMEOUT, async (scenario) => {
  const reference = await referenceOf(scenario);
  const due = reference.calls.flatMap((call) => chosenFor(call).map((fault) => ({ call, fault })));
  await runAll(reference, USUAL, due);
});

test("no call that changes something is left out", () => {
  const all = loadContract().operations.filter(({ method, path }) => method !== "GET" && path !== CHECK);
  expect([...seen].sort()).toEqual(all.map(({ method, path }) => `${method} ${path}`).sort());
});

describe.each(Object.entries(OTHERS))("a service that %s", (service, notShown) => {
  let number = 0;
  test.each(scenarios)("$name", TIMEOUT, async (scenario) => {
    const reference = await referenceOf(scenario, notShown);
    const all = reference.calls.flatMap((call) => faultClasses.map((fault) => ({ call, fault })));
    await runAll(
      reference,
      service,
      all.filter(() => number++ % STEP === 0),
    );
  });
});

async function runAll(reference: Reference, service: string, due: readonly Due[]): Promise<void> {
  const wrong: string[] = [];
  for (const { call, fault } of due) {
    const of = `${service}: ${reference.scenario.name}, step ${call.phase + 1}, ${call.method} ${call.route} (${call.skip + 1}): ${fault.name}`;
    if (!only.test(of)) continue;
    const lines = await runCell(reference, call, fault).catch((error: unknown) => [(error as Error).message]);
    wrong.push(...lines.map((line) => `${of}: ${line}`));
  }
  await reference.desk.close();
  expect(wrong).toEqual([]);
}

/**
 * Returns the classes for a call. Every call meets every class at its first place. Elsewhere it meets all before a release, every third in CI (the
 * next call meets the others), and none in the quick part.
 */
function chosenFor({ method, route }: Call): readonly FaultClass[] {
  const first = !seen.has(`${method} ${route}`);
  seen.add(`${method} ${route}`);
  if (asked === "soak" || first) return faultClasses;
  const turn = turns++ % 3;
  return whole ? faultClasses.filter((_, index) => index % 3 === turn) : [];
}
