/** Kills a whole run (command, program, host, engine) with -9 at one boundary of one of its calls, and judges the result. */
import { watch, type FSWatcher } from "node:fs";
import { contents, faultsIn, type Account } from "../oracle.ts";
import type { Asked, Moment } from "../between.ts";
import type { Ended, Kept, Machine } from "./machine.ts";
import type { Version } from "./program.ts";

export const BOUNDARIES = ["before it is sent", "after commit", "after the answer", "before the record"] as const;
export type Boundary = (typeof BOUNDARIES)[number];

export interface Operation {
  readonly name: "up" | "update" | "replace" | "destroy";
  /** The program at that time. */
  readonly version: Version;
  readonly args: readonly string[];
}

export const OPERATIONS: readonly Operation[] = [
  { name: "up", version: "1", args: ["up", "--yes", "--force"] },
  { name: "update", version: "2", args: ["up", "--yes", "--force"] },
  { name: "replace", version: "3", args: ["up", "--yes", "--force"] },
  { name: "destroy", version: "1", args: ["destroy", "--yes", "--force"] },
];

/** An operation with its starting point, its calls, and its result without a kill. */
export interface Undisturbed {
  readonly operation: Operation;
  readonly start: Kept;
  readonly calls: readonly Asked[];
  readonly expected: Record<string, string[]>;
}

export interface Outcome {
  readonly operation: string;
  readonly boundary: Boundary;
  /** The call, or undefined if the run ended before it made so many. */
  readonly call: string | undefined;
  readonly wrong: readonly string[];
  /** The number of subscriptions that nobody knows. */
  readonly orphans: number;
}

const FAILED = "the run failed, and nobody disturbed it";

/** Starts from the machine as it is, and leaves it as the operation does. */
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
  /** The number of the call, from 0. */
  readonly number: number;
  readonly boundary: Boundary;
  /** True if the next run is on another machine. */
  readonly moves: boolean;
  /** The objects of another stack or a person from before the stack. */
  readonly strangers: Account;
}

export async function killed(
  machine: Machine,
  { operation, start, expected }: Undisturbed,
  { number, boundary, moves, strangers }: Kill,
): Promise<Outcome> {
  machine.restore(start);
  await machine.unpack();
  machine.use(operation.version);
  const { call, ...struck } = await strike(machine, operation.args, { number, boundary });
  if (moves) machine.move();
  await machine.free();
  const next = await machine.run(operation.args);
  const preview = operation.name === "destroy" ? undefined : await machine.run(["preview", "--detailed-exitcode"]);
  const { emulator, adopted } = machine;
  const told = struck.said + next.said;
  const found = faultsIn({ emulator, before: strangers, adopted, expected, told, key: emulator.apiKey });
  // A removed subscription stays in the account, inactive.
  const hooks = found.filter((line) => line.startsWith("hooks: too much"));
  const orphans = hooks.filter((line) => line.includes('"active":true'));
  // A funnel can't be deleted: extra ones are retired for the next funnel of their project.
  const isLeft = (line: string): boolean => line.startsWith("funnels: too much") && line.includes("[retired by");
  // A project that has to stay keeps its marker, so that the next up finds it.
  const isFindable = (line: string): boolean =>
    operation.name === "destroy" && line === "a marker was left in the account: projects";
  const wrong = [
    ...(next.code === 0 ? [] : [`the next run failed: ${next.said}`]),
    ...(preview === undefined || preview.code === 0 ? [] : [`a further run would change something: ${preview.said}`]),
    ...found.filter((line) => !hooks.includes(line) && !isLeft(line) && !isFindable(line)),
    ...(orphans.length > 1 ? orphans : []),
    ...(orphans.length === 1 && !/orphan|second one|could not confirm/.test(next.said) ? [`untold: ${next.said}`] : []),
  ];
  return { operation: operation.name, boundary, call, wrong, orphans: orphans.length };
}

/** Runs the command, and kills it at the place with everything that it has started. `counts` chooses the counted calls. */
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

/** Returns the path with {id} for each id. */
export function routeOf(path: string): string {
  return path.replaceAll(/\/((page|proj|site|funnel|prod|hook|quiz|vid)_\w+|landform-asks-[\w-]+)/g, "/{id}");
}
