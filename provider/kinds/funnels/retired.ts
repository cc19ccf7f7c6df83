/** Funnels of a project that were retired: one look a run serves all who would take one over. */
import type { Funnel } from "../../api/records.ts";
import type { RunContext } from "../../reconcile/run-context.ts";
import { isRetired, RETIRED } from "./claim.ts";

const looks = new WeakMap<RunContext, Map<string, Promise<readonly Funnel[]>>>();

/** As they were at the first look; whether one is still free is for the claim to find out. */
export function retiredIn(run: RunContext, projectId: string | undefined): Promise<readonly Funnel[]> {
  const ofRun = looks.get(run) ?? new Map<string, Promise<readonly Funnel[]>>();
  looks.set(run, ofRun);
  const key = projectId ?? "";
  const known = ofRun.get(key);
  if (known) return known;
  const look = search(run, projectId);
  ofRun.set(key, look);
  look.catch(() => ofRun.delete(key));
  return look;
}

/** This run has retired another one. */
export function lookAgain(run: RunContext): void {
  looks.delete(run);
}

async function search(run: RunContext, projectId: string | undefined): Promise<readonly Funnel[]> {
  const rows = await run.api.funnels.search({ query: RETIRED, project_id: projectId, limit: 100 });
  return rows.filter((row) => isRetired(row.name) && (row.project_id ?? undefined) === projectId);
}
