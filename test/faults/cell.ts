/** One cell of the matrix: a stack, brought to some point of its life, meets one fault, is run again, and is judged. */
import { startEmulator, type Emulator, type Fault, type NotShown } from "../../emulator/index.ts";
import { loadContract } from "../../emulator/contract.ts";
import { Between } from "./between.ts";
import { FASTER } from "./clock.ts";
import type { FaultClass } from "./classes.ts";
import { contents, faultsIn, type Account } from "./oracle.ts";
import { prepare, type Ground, type Scenario } from "./scenarios.ts";
import { Stack, type Ran, type Service } from "./stack.ts";

/** A call that changes something, in one phase of a scenario. */
export interface Call {
  readonly phase: number;
  readonly method: string;
  readonly route: string;
  /** Calls of the same method and route before it, in its phase. */
  readonly skip: number;
  /** Calls of any kind before it, in its phase. */
  readonly before: number;
}

/** What a scenario does and leaves behind where nothing goes wrong. */
export interface Reference {
  readonly scenario: Scenario;
  readonly calls: readonly Call[];
  /** What the service is like, where the specification leaves it open. */
  readonly notShown: Partial<NotShown>;
  /** By phase. */
  readonly expected: readonly Record<string, string[]>[];
}

class Desk {
  readonly emulator: Emulator;
  readonly ground: Ground;
  readonly before: Account;
  stack = new Stack("dev");
  readonly service: Service;

  private constructor(emulator: Emulator, ground: Ground) {
    this.emulator = emulator;
    this.ground = ground;
    this.before = emulator.records();
    this.service = { baseUrl: emulator.baseUrl, apiKey: emulator.apiKey };
  }

  static async open(notShown: Partial<NotShown> = {}): Promise<Desk> {
    const emulator = await startEmulator({ notShown });
    return new Desk(emulator, await prepare(emulator));
  }

  async close(): Promise<void> {
    this.stack.close();
    await this.emulator.close();
  }

  /** The last phase of a life is its destruction. */
  run(scenario: Scenario, phase: number, service: Partial<Service> = {}): Promise<Ran> {
    return this.stack.up({ ...this.service, ...service }, scenario.programs(this.ground)[phase] ?? []);
  }
}

const CHECK = "/pages/validate-before-publish";

export async function referenceOf(scenario: Scenario, notShown: Partial<NotShown> = {}): Promise<Reference> {
  const desk = await Desk.open(notShown);
  try {
    const phases = scenario.programs(desk.ground).length + 1;
    const calls: Call[] = [];
    const expected: Record<string, string[]>[] = [];
    for (let phase = 0; phase < phases; phase++) {
      desk.emulator.requests.length = 0;
      const { error } = await desk.run(scenario, phase);
      if (error !== undefined) throw error;
      expected.push(contents(desk.emulator.records()));
      const made = desk.emulator.requests.map(({ method, route }) => ({ method, route }));
      for (const [before, { method, route }] of made.entries()) {
        if (method === "GET" || route === CHECK) continue;
        const skip = made.slice(0, before).filter((one) => one.method === method && one.route === route).length;
        calls.push({ phase, method, route, skip, before });
      }
    }
    return { scenario, calls, expected, notShown };
  } finally {
    await desk.close();
  }
}

/** What is wrong in the end, one line each; nothing where the stack got over the fault. */
export async function runCell(
  { scenario, expected, notShown }: Reference,
  call: Call,
  fault: FaultClass,
): Promise<string[]> {
  const desk = await Desk.open(notShown);
  const { emulator } = desk;
  const between = new Between(emulator);
  try {
    for (let phase = 0; phase < call.phase; phase++) {
      const { error } = await desk.run(scenario, phase);
      if (error !== undefined) return [`before the fault: ${error.message}`];
    }
    const service: Partial<Service> = fault.timeoutMs === undefined ? {} : { timeoutMs: fault.timeoutMs };
    const refused = fault.reach === "no connection from now on";
    if (!refused) arm(emulator, call, fault);
    const struck = refused
      ? await desk.run(scenario, call.phase, { ...service, baseUrl: await between.refusing(call.before) })
      : await desk.run(scenario, call.phase, service);
    emulator.faults.clear();
    const runs = [struck, ...(await runAgain(desk, scenario, call.phase, fault))];
    const told = toldIn(runs);
    const wrong = judge(desk, expected[call.phase] ?? {}, told).filter((line) => !isToldOrphan(line, told));
    return [...wrong, ...(await unsettled(desk, scenario, call.phase))];
  } finally {
    between.close();
    await desk.close();
  }
}

