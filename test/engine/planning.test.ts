import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { EngineError } from "../../engine/errors.ts";
import type { PropertyMap, ResourceState } from "../../engine/model/types.ts";
import { createUrn } from "../../engine/model/urn.ts";
import { equal } from "../../engine/model/values.ts";
import { planDeletions } from "../../engine/plan/deletion.ts";
import { PlanState } from "../../engine/plan/plan-state.ts";
import { planRegistration } from "../../engine/plan/registration.ts";
import type { Answer, Ask, Planning, Registration, Step } from "../../engine/plan/types.ts";
import { thorough } from "../suite/parts.ts";

/** Planning with a provider that answers by itself: no process, no file, no clock. */

const PROJECT = "demo";
const STACK = "dev";
const THING = "pulumi-nodejs:dynamic/toy:Thing";
const PROVIDER = "urn:pulumi:dev::demo::pulumi:providers:pulumi-nodejs::default::1";

/** A change of `key` replaces; an unknown counts as a change. */
function answer(ask: Ask): Answer {
  if (ask.kind === "check") return { inputs: ask.news, failures: [] };
  const keys = [...new Set([...Object.keys(ask.oldInputs), ...Object.keys(ask.newInputs)])];
  const changed = keys.filter((key) => !equal(ask.oldInputs[key] ?? null, ask.newInputs[key] ?? null));
  const replaceKeys = changed.filter((key) => key === "key");
  return { changes: changed.length > 0 ? "some" : "none", replaceKeys, deleteBeforeReplace: false };
}

function drive<Result>(planning: Planning<Result>): Result {
  let next = planning.next();
  while (next.done !== true) next = planning.next(answer(next.value));
  return next.value;
}

interface Node {
  name: string;
  custom: boolean;
  parent: number | undefined;
  needs: number[];
  inputs: PropertyMap;
  deleteBeforeReplace: boolean;
  protect: boolean;
}

/** A program, in which each resource may need those before it. */
const program: fc.Arbitrary<Node[]> = fc
  .uniqueArray(fc.constantFrom("a", "b", "c", "d", "e", "f", "g", "h"), { minLength: 1, maxLength: 8 })
  .chain((names) =>
    fc.tuple(
      ...names.map((name, index) =>
        fc.record({
          name: fc.constant(name),
          custom: fc.boolean(),
          parent: index === 0 ? fc.constant(undefined) : fc.option(fc.nat(index - 1), { nil: undefined, freq: 4 }),
          needs: index === 0 ? fc.constant<number[]>([]) : fc.uniqueArray(fc.nat(index - 1), { maxLength: 2 }),
          inputs: fc.record({ text: fc.constantFrom("x", "y"), key: fc.constantFrom("k", "l") }),
          deleteBeforeReplace: fc.boolean(),
          protect: fc.constant(false),
        }),
      ),
    ),
  );

/** A program and its next version: some inputs changed, some resources gone, the rest unchanged. */
const change: fc.Arbitrary<[Node[], Node[]]> = program.chain((before) =>
  fc
    .tuple(...before.map(() => fc.constantFrom("same", "same", "text", "key", "gone")))
    .map((fates) => [before, evolve(before, fates)]),
);

function evolve(before: Node[], fates: string[]): Node[] {
  const left = before.map((node, index) => ({ node, index })).filter(({ index }) => fates[index] !== "gone");
  const moved = new Map(left.map(({ index }, position) => [index, position]));
  return left.map(({ node, index }) => {
    const fate = fates[index] ?? "same";
    return {
      ...node,
      parent: node.parent === undefined ? undefined : moved.get(node.parent),
      needs: node.needs.flatMap((needed) => moved.get(needed) ?? []),
      inputs: fate === "same" ? node.inputs : { ...node.inputs, [fate]: "changed" },
    };
  });
}

function registrations(nodes: Node[]): Registration[] {
  const urns: string[] = [];
  return nodes.map((node) => {
    const parent = node.parent === undefined ? undefined : urns[node.parent];
    const type = node.custom ? THING : "toy:Group";
    const needed = node.needs.map((index) => urns[index]).filter((urn) => urn !== undefined);
    urns.push(createUrn(STACK, PROJECT, parent, type, node.name));
    return {
      type,
      name: node.name,
      custom: node.custom,
      inputs: node.inputs,
      dependencies: needed,
      propertyDependencies: { text: needed, key: needed.slice(0, 1) },
      aliases: [],
      ignoreChanges: [],
      replaceOnChanges: [],
      additionalSecretOutputs: [],
      hideDiffs: [],
      protect: node.protect,
      retainOnDelete: false,
      ...(parent === undefined ? {} : { parent }),
      ...(node.custom ? { provider: PROVIDER } : {}),
      ...(node.deleteBeforeReplace ? { deleteBeforeReplace: true } : {}),
    };
  });
}

