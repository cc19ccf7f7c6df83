/** What killed runs have left in the account, where all of the stack goes: it goes, too. */
import type { Remains } from "../plan/plan.ts";
import type { Report } from "../report/model.ts";
import { Interrupted, withLeftovers } from "./interrupted.ts";
import { asCreation } from "./left-by-killed.ts";
import type { StackSession } from "./session.ts";

export class DestroyLeftovers implements Remains {
  readonly #found: Interrupted;
  #ended: readonly string[] = [];
  #removed = 0;

  private constructor(found: Interrupted) {
    this.#found = found;
  }

  /** After the plan is made. A part of the stack takes nothing else along. */
  static async find(session: StackSession): Promise<DestroyLeftovers> {
    const isPart = session.options.target.length > 0;
    return new DestroyLeftovers(await Interrupted.find(session, isPart ? [] : await unfinished(session)));
  }

  has(kind: string, id: string): boolean {
    return this.#found.has(kind, id);
  }

  foretold(report: Report): Promise<Report> {
    const going = this.#found.planned("all");
    const warned = warning(report, [...this.#found.warnings, ...going]);
    return Promise.resolve(withLeftovers(warned, { count: going.length, removed: false }));
  }

  async begin(): Promise<readonly string[]> {
    const { removed, kept, failed } = await this.#found.remove("all");
    this.#removed = removed.length;
    this.#ended = [...this.#found.warnings, ...removed, ...kept];
    return failed;
  }

  removed(report: Report): Promise<Report> {
    const told = this.#ended.filter((text) => !report.warnings.includes(text));
    return Promise.resolve(withLeftovers(warning(report, told), { count: this.#removed, removed: true }));
  }

  close(): Promise<void> {
    return this.#found.close();
  }
}

function warning(report: Report, more: readonly string[]): Report {
  return { ...report, warnings: [...report.warnings, ...more] };
}

/** What the state knows to be under way, and what a run was to remove and did not come to. */
async function unfinished({ engine }: StackSession) {
  const { unwanted } = await engine.creations();
  return [...(await engine.underWay()), ...unwanted.map(asCreation)];
}

/** Of who looks for them by itself. */
export const NO_REMAINS: Remains = {
  has: () => false,
  foretold: (report) => Promise.resolve(report),
  begin: () => Promise.resolve([]),
  removed: (report) => Promise.resolve(report),
  close: () => Promise.resolve(),
};