function toldIn(runs: readonly Ran[]): string {
  return runs.flatMap(({ error, warnings }) => [error?.stack ?? "", error?.message ?? "", ...warnings]).join("\n");
}

function judge({ emulator, stack, before, ground }: Desk, expected: Record<string, string[]>, told: string): string[] {
  const everything = `${told}\n${stack.recorded}`;
  return faultsIn({ emulator, before, adopted: ground.adopted.id, expected, told: everything, key: emulator.apiKey });
}

export const KILLS = ["before it is sent", "after commit", "after the answer"] as const;
export type Kill = (typeof KILLS)[number];

/**
 * The process is killed at a call: what it would still have sent never arrives, and what it had recorded by then is all
 * that the next run knows. Killed after the last answer, it has not recorded what it did.
 */
export async function runKilled(
  { scenario, expected, notShown }: Reference,
  call: Call,
  kill: Kill,
): Promise<string[]> {
  const desk = await Desk.open(notShown);
  const { emulator } = desk;
  try {
    for (let phase = 0; phase < call.phase; phase++) {
      const { error } = await desk.run(scenario, phase);
      if (error !== undefined) return [`before the kill: ${error.message}`];
    }
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
    desk.stack = recorded;
    const runs = await runAgain(desk, scenario, call.phase, {});
    const told = toldIn(runs);
    const wrong = judge(desk, expected[call.phase] ?? {}, told).filter(
      // A subscription that a killed run made is not known to anybody: one at most may be left over.
      (line, index, lines) =>
        !line.startsWith("hooks: too much") || lines.filter((one) => one.startsWith("hooks")).length > 1,
    );
    return [...wrong, ...(await unsettled(desk, scenario, call.phase))];
  } finally {
    await desk.close();
  }
}

/** The fault is gone. Where lists lag, the first run may not see enough yet; a refresh after that time has to. */
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

/** A run that failed though nothing was in its way: its message is what is wrong. */
function failed(what: string, { error }: Ran): Ran[] {
  if (error === undefined) return [];
  throw new Error(`${what}: ${error.message}`, { cause: error });
}

async function unsettled(desk: Desk, scenario: Scenario, phase: number): Promise<string[]> {
  const wrong: string[] = [];
  for (const what of ["a second run", "a run after a refresh"]) {
    const { error, steps } = await desk.run(scenario, phase);
    if (error !== undefined) wrong.push(`${what} failed: ${error.message}`);
    if (steps.length > 0) wrong.push(`${what} planned ${steps.join(", ")}`);
    const refreshed = await desk.stack.refresh(desk.service);
    if (refreshed.error !== undefined) wrong.push(`a refresh failed: ${refreshed.error.message}`);
    if (refreshed.steps.length > 0) wrong.push(`a refresh found ${refreshed.steps.join(", ")}`);
  }
  return wrong;
}

/**
 * A subscription can't be found again: one that may exist without an owner is told. A funnel can't be deleted: of two that
 * a late list shows, one is retired, for the next funnel of its project.
 */
function isToldOrphan(line: string, told: string): boolean {
  if (line.startsWith("funnels: too much")) return line.includes("[retired by landform]");
  return line.startsWith("hooks: too much") && /orphan|second one|could not be confirmed|not confirmed/.test(told);
}

const LISTS = ["/projects", "/sites", "/pages", "/quizzes", "/funnels", "/products"].flatMap((path) => [
  path,
  `/search${path}`,
]);

function arm(emulator: Emulator, call: Call, { fault, reach, lists, lagMs }: FaultClass): void {
  const { method, route, skip, before } = call;
  if (reach === "everything from now on") {
    emulator.faults.add({ ...fault, skip: before, times: Infinity });
  } else if (reach === "the call's scope") {
    emulator.faults.add({ ...fault, scope: scopeOf(call), times: Infinity });
  } else {
    emulator.faults.add({ ...fault, method, path: route, skip });
  }
  if (lagMs !== undefined) emulator.notShown.listLagMs = lagMs / FASTER;
  if (lists !== undefined) atCall(emulator, call, lists);
}

/** Lists are as they are until the call comes. */
function atCall(emulator: Emulator, call: Call, lists: Omit<Fault, "method" | "path">): void {
  whenCalled(emulator, call, () => {
    for (const path of LISTS) emulator.faults.add({ ...lists, method: "GET", path, times: Infinity });
  });
}

/** Before the emulator does anything about the call. */
function whenCalled(emulator: Emulator, { method, route, skip }: Call, work: () => void): void {
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