type Outcome = { steps: Step[]; state: ResourceState[] };

/** Plans and carries out in memory, in the order of an executor. */
function run(base: ResourceState[], nodes: Node[], options: { destroy?: boolean } = {}): Outcome {
  const planState = new PlanState(base, { project: PROJECT, stack: STACK, dryRun: false });
  const steps: Step[] = [];
  const state = [...base];
  const current = new Map<ResourceState, ResourceState>();
  const drop = (old: ResourceState | undefined) => {
    if (old === undefined) return;
    const index = state.indexOf(current.get(old) ?? old);
    if (index >= 0) state.splice(index, 1);
  };
  const apply = (step: Step) => {
    steps.push(step);
    planState.applied(step);
    if (step.op === "replace") return;
    if (step.op === "delete-replaced" && step.pending === true && step.old !== undefined) {
      const marked = { ...step.old, pendingReplacement: true };
      state[state.indexOf(step.old)] = marked;
      current.set(step.old, marked);
      return;
    }
    if (step.op === "create-replacement" && step.pending === true && step.old !== undefined) {
      const marked = { ...step.old, delete: true };
      state[state.indexOf(step.old)] = marked;
      current.set(step.old, marked);
    } else drop(step.old);
    if (step.new !== undefined) state.push(complete(step));
  };
  const registered = options.destroy === true ? [] : registrations(nodes);
  for (const registration of registered)
    for (const step of drive(planRegistration(planState, registration)).steps) apply(step);
  const { kept, rounds } = drive(planDeletions(planState));
  for (const step of [...kept, ...rounds.flat()]) apply(step);
  return { steps, state };
}

let ids = 0;
function complete(step: Step): ResourceState {
  const next = step.new ?? step.old;
  if (next === undefined) throw new Error("a step without a state");
  const id = step.op === "same" || step.op === "update" ? step.old?.id : `id-${++ids}`;
  return { ...next, outputs: next.inputs ?? {}, ...(next.custom ? { id } : {}) };
}

const ops = (steps: Step[]) => steps.map(({ op }) => op);

