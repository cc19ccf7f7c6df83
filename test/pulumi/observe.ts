import type { StepEventMetadata } from "@pulumi/pulumi/automation/index.js";
import { comparableState, editDeployment, misplaced, neutral, readDeployment } from "./checkpoint.ts";
import type { OperationResult, TestEngine } from "./engine.ts";
import { meaningfulOrder } from "./order.ts";
import { createSandbox, removeSandbox, setConfig, writeProgram, type Sandbox } from "./sandbox.ts";
import type { Scenario, Step } from "./scenario.ts";
import { ToyStore, type Call } from "./toy/store.ts";

/** The effects of one step, in a form that must be equal on both engines. */
export interface Observation {
  result: "succeeded" | "failed";
  /** The summary's counts. */
  changes: Record<string, number> | undefined;
  /** Every step that the engine announced, and its end. */
  operations: string[];
  /** Every call that reached the provider, with its arguments. */
  calls: string[];
  order: string[];
  state: unknown;
  misplaced: string[];
  /** The steps that a preview after a successful `up` would still do: none. */
  leftToDo: string[];
  live: Record<string, unknown>;
}

/** An observation with the facts that a person needs if it is not the expected one. */
export interface Outcome extends Observation {
  output: string;
}

const shortUrn = (urn: string): string => urn.split("::").slice(2).join("::");

/** Leaves out the properties that differ: the real engine doesn't get them from the provider, and ours works them out. */
const describeStep = ({ op, urn, keys }: StepEventMetadata): string =>
  `${op} ${shortUrn(urn)} ${[...(keys ?? [])].sort().join("+")}`.trimEnd();

/** Hides the default provider, which comes and goes by itself. The real engine announces it and shows it to nobody. */
const isShown = ({ urn }: StepEventMetadata): boolean => !urn.endsWith("::pulumi:providers:pulumi-nodejs::default");

/** After a failure, it is chance if the program still reports the stack's outputs. */
const isChance = (result: OperationResult["result"], { urn }: StepEventMetadata): boolean =>
  result === "failed" && urn.includes("::pulumi:pulumi:Stack::");

const describeOperations = ({ result, events }: OperationResult): string[] =>
  events
    .flatMap(({ resourcePreEvent: started, resOutputsEvent: ended, resOpFailedEvent: failed }) => [
      ...(started && isShown(started.metadata) ? [`start ${describeStep(started.metadata)}`] : []),
      ...(ended && isShown(ended.metadata) && !isChance(result, ended.metadata)
        ? [`end ${describeStep(ended.metadata)}`]
        : []),
      ...(failed && isShown(failed.metadata) ? [`fail ${describeStep(failed.metadata)}`] : []),
    ])
    .sort();

const describeCall = ({ method, name, id, olds, news, failed }: Call): string =>
  JSON.stringify({ method, name, id, olds, news, failed }, (_, value: unknown) =>
    typeof value === "object" && value !== null && !Array.isArray(value)
      ? Object.fromEntries(Object.entries(value).sort(([a], [b]) => a.localeCompare(b)))
      : value,
  );

const plannedChanges = ({ events }: OperationResult): string[] =>
  events
    .flatMap(({ resourcePreEvent: planned }) => (planned && planned.metadata.op !== "same" ? [planned.metadata] : []))
    .map(describeStep);

function prepare(sandbox: Sandbox, scenario: Scenario, position: number, step: Step): ToyStore {
  const store = new ToyStore(sandbox.store);
  if (step.program) writeProgram(sandbox, scenario.name, position);
  if (step.config) setConfig(sandbox, step.config);
  if (step.edit) editDeployment(sandbox, step.edit);
  step.outside?.(store);
  store.setFaults(step.faults ?? []);
  return store;
}

interface Run {
  engine: TestEngine;
  sandbox: Sandbox;
  scenario: Scenario;
  /** Runs a preview after each successful `up`. */
  previewAgain: boolean;
}

async function runStep({ engine, sandbox, scenario, previewAgain }: Run, position: number): Promise<Outcome> {
  const step = scenario.steps[position] ?? {};
  const kind = step.kind ?? "up";
  const store = prepare(sandbox, scenario, position, step);
  const mark = store.mark();
  const before = readDeployment(sandbox);
  const done = await engine.run({ sandbox, kind, options: step.options ?? {} });
  const calls = store.calls(mark);
  store.setFaults([]);
  const settles = previewAgain && kind === "up" && done.result === "succeeded" && step.unsettled !== true;
  const next = settles ? await engine.run({ sandbox, kind: "preview", options: {} }) : undefined;
  return {
    result: done.result,
    changes: done.events.find((event) => event.summaryEvent)?.summaryEvent?.resourceChanges,
    operations: describeOperations(done),
    calls: neutral(sandbox, calls.map(describeCall)).sort(),
    order: meaningfulOrder(calls, before, readDeployment(sandbox)),
    state: comparableState(sandbox),
    misplaced: misplaced(sandbox),
    leftToDo: next ? plannedChanges(next) : [],
    live: neutral(sandbox, Object.fromEntries(store.ids.map((id) => [id, store.read(id)]))),
    output: next === undefined ? done.output : `${done.output}\nThe preview afterwards ${next.result}:\n${next.output}`,
  };
}

/** Runs all steps of a scenario on one engine, in a sandbox of its own. */
export async function observeScenario(
  engine: TestEngine,
  scenario: Scenario,
  { previewAgain = true } = {},
): Promise<Outcome[]> {
  const sandbox = createSandbox();
  const run = { engine, sandbox, scenario, previewAgain };
  const outcomes: Outcome[] = [];
  try {
    await engine.open(sandbox);
    for (const position of scenario.steps.keys()) outcomes.push(await runStep(run, position));
    return outcomes;
  } finally {
    removeSandbox(sandbox);
  }
}
