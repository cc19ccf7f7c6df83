/** Reads `--target`: finds the URNs that match it, and words the message if none does. Pure. */
import type { RunResult } from "../report/run-result.ts";
import { listed } from "../../provider/values/wording.ts";
import {
  dependencyUrns,
  isDefaultProvider,
  isRootStack,
  nameOf,
  type ResourceState,
  Targets,
  typeOf,
} from "../../engine/index.ts";
import { nearest } from "../../provider/values/nearest.ts";
import { type OperationKind, type Engine, RUNS_A_PROGRAM, type RunRequest } from "../engines/contract.ts";
import type { Failure, Report } from "../report/model.ts";
import { operationOf, shortName, type Told } from "../report/steps.ts";
import { UsageError } from "../exit/codes.ts";
import type { StackFolder } from "../project/open.ts";
import type { Planned } from "../report/build.ts";

interface Target {
  text: string;
  /** A URN, or a pattern of URNs. */
  urn: string;
}

/**
 * `Page/offer` stands for the URN of any resource of that type and name, and `*mugs*` for any with such a name. Stars stand for parts of
 * either. A URN, and a pattern with `**`, is Pulumi's own and stays as it is.
 */
function readTarget(text: string, project: string, stack: string): Target {
  if (text.startsWith("urn:") || text.includes("**")) return { text, urn: text };
  const [, type, name] = /^([^/:]+)\/(.+)$/s.exec(text) ?? [];
  const start = `urn:pulumi:${stack}::${project}::**`;
  if (type !== undefined) return { text, urn: `${start}landform:${type}::${name ?? ""}` };
  return { text, urn: text.includes("*") ? `${start}::${text}` : text };
}

function unmatched(targets: readonly Target[], urns: Iterable<string>): Target[] {
  const all = [...urns];
  return targets.filter(({ urn }) => {
    const matches = new Targets([urn]);
    return !all.some((one) => matches.has(one));
  });
}

/** Returns the message for a target that matches nothing. `urns`: everything that it could have matched. */
function noMatch({ text }: Target, urns: Iterable<string>, kind: OperationKind): string {
  const where = RUNS_A_PROGRAM.has(kind) ? "the stack or the program" : "the stack";
  const shown = [...urns].filter((urn) => !isRootStack(urn) && !isDefaultProvider(urn));
  const labels = [...new Set(shown.map(labelOf))].sort();
  const close = text.includes("*") ? [] : nearest(labelOf(text), labels, MOST_NAMES);
  return `the target ${text} matches nothing in ${where}. ${close.length > 0 ? `Did you mean ${close.join(" or ")}?` : choice(labels)}`;
}

function choice(labels: readonly string[]): string {
  return labels.length === 0 ? "There is nothing yet." : `There are: ${listed(labels, MOST_LISTED)}.`;
}

const MOST_NAMES = 3;
const MOST_LISTED = 10;

/**
 * Finds resources that depend on a target that an alias renames and that are no targets themselves. Pulumi (3.245) then writes a state that
 * has the renamed resource twice, and no later run can read it. Pulumi 3.274 ends the preview by these words.
 */
function leftBehind(told: Iterable<Told>, targets: readonly Target[], states: readonly ResourceState[]): Failure[] {
  const chosen = new Targets(targets.map(({ urn }) => urn));
  const recorded = new Set(states.map(({ urn }) => urn));
  const renames = [...told].filter(({ urn, id }) => id !== "" && !recorded.has(urn));
  const byId = new Map(renames.map(({ urn, id }) => [`${typeOf(urn)} ${id}`, urn]));
  const urnNow = (state: ResourceState): string => byId.get(`${typeOf(state.urn)} ${state.id ?? ""}`) ?? state.urn;
  const now = new Map(states.map((state) => [state.urn, urnNow(state)]));
  return states.flatMap((state) => {
    const urn = urnNow(state);
    const renamed = [...dependencyUrns(state)].find((one) => {
      const next = now.get(one);
      return next !== undefined && next !== one && chosen.has(next);
    });
    if (renamed === undefined || chosen.has(urn)) return [];
    const message =
      `${labelOf(urn)} depends on ${labelOf(now.get(renamed) ?? renamed)}, which this run renames, and is no target: Pulumi's engine ` +
      `can't record the one without the other. Target it too, or run without targets`;
    return [{ cause: "program" as const, message, urn }];
  });
}