describe("planning", () => {
  test("an empty state leads to nothing but creates, each once, and then to nothing at all", () =>
    fc.assert(
      fc.property(program, (nodes) => {
        const first = run([], nodes);
        expect(ops(first.steps)).toEqual(nodes.map(() => "create"));
        const second = run(first.state, nodes);
        expect(new Set(ops(second.steps))).toEqual(new Set(["same"]));
        expect(second.state).toEqual(first.state);
      }),
    ));

  test("from any program to any other: the state ends as the second program says, and a third run has nothing to do", () =>
    fc.assert(
      fc.property(program, program, (before, after) => {
        const { state } = run(run([], before).state, after);
        const wanted = registrations(after).map(({ parent, type, name, inputs }) => ({
          urn: createUrn(STACK, PROJECT, parent, type, name),
          inputs,
        }));
        expect(state.map(({ urn, inputs }) => ({ urn, inputs }))).toEqual(expect.arrayContaining(wanted));
        expect(state).toHaveLength(wanted.length);
        expect(new Set(ops(run(state, after).steps))).toEqual(new Set(["same"]));
      }),
    ));

  /** Before a replacement, only the dependents go that it would replace, too. Others may keep a reference for a while. */
  const needs = ({ old, pending }: Step) =>
    pending === true ? old?.propertyDependencies?.["key"] : [old?.parent, ...(old?.dependencies ?? [])];

  thorough("every object is deleted at most once, and before what it depends on", () => {
    fc.assert(
      fc.property(change, ([before, after]) => {
        const { steps } = run(run([], before).state, after);
        const deletes = steps.filter(({ op }) => op === "delete" || op === "delete-replaced");
        expect(new Set(deletes.map(({ old }) => old)).size).toBe(deletes.length);
        for (const [index, { urn, pending }] of deletes.entries())
          for (const later of deletes.slice(index + 1))
            if (later.pending === pending) expect(needs(later) ?? [], `${later.urn} goes after`).not.toContain(urn);
      }),
      { numRuns: 500 },
    );
  });

  thorough("what was deleted ahead of a replacement is created again, and nothing is left of the old", () => {
    fc.assert(
      fc.property(change, ([before, after]) => {
        const { steps, state } = run(run([], before).state, after);
        const registered = new Set(after.map(({ name }) => name));
        for (const { urn } of steps.filter(({ op, pending }) => op === "delete-replaced" && pending === true)) {
          const again = steps.some((step) => step.op === "create-replacement" && step.urn === urn);
          const dropped = steps.some((step) => step.op === "remove-pending-replace" && step.urn === urn);
          expect(again || dropped).toBe(true);
          expect(again && !registered.has(urn.split("::").at(-1) ?? "")).toBe(false);
        }
        expect(state.filter((old) => old.delete === true || old.pendingReplacement === true)).toEqual([]);
        expect(state).toHaveLength(after.length);
        expect(new Set(ops(run(state, after).steps))).toEqual(new Set(after.length === 0 ? [] : ["same"]));
      }),
      { numRuns: 500 },
    );
  });

  thorough("replacing with deletion first takes along just the dependents that would be replaced, however far", () => {
    const nodes = (key: string): Node[] =>
      ["a", "b", "c", "d"].map((name, index) => ({
        name,
        custom: true,
        parent: undefined,
        needs: index === 0 ? [] : [index - 1],
        inputs: { text: "x", ...(index === 3 ? {} : { key: index === 0 ? key : "k" }) },
        deleteBeforeReplace: index === 0,
        protect: false,
      }));
    const { steps } = run(run([], nodes("one")).state, nodes("two"));
    const told = steps.map(({ op, urn }) => `${op} ${urn.split("::").at(-1) ?? ""}`);
    const replaced = ["a", "b", "c"].flatMap((name) => [`replace ${name}`, `create-replacement ${name}`]);
    expect(told).toEqual(["delete-replaced c", "delete-replaced b", "delete-replaced a", ...replaced, "same d"]);
  });

  thorough("destroy deletes every object once, dependents first", () => {
    fc.assert(
      fc.property(program, (nodes) => {
        const base = run([], nodes).state;
        const { steps, state } = run(base, [], { destroy: true });
        expect(state).toEqual([]);
        expect(ops(steps)).toEqual(base.map(() => "delete"));
        const order = steps.map(({ urn }) => urn);
        for (const resource of base)
          for (const needed of [resource.parent, ...(resource.dependencies ?? [])])
            if (needed !== undefined) expect(order.indexOf(resource.urn)).toBeLessThan(order.indexOf(needed));
      }),
    );
  });

  thorough("a replacement with deletion first never has old and new at once; any other has the new one first", () => {
    fc.assert(
      fc.property(change, ([before, after]) => {
        const { steps } = run(run([], before).state, after);
        for (const [index, step] of steps.entries()) {
          if (step.op !== "create-replacement") continue;
          const deletion = steps.findIndex((other) => other.op === "delete-replaced" && other.old === step.old);
          expect(deletion).toBeGreaterThanOrEqual(0);
          if (step.pending === true) expect(deletion).toBeGreaterThan(index);
          else expect(deletion).toBeLessThan(index);
        }
      }),
    );
  });

  thorough("a protected resource is never deleted or replaced", () => {
    fc.assert(
      fc.property(program, program, (before, after) => {
        const guarded = (nodes: Node[]) => nodes.map((node) => ({ ...node, protect: true }));
        const base = run([], guarded(before)).state;
        let steps: Step[] = [];
        try {
          steps = run(base, guarded(after)).steps;
        } catch (error) {
          expect(error).toBeInstanceOf(EngineError);
        }
        expect(steps.filter(({ op }) => op === "delete-replaced" || op === "replace")).toEqual([]);
      }),
    );
  });

  thorough("a state that a killed run left half replaced converges", () => {
    fc.assert(
      fc.property(program, program, fc.nat(7), (before, after, chosen) => {
        const base = run([], before).state;
        const victim = base[chosen % base.length];
        const left = base.map((one) => (one === victim && one.custom ? { ...one, pendingReplacement: true } : one));
        const { state, steps } = run(left, after);
        expect(state.some(({ pendingReplacement }) => pendingReplacement)).toBe(false);
        expect(steps.some((step) => step.op === "delete" && step.old?.pendingReplacement === true)).toBe(false);
        expect(new Set(ops(run(state, after).steps))).toEqual(new Set(["same"]));
      }),
    );
  });
});
