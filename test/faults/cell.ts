/** One cell of the matrix: a stack at some point of its life meets one fault, runs again, and is judged. */
import type { Emulator } from "../../emulator/index.ts";
import { loadContract } from "../../emulator/http/contract.ts";
import { Between } from "./between.ts";
import type { FaultClass } from "./classes.ts";
import type { Call, Desk, Phase, Reference } from "./desk.ts";
import { faultsIn } from "./oracle.ts";
import type { Scenario } from "./scenarios.ts";
import type { Ran } from "./stack.ts";

/** Returns the remaining problems, one line each; none if the stack got over the fault. */
export async function runCell({ scenario, desk, phases }: Reference, call: Call, fault: FaultClass): Promise<string[]> {
  const { emulator } = desk;
  const { start, expected } = phaseOf(phases, call);
  desk.putBack(start);
  const between = new Between(emulator);
  try {
    const baseUrl = await struckBy(fault, { between, emulator, call });
    const { timeoutMs } = fault;
    const struck = await desk.run(scenario, call.phase, { baseUrl, ...(timeoutMs !== undefined && { timeoutMs }) });
    emulator.faults.clear();
    const runs = [struck, ...(await runAgain(desk, scenario, call.phase, fault))];
    const told = toldIn(runs);
    const wrong = judge(desk, expected, told).filter((line) => !isToldOrphan(line, told));
    return [...wrong, ...(await unsettled(desk, scenario, call.phase))];
  } finally {
    between.close();
  }
}

/** Prepares the fault, and returns the base URL of the service that has it. */
export async function struckBy(
  fault: FaultClass,
  { between, emulator, call }: { between: Between; emulator: Emulator; call: Call },
): Promise<string> {
  if (fault.reach === "no connection from now on") return between.refusing(call.before);
  arm(emulator, call, fault);
  return emulator.baseUrl;
}

function phaseOf(phases: readonly Phase[], { phase }: Call): Phase {
  const found = phases[phase];
  if (found === undefined) throw new Error(`there is no phase ${phase}`);
  return found;
}

function toldIn(runs: readonly Ran[]): string {
  return runs.flatMap(({ error, warnings }) => [error?.stack ?? "", error?.message ?? "", ...warnings]).join("\n");
}

function judge({ emulator, stack, before, ground }: Desk, expected: Record<string, string[]>, told: string): string[] {
  const everything = [told, stack.recorded, ...[...stack.keep().files.values()].map(String)].join("\n");
  return faultsIn({ emulator, before, adopted: ground.adopted.id, expected, told: everything, key: emulator.apiKey });
}

const KILLS = ["before it is sent", "after commit", "after the answer"] as const;
type Kill = (typeof KILLS)[number];

/**
 * Kills the process at a call. Later calls never arrive, and the next run knows only what was recorded before. After the last answer, the killed run
 * has not recorded its work. `late`: lists show new objects late. `savedAtEnd`: the state is saved only at the end of a run, so the next run has the
 * earlier state and the ledger. `inTags`: the ledger is in tags of the stack.
 */
async function runKilled(
  { scenario, desk, phases }: Reference,
  call: Call,
  kill: Kill,
  late: Pick<FaultClass, "lagMs"> & { readonly savedAtEnd?: true; readonly inTags?: boolean } = {},
): Promise<string[]> {
  const { emulator } = desk;
  const { start, expected } = phaseOf(phases, call);
  desk.putBack(start);
  desk.stack.savedAtEnd = late.savedAtEnd === true;
  desk.stack.inTags = late.inTags === true;
  const unsaved = desk.stack.copy();
  emulator.notShown.listLagMs = late.lagMs ?? 0;
  let recorded = desk.stack;
  const { method, route, skip } = call;
  if (kill === "after commit") emulator.faults.add({ method, path: route, skip, phase: "after" });
  whenCalled(emulator, call, () => {
    recorded = desk.stack.copy();
    const later = kill === "before it is sent" ? 0 : 1;
    emulator.faults.add({ phase: "before", skip: later, times: Infinity });
  });
  await desk.run(scenario, call.phase);
  emulator.faults.clear();
  desk.stack = late.savedAtEnd ? unsaved : recorded;
  const runs = await runAgain(desk, scenario, call.phase, late);
  const told = toldIn(runs);
  const wrong = judge(desk, expected, told).filter(
    // Nobody knows a subscription of a killed run, so one at most may be left over.
    (line, index, lines) =>
      !line.startsWith("hooks: too much") || lines.filter((one) => one.startsWith("hooks")).length > 1,
  );
  return [...wrong, ...(await unsettled(desk, scenario, call.phase))];
}

