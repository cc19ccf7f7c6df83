/** Funnels of a project that were retired: one look a run serves all who would take one over. */
import type { Funnel } from "../../api/records.ts";
import type { RunContext } from "../../reconcile/run-context.ts";
import { isRetired, RETIRED } from "./claim.ts";

class RetiredFunnels {
  readonly #run: RunContext;
  /** By project. */
  readonly #looks = new Map<string, Promise<readonly Funnel[]>>();

  constructor(run: RunContext) {
    this.#run = run;
  }

  in(projectId: string | undefined): Promise<readonly Funnel[]> {
    const key = projectId ?? "";
    const look = this.#looks.get(key) ?? this.#search(projectId);
    this.#looks.set(key, look);
    look.catch(() => this.#looks.delete(key));
    return look;
  }

  forget(): void {
    this.#looks.clear();
  }

  async #search(projectId: string | undefined): Promise<readonly Funnel[]> {
    const rows = await this.#run.api.funnels.search({ query: RETIRED, project_id: projectId, limit: 100 });
    return rows.filter((row) => isRetired(row.name) && (row.project_id ?? undefined) === projectId);
  }
}

/** As they were at the first look; whether one is still free is for the claim to find out. */
export function retiredIn(run: RunContext, projectId: string | undefined): Promise<readonly Funnel[]> {
  return run.part(RetiredFunnels).in(projectId);
}

/** This run has retired another one. */
export function lookAgain(run: RunContext): void {
  run.part(RetiredFunnels).forget();
}
