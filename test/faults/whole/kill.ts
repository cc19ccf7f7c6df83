/** kill -9 of the whole run (command, program, host, engine) at one boundary of one of its calls, and what came of it. */
import { watch, type FSWatcher } from "node:fs";
import { contents, faultsIn, type Account } from "../oracle.ts";
import type { Asked, Moment } from "../between.ts";
import type { Ended, Kept, Machine } from "./machine.ts";
import type { Version } from "./program.ts";

export const BOUNDARIES = ["before it is sent", "after commit", "after the answer", "before the record"] as const;
export type Boundary = (typeof BOUNDARIES)[number];

export interface Operation {
  readonly name: "up" | "update" | "replace" | "destroy";
  /** The program as it is then. */
  readonly version: Version;
  readonly args: readonly string[];
}

export const OPERATIONS: readonly Operation[] = [
  { name: "up", version: "1", args: ["up", "--yes", "--force"] },
  { name: "update", version: "2", args: ["up", "--yes", "--force"] },
  { name: "replace", version: "3", args: ["up", "--yes", "--force"] },
  { name: "destroy", version: "1", args: ["destroy", "--yes", "--force"] },
];

/** An operation, what it starts from, which calls it makes and what it leaves behind where nobody kills it. */
export interface Undisturbed {
  readonly operation: Operation;
  readonly start: Kept;
  readonly calls: readonly Asked[];
  readonly expected: Record<string, string[]>;
}

export interface Outcome {
  readonly operation: string;
  readonly boundary: Boundary;
  /** The call, or nothing where the run ended before it made so many. */
  readonly call: string | undefined;
  readonly wrong: readonly string[];
  /** How many subscriptions nobody knows of. */
  readonly orphans: number;
}

const FAILED = "the run failed, and nobody disturbed it";

/** From the machine as it is. Leaves it as the operation does. */
export async function undisturbed(machine: Machine, operation: Operation): Promise<Undisturbed> {
  const start = machine.keep(operation.name);
  machine.between.forget();
  machine.use(operation.version);
  const { code, said } = await machine.run(operation.args);
  if (code !== 0) throw new Error(`${operation.name}: ${FAILED}: ${said}`);
  return {
    operation,
    start,
    calls: [...machine.between.asked],
    expected: contents(machine.emulator.records()),
  };
}

export interface Kill {
  /** Of the call, from 0. */
  readonly number: number;
  readonly boundary: Boundary;
  /** The run is carried on with on another machine. */
  readonly moves: boolean;
  /** What another stack or a person made before there was the stack. */
  readonly strangers: Account;
}

export async function killed(
  machine: Machine,
  { operation, start, expected }: Undisturbed,
  { number, boundary, moves, strangers }: Kill,
): Promise<Outcome> {
  machine.restore(start);
  machine.use(operation.version);
  const { call, ...struck } = await strike(machine, operation.args, { number, boundary });
  if (moves) machine.move();
  await machine.free();
  const next = await machine.run(operation.args);
  const preview = operation.name === "destroy" ? undefined : await machine.run(["preview", "--detailed-exitcode"]);
  const { emulator } = machine;
  const told = struck.said + next.said;
  const found = faultsIn({ emulator, before: strangers, adopted: "", expected, told, key: emulator.apiKey });
  // A subscription that was removed stays in the account, inactive.
  const hooks = found.filter((line) => line.startsWith("hooks: too much"));
  const orphans = hooks.filter((line) => line.includes('"active":true'));
  // A funnel can't be deleted: what is too much of them is retired, for the next funnel of its project.
  const isLeft = (line: string): boolean => line.startsWith("funnels: too much") && line.includes("[retired by");
  // A project that has to stay is left under its marker, so that the next up finds it.
  const isFindable = (line: string): boolean =>
    operation.name === "destroy" && line === "a marker was left in the account: projects";
  const wrong = [
    ...(next.code === 0 ? [] : [`the next run failed: ${next.said}`]),
    ...(preview === undefined || preview.code === 0 ? [] : [`a further run would change something: ${preview.said}`]),
    ...found.filter((line) => !hooks.includes(line) && !isLeft(line) && !isFindable(line)),
    ...(orphans.length > 1 ? orphans : []),
    ...(orphans.length === 1 && !/orphan|second one|not be confirmed/.test(next.said) ? [`untold: ${next.said}`] : []),
  ];
  return { operation: operation.name, boundary, call, wrong, orphans: orphans.length };
}

/** Runs the command, and ends it there with all that it has started. `counts`: which calls the number is of. */
export async function strike(
  machine: Machine,
  args: readonly string[],
  { number, boundary }: Pick<Kill, "number" | "boundary">,
  counts: (asked: Asked) => boolean = () => true,
): Promise<Ended & Pick<Outcome, "call">> {
  let call: string | undefined;
  let watching: FSWatcher | undefined;
  const counted = new Map<number, number>();
  const ended = await machine.run(args, (kill) => {
    machine.between.ends = (moment: Moment, asked, at) => {
      if (call !== undefined && boundary === "before the record" && moment === "before it is sent") kill();
      if (moment === "before it is sent" && counts(asked)) counted.set(at, counted.size);
      if (counted.get(at) !== number || moment !== (boundary === "before the record" ? "after the answer" : boundary))
        return false;
      call = `${asked.method} ${routeOf(asked.path)}`;
      if (boundary !== "before the record") kill();
      else watching = watch(machine.state, { recursive: true }, kill);
      return moment !== "after the answer";
    };
  });
  watching?.close();
  machine.between.ends = () => false;
  return { ...ended, call };
}

function routeOf(path: string): string {
  return path.replaceAll(/\/((page|proj|site|funnel|prod|hook|quiz|vid)_\w+|landform-asks-[\w-]+)/g, "/{id}");
}