const BROKEN = "snapshot integrity error";

function labelOf(text: string): string {
  if (!text.startsWith("urn:")) return text;
  const [type, name] = [typeOf(text), nameOf(text)];
  return type.includes("landform:") ? `${shortName(type)}/${name}` : text;
}

export class Targeting {
  readonly #targets: readonly Target[];
  /** The names in the state of targets that the program renames. */
  readonly #formerly: string[] = [];

  constructor(texts: readonly string[], { project, stack }: Pick<StackFolder, "project" | "stack">) {
    this.#targets = texts.map((text) => readTarget(text, project.name, stack));
  }

  get urns(): string[] {
    return [...this.#targets.map(({ urn }) => urn), ...this.#formerly];
  }

  /** Returns the URNs of the state. If no program runs, it refuses a target that matches none of them. */
  async known(engine: Engine, kind: OperationKind): Promise<readonly string[]> {
    const known = this.#targets.length === 0 ? undefined : await engine.resources();
    if (known === undefined) return [];
    const [missing] = RUNS_A_PROGRAM.has(kind) ? [] : unmatched(this.#targets, known);
    if (missing !== undefined) throw new UsageError(noMatch(missing, known, kind));
    return known;
  }

  /** Adds failures for targets that matched nothing. The engines tell only some of them, and in their own words. */
  withUnmatched(run: RunResult, urns: ReadonlySet<string>, kind: OperationKind): RunResult {
    const isNamed = ({ urn }: Target) => run.failures.some(({ message }) => message.includes(urn));
    // A run that failed early has not seen every resource.
    const missing = unmatched(this.#targets, urns).filter((one) => run.result === "succeeded" || isNamed(one));
    if (missing.length === 0) return run;
    const others = run.failures.filter(({ message }) => !missing.some(({ urn }) => message.includes(urn)));
    const failures = missing.map((target) => {
      return { cause: "program" as const, message: noMatch(target, urns, kind), urn: target.urn };
    });
    return { ...run, result: "failed", failures: [...failures, ...others] };
  }

  /**
   * Tells if the plan found other names of the targets in the state. Then the plan is made once more with them. They are needed for a
   * refresh, which comes before the program, and for the deletion of a replaced object. They are patterns, because Pulumi refuses a URN that
   * a refresh finds gone.
   */
  learnNames({ told }: Planned, { kind, refresh = false }: RunRequest): boolean {
    if (kind !== "preview" || this.#targets.length === 0) return false;
    const chosen = new Targets(this.#targets.map(({ urn }) => urn));
    const concerned = [...told.values()].filter(
      ({ urn, steps }) => chosen.has(urn) && (refresh || operationOf(steps) === "replace"),
    );
    const before = new Set(concerned.flatMap(({ steps }) => [...steps.values()].flatMap(({ old }) => old?.urn ?? [])));
    const formerly = [...before].filter((urn) => !chosen.has(urn)).map((urn) => `**${urn}`);
    this.#formerly.push(...formerly);
    return formerly.length > 0;
  }

  /** Refuses a plan whose run would break the state of Pulumi's engine. */
  async held<Ran extends { report: Report; preview: Planned }>(ran: Ran, engine: Engine): Promise<Ran> {
    const { report, preview } = ran;
    const isAsked = this.#targets.length > 0 && report.engine.name === "pulumi";
    const failures = isAsked ? leftBehind(preview.told.values(), this.#targets, (await engine.states()) ?? []) : [];
    if (failures.length === 0) return ran;
    const others = report.failures.filter(({ message }) => !message.includes(BROKEN));
    return { ...ran, report: { ...report, result: "failed", failures: [...others, ...failures] } };
  }
}