/** Kills a run at each boundary of these calls. Returns the remaining problems, one line each. */
export async function killedAt(
  reference: Reference,
  calls: readonly Call[],
  late?: Parameters<typeof runKilled>[3],
): Promise<string[]> {
  const failures: string[] = [];
  for (const call of calls)
    for (const kill of KILLS) {
      const wrong = await runKilled(reference, call, kill, late).catch((error: unknown) => [(error as Error).message]);
      failures.push(...wrong.map((line) => `step ${call.phase + 1}, ${call.method} ${call.route}, ${kill}: ${line}`));
    }
  return failures;
}

/** Runs again without the fault. If lists lag, the first run may not see enough yet, but a refresh after that time has to. */
async function runAgain(
  desk: Desk,
  scenario: Scenario,
  phase: number,
  { lagMs }: Pick<FaultClass, "lagMs">,
): Promise<Ran[]> {
  const first = await desk.run(scenario, phase);
  if (lagMs === undefined) return [first, ...failed("run again", first)];
  desk.emulator.notShown.listLagMs = 0;
  const refreshed = await desk.stack.refresh(desk.service);
  const later = await desk.run(scenario, phase);
  return [first, refreshed, later, ...failed("refreshed", refreshed), ...failed("run again", later)];
}

/** Returns the message of a run that failed although nothing was in its way. */
function failed(what: string, { error }: Ran): Ran[] {
  if (error === undefined) return [];
  throw new Error(`${what}: ${error.message}`, { cause: error });
}

async function unsettled(desk: Desk, scenario: Scenario, phase: number): Promise<string[]> {
  const second = await desk.run(scenario, phase);
  const refreshed = await desk.stack.refresh(desk.service);
  const third = await desk.run(scenario, phase);
  const runs = { "a second run": second, "a refresh": refreshed, "a run after a refresh": third };
  return Object.entries(runs).flatMap(([what, { error, steps }]) => [
    ...(error === undefined ? [] : [`${what} failed: ${error.message}`]),
    ...(steps.length === 0 ? [] : [`${what} found something to do: ${steps.join(", ")}`]),
  ]);
}

/**
 * Tells if a report names an orphan. A subscription can't be found again, so the report must name one that may exist without an owner. A funnel can't
 * be deleted: if a late list shows two, one is retired for the next funnel of its project.
 */
export function isToldOrphan(line: string, told: string): boolean {
  if (line.startsWith("funnels: too much")) return line.includes("[retired by landform]");
  return line.startsWith("hooks: too much") && /orphan|second one|could not confirm|not confirmed/.test(told);
}

const LISTS = ["/projects", "/sites", "/pages", "/quizzes", "/funnels", "/products"].flatMap((path) => [
  path,
  `/search${path}`,
]);

function arm(emulator: Emulator, call: Call, { fault: usual, reach, lists, lagMs, retryAtMs }: FaultClass): void {
  const { method, route, skip, before } = call;
  const retryAfter = retryAtMs === undefined ? undefined : new Date(Date.now() + retryAtMs).toUTCString();
  const fault = { ...usual, ...(retryAfter !== undefined && { retryAfter }) };
  if (reach === "everything from now on") {
    emulator.faults.add({ ...fault, skip: before, times: Infinity });
  } else if (reach === "the call's scope") {
    emulator.faults.add({ ...fault, scope: scopeOf(call), times: Infinity });
  } else {
    emulator.faults.add({ ...fault, method, path: route, skip });
  }
  if (lagMs !== undefined) emulator.notShown.listLagMs = lagMs;
  if (lists === undefined) return;
  whenCalled(emulator, call, () => {
    for (const path of LISTS) emulator.faults.add({ ...lists, method: "GET", path, times: Infinity });
  });
}

export function whenCalled(emulator: Emulator, { method, route, skip }: Call, work: () => void): void {
  let left = skip + 1;
  const { requests } = emulator;
  requests.push = (...added) => {
    for (const { method: made, path } of added) if (made === method && matches(path, route) && --left === 0) work();
    return Array.prototype.push.apply(requests, added);
  };
}

function matches(path: string, route: string): boolean {
  return new RegExp(`^${route.replaceAll(/\{\w+\}/g, "[^/]+")}$`).test(path.split("?")[0] ?? "");
}

function scopeOf({ method, route }: Call): string {
  const operation = loadContract().operations.find((one) => one.method === method && one.path === route);
  return operation?.scopes[0] ?? "";
}
