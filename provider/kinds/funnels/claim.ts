/**
 * Takes over a retired funnel, which another stack may want at the same moment. The API has no compare-and-swap, so a claimant takes three
 * steps: (1) It writes a mark of this attempt into the name, which still says that the funnel is retired. (2) After a while it reads the
 * funnel again. If it finds its own mark and no steps, it writes name and steps in one call. (3) After a while it reads the funnel once
 * more, and gives way if it finds another's name there. If no call takes longer than that while, at most one of any number of claimants
 * ends with the funnel. If a call does, a funnel in use may get a wrong name. That is drift, and the funnel is never shared.
 */
import { randomBytes } from "node:crypto";
import type { FunnelStep } from "../../api/inputs.ts";
import type { LandformApi } from "../../api/index.ts";
import type { Funnel } from "../../api/records.ts";
import { camelKeys, filterMap, isMap, type Json, type JsonMap, sanitize } from "../../values/json.ts";
import type { RunContext } from "../../reconcile/run-context.ts";
import { mayComeOf } from "../../account/spelling.ts";

export const RETIRED = "[retired by landform]";
const CLAIM = /\s*\[claim [0-9a-f]+\]/gi;
/** The most writes of a claim against claimants that come late. */
const MOST_TURNS = 3;

export function isRetired(name: string | null): boolean {
  return (name ?? "").trim().toLowerCase().endsWith(RETIRED);
}

export interface Claiming {
  read(): Promise<Funnel | undefined>;
  write(fields: { name: string; pages?: FunnelStep[] }): Promise<Funnel>;
  /** Waits longer than a call takes. */
  wait(): Promise<void>;
}

/** Returns the funnel with this name and these steps; undefined if it is another's. */
export async function claim(calls: Claiming, name: string, steps: FunnelStep[]): Promise<Funnel | undefined> {
  const found = await calls.read();
  if (!found || !isRetired(found.name) || hasSteps(found)) return undefined;
  const base = baseOf(found.name);
  const mark = `${base} [claim ${randomBytes(6).toString("hex")}] ${RETIRED}`.trim();
  await calls.write({ name: mark });
  await calls.wait();
  const marked = await calls.read();
  if (!marked || !isNamed(marked, mark)) return undefined;
  if (!hasSteps(marked)) return use(calls, name, steps);
  // Somebody was faster and has put steps there, so the funnel must not look retired to them.
  await calls.write({ name: base });
  return undefined;
}

async function use(calls: Claiming, name: string, steps: FunnelStep[]): Promise<Funnel | undefined> {
  for (let turn = 0; turn < MOST_TURNS; turn++) {
    const written = await calls.write({ name, pages: steps });
    await calls.wait();
    const live = await calls.read();
    if (!live) return undefined;
    if (isNamed(live, name)) return live;
    // A claimant that came late gives way to steps that stand there. Without steps it does not.
    if (!isRetired(live.name) || !hasSteps(live) || shown(live) !== shown(written)) return undefined;
  }
  return undefined;
}

/** Returns the name without the word that says it is retired, and without failed claims of others. */
function baseOf(name: string): string {
  const plain = name.trim().slice(0, -RETIRED.length).replace(CLAIM, "").trim();
  return plain === "" ? "Funnel" : plain;
}

/** A service may fold or trim names. */
function isNamed(funnel: Funnel, name: string): boolean {
  return funnel.name.trim().toLowerCase() === name.trim().toLowerCase();
}

export function hasSteps(funnel: Funnel): boolean {
  return stepsOf(camelKeys(funnel)).length > 0;
}

function shown(funnel: Funnel): string {
  return JSON.stringify(stepsOf(camelKeys(funnel)));
}

/** By project, the retired funnels. One look per run serves everything that wants to take one over. */
class Looks {
  readonly byProject = new Map<string, Promise<readonly Funnel[]>>();
}

/** Returns the funnels as they were at the first look. The claim finds out if one is still free. */
export function retiredIn(run: RunContext, projectId: string | undefined): Promise<readonly Funnel[]> {
  const [looks, key] = [run.part(Looks).byProject, projectId ?? ""];
  const look = looks.get(key) ?? searchRetired(run.api, projectId);
  looks.set(key, look);
  look.catch(() => looks.delete(key));
  return look;
}

export async function searchRetired(api: LandformApi, projectId: string | undefined): Promise<readonly Funnel[]> {
  const rows = await api.funnels.search({ query: RETIRED, project_id: projectId, limit: 100 });
  return rows.filter((row) => isRetired(row.name) && (row.project_id ?? undefined) === projectId);
}

/** Drops the looks, since this run has retired another funnel. */
export function lookAgain(run: RunContext): void {
  run.part(Looks).byProject.clear();
}

/** Steps wherever the service keeps them: step objects under `steps` or `pages`, or bare page ids. Ids may be numbers here. */
export function stepsOf(answer: JsonMap): Json[] {
  const { steps, pages, pageIds } = answer;
  if (Array.isArray(steps) && steps.length > 0) return steps.map(stepOf);
  if (Array.isArray(pages) && pages.length > 0) return pages.map(stepOf);
  if (typeof pageIds === "string" && pageIds !== "") return pageIds.split(",").map((id) => ({ pageId: id.trim() }));
  return [];
}

function stepOf(raw: Json): Json {
  if (typeof raw === "string" || typeof raw === "number") return { pageId: String(raw) };
  if (!isMap(raw)) return raw;
  const named = pageIdOf(raw);
  const pageId = typeof named === "number" ? String(named) : named;
  const url = raw["url"];
  const pageType = raw["pageType"] ?? raw["page_type"] ?? raw["type"];
  const found = { pageId: pageId || undefined, url: pageId ? undefined : url, pageType };
  return filterMap(sanitize(found), (value) => typeof value === "string");
}

/** Returns the page id of a step. A step that names its page, or an address, has an id of its own. */
function pageIdOf(step: JsonMap): Json | undefined {
  const names = ["pageId", "page_id", "page"].filter((name) => name in step);
  const [named] = names.flatMap((name) => step[name] ?? []);
  if (isMap(named)) return named["id"];
  return names.length > 0 || step["url"] ? named : step["id"];
}

/** Tells if such an answer may come of these steps. A funnel keeps their order. One that shows bare ids may not show the other steps. */
export function stepsComeOf(sent: Json, { steps }: JsonMap): boolean {
  if (!Array.isArray(sent) || !Array.isArray(steps)) return true;
  const areBare = steps.every((step) => isMap(step) && step["url"] === undefined && step["pageType"] === undefined);
  let next = 0;
  for (const step of sent) {
    if (isStepOf(step, steps[next])) next++;
    else if (!(areBare && isMap(step) && step["pageId"] === undefined)) return false;
  }
  return next === steps.length;
}

function isStepOf(sent: Json, shown: Json | undefined): boolean {
  if (!isMap(sent) || !isMap(shown)) return shown !== undefined;
  const { pageId, url = null, pageType = null } = sent;
  const address = shown["url"] ?? shown["pageId"];
  // Only texts can tell that the shown address does not come of the sent one.
  const isThere = pageId === undefined ? address !== undefined && mayComeOf(url, address) : shown["pageId"] === pageId;
  return isThere && (shown["pageType"] === undefined || mayComeOf(pageType, shown["pageType"]));
}
