/**
 * Funnels of one project come in one list, which has no further pages. A list may lag behind what was written, so a row that
 * differs from what the state knows is no drift until a read by its id says the same.
 */
import type { Funnel } from "../../api/records.ts";
import { LIST_SIZE, Snapshot } from "../../account/bulk.ts";
import { same, type JsonMap } from "../../values/json.ts";
import type { RunContext } from "../../reconcile/run-context.ts";

const lists = new WeakMap<RunContext, Map<string, Snapshot<Funnel>>>();

interface Reading {
  readonly id: string;
  /** What the state has of it. */
  readonly known: JsonMap;
  readonly answerOf: (row: Funnel) => JsonMap;
  /** Reads one by its id. */
  readonly one: (id: string) => Promise<Funnel | undefined>;
}

export async function readFunnel(run: RunContext, reading: Reading): Promise<Funnel | undefined> {
  const { id, known, answerOf, one } = reading;
  const { projectId } = known;
  if (typeof projectId !== "string") return one(id);
  const row = await listOf(run, projectId, one).read(id);
  const isAsKnown = row && Object.entries(answerOf(row)).every(([field, value]) => same(value, known[field]));
  return isAsKnown === false ? one(id) : row;
}

/** It is written to. */
export function forgetFunnel(run: RunContext, id: string): void {
  for (const list of lists.get(run)?.values() ?? []) list.forget(id);
}

/** Reads that come in together are answered from one list; a lonely one goes by id. */
function listOf(run: RunContext, projectId: string, one: Reading["one"]): Snapshot<Funnel> {
  const ofRun = lists.get(run) ?? new Map<string, Snapshot<Funnel>>();
  lists.set(run, ofRun);
  const known = ofRun.get(projectId);
  if (known) return known;
  const list = (page: number): Promise<Funnel[]> =>
    page === 0 ? run.api.funnels.list({ project_id: projectId, limit: LIST_SIZE }) : Promise.resolve([]);
  const snapshot = new Snapshot<Funnel>({ list, one, enough: 2 });
  ofRun.set(projectId, snapshot);
  return snapshot;
}
