/**
 * Taking over a retired funnel, which another stack may want at the same moment. The API has no compare-and-swap, so:
 * (1) a mark of this very attempt goes into its name, which still says that it is retired; (2) after a while it is read
 * again, and only who finds the own mark and no steps uses it: name and steps in one write; (3) after a while it is read
 * once more. Whoever finds another's name there gives way. Where no call takes longer than that while, at most one of any
 * number of claimants ends with it. Where one does, a funnel in use may get a wrong name, which is drift, and is never shared.
 */
import { randomBytes } from "node:crypto";
import type { FunnelStep } from "../../api/inputs.ts";
import type { Funnel } from "../../api/records.ts";
import { camelKeys } from "../../values/json.ts";
import { stepsOf } from "./steps.ts";

export const RETIRED = "[retired by landform]";
const CLAIM = /\s*\[claim [0-9a-f]+\]/gi;
/** A late claimant is taken for another's turn at most so often. */
const MOST_TURNS = 3;

export function isRetired(name: string | null): boolean {
  return (name ?? "").trim().toLowerCase().endsWith(RETIRED);
}

/** The calls that a claim makes. */
export interface Claiming {
  read(): Promise<Funnel | undefined>;
  write(fields: { name: string; pages?: FunnelStep[] }): Promise<Funnel>;
  /** Longer than a call takes. */
  wait(): Promise<void>;
}

/** The funnel with this name and these steps; undefined where it is another's. */
export async function claim(calls: Claiming, name: string, steps: FunnelStep[]): Promise<Funnel | undefined> {
  const found = await calls.read();
  if (!found || !isRetired(found.name) || hasSteps(found)) return undefined;
  const base = baseOf(found.name);
  const mark = `${base} [claim ${randomBytes(6).toString("hex")}] ${RETIRED}`.trim();
  await calls.write({ name: mark });
  await calls.wait();
  const marked = await calls.read();
  if (!marked || !isNamed(marked, mark)) return undefined;
  if (hasSteps(marked)) return withdraw(calls, base);
  return use(calls, name, steps);
}

async function use(calls: Claiming, name: string, steps: FunnelStep[]): Promise<Funnel | undefined> {
  for (let turn = 0; turn < MOST_TURNS; turn++) {
    const written = await calls.write({ name, pages: steps });
    await calls.wait();
    const live = await calls.read();
    if (!live) return undefined;
    if (isNamed(live, name)) return live;
    // A claimant that came late gives way to steps, as they stand there; without any, it does not.
    if (!isRetired(live.name) || !hasSteps(live) || shown(live) !== shown(written)) return undefined;
  }
  return undefined;
}

/** Somebody was faster and has put steps there: it must not look retired to them. */
async function withdraw(calls: Claiming, base: string): Promise<undefined> {
  await calls.write({ name: base });
}

/** Without what says that it is retired, and without claims of others that came to nothing. */
function baseOf(name: string): string {
  const plain = name.trim().slice(0, -RETIRED.length).replace(CLAIM, "").trim();
  return plain === "" ? "Funnel" : plain;
}

/** A service may fold or trim names. */
function isNamed(funnel: Funnel, name: string): boolean {
  return funnel.name.trim().toLowerCase() === name.trim().toLowerCase();
}

function hasSteps(funnel: Funnel): boolean {
  return stepsOf(camelKeys(funnel)).length > 0;
}

function shown(funnel: Funnel): string {
  return JSON.stringify(stepsOf(camelKeys(funnel)));
}
