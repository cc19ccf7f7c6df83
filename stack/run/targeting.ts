/** The targets of a command: what the engine gets of them, what they must match, and what a run of them would leave behind. */
import type { Engine, OperationKind, RunRequest, RunResult } from "../engines/contract.ts";
import { UsageError } from "../exit/codes.ts";
import type { StackFolder } from "../project/open.ts";
import type { Planned } from "../report/build.ts";
import type { Report } from "../report/model.ts";
import { formerUrns, leftBehind, noMatch, readTarget, unmatched, withUnmatched, type Target } from "./targets.ts";

export class Targeting {
  readonly #targets: readonly Target[];
  /** What the state calls targets that the program renames. */
  readonly #formerly: string[] = [];

  constructor(texts: readonly string[], { project, stack }: Pick<StackFolder, "project" | "stack">) {
    this.#targets = texts.map((text) => readTarget(text, project.name, stack));
  }

  get urns(): string[] {
    return [...this.#targets.map(({ urn }) => urn), ...this.#formerly];
  }

  /** The URNs of the state. Without a program to run, a target that none of them matches is refused here. */
  async known(
    engine: Engine,
    kind: OperationKind,
    { runsProgram }: { runsProgram: boolean },
  ): Promise<readonly string[]> {
    if (this.#targets.length === 0) return [];
    const known = await engine.resources();
    if (known === undefined) return [];
    const [missing] = runsProgram ? [] : unmatched(this.#targets, known);
    if (missing !== undefined) throw new UsageError(noMatch(missing, known, kind));
    return known;
  }

  withUnmatched(run: RunResult, urns: ReadonlySet<string>, kind: OperationKind): RunResult {
    return withUnmatched(run, this.#targets, urns, kind);
  }

  /** Whether the plan has told of other names that the targets have in the state: it is to be made once more with them. */
  learnNames({ told }: Planned, { kind, refresh = false }: RunRequest): boolean {
    if (kind !== "preview" || this.#targets.length === 0) return false;
    const formerly = formerUrns(told.values(), this.#targets, { refresh });
    this.#formerly.push(...formerly);
    return formerly.length > 0;
  }

  /** The plan, refused where its run would break what Pulumi's engine records. */
  async held<Ran extends { report: Report; preview: Planned }>(ran: Ran, engine: Engine): Promise<Ran> {
    const { report, preview } = ran;
    const isAsked = this.#targets.length > 0 && report.engine.name === "pulumi" && report.result === "succeeded";
    const failures = isAsked ? leftBehind(preview.told.values(), this.#targets, (await engine.states()) ?? []) : [];
    if (failures.length === 0) return ran;
    return { ...ran, report: { ...report, result: "failed", failures: [...report.failures, ...failures] } };
  }
}
