/**
 * Funnels: ordered page flows. The API can't delete one. So Landform retires a funnel that is no longer declared (renames it, empties its
 * steps), and the next new funnel of the same project takes it over.
 */
import { z } from "zod";
import type { FunnelStep } from "../api/inputs.ts";
import type { Funnel } from "../api/records.ts";
import type { LandformApi } from "../api/index.ts";
import { defineCollection, MOST, ofId } from "../definition/collection.ts";
import { type Created, defineResource } from "../definition/define.ts";
import type { Exported, ExportedInputs, ExportedValue, Exporting, Note } from "../definition/exporting.ts";
import { MADE } from "../definition/in-preview.ts";
import { idOf } from "../definition/schema-walk.ts";
import { camelKeys, isMap, type Json, type JsonMap, same } from "../values/json.ts";
import { DeleteError, NotYetSeenError } from "../messages/errors.ts";
import { orGone } from "../account/presence.ts";
import type { RunContext } from "../reconcile/run-context.ts";
import { markerIn, objectKey } from "../ledger/identity.ts";
import { fieldsOf, isBeingRemoved, isOthersSince, removing, write } from "../reconcile/settled.ts";
import { displayName, out, timestamps } from "./fields.ts";
import {
  claim,
  hasSteps,
  type Claiming,
  isRetired,
  lookAgain,
  RETIRED,
  retiredIn,
  searchRetired,
  stepsComeOf,
  stepsOf,
} from "./funnels/claim.ts";

const pageType = z.string().min(1).describe("Step type, such as presell, sales or thankyou.");

const step = z.union([
  z.strictObject({ pageId: idOf("page", "quiz").describe("Id of a page of this account."), pageType }),
  z.strictObject({
    url: z.string().min(1).describe("External URL, if the step is not a page of this account."),
    pageType,
  }),
]);

const funnels = defineCollection({
  what: "funnel",
  plural: "funnels",
  calls: { list: "listFunnels", search: "searchFunnels", read: "getFunnel" },
  filters: z.object({ projectId: z.string().optional() }),
  nameOf: ({ name }: Funnel) => name,
  read: (api, id) => api.funnels.read(id),
  find: (api, id) => ofId(api.funnels.search({ funnel_id: id }), id),
  search: (api, query) => api.funnels.search({ query, limit: MOST }),
  all: (api, filter, { limit = Infinity } = {}) => allFunnels(api, filter, limit),
  capped:
    "The API lists at most 100 funnels at a time and has no pagination for them. So funnels without a project may be missing, and funnels of a project that has more than 100.",
});

export const funnel = defineResource({
  kind: "funnel",
  section: "funnels",
  doc: "A funnel: pages in the order in which a visitor goes through them.",
  named: true,
  inputs: z.strictObject({
    name: displayName.describe("Display name. Default: the resource's logical name."),
    projectId: idOf("project").optional().describe("Project of the funnel. A change replaces it."),
    steps: z.array(step).optional().describe("Steps in order."),
  }),
  outputs: z.object({
    name: out.text("Display name."),
    projectId: out.nullable("Project of the funnel."),
    siteId: out.nullable("Site of the funnel."),
    status: out.nullable("Status as the service calls it."),
    pages: z.array(z.unknown()).describe("Page ids or step objects, as the service stores them."),
    pageIds: out.nullable("Comma-separated page ids, if the service stores ids."),
    steps: z.array(z.unknown()).describe("Steps in order."),
    ...timestamps,
  }),
  rules: {
    name: { stays: true },
    projectId: { onChange: "replace", emptyStays: true },
    steps: { shownValue: (answer, declared) => liveSteps(answer, declared), comesOf: stepsComeOf, cleared: [] },
  },
  collection: funnels,
  shown: {
    answerOf,
    repeats: { steps: ["pages", "pageIds"] },
    steady: { createdAt: [] },
    pointing: { shown: ({ steps = [] }) => ({ steps }) },
  },
  calls: {
    create: ["listFunnels", "createFunnel", "updateFunnel"],
    adopt: ["getFunnel", "updateFunnel"],
    update: ["getFunnel", "updateFunnel"],
    delete: ["getFunnel", "updateFunnel"],
  },
  leaves: "retired",
  inPreview: MADE,
  limits: [
    {
      api: "The API can't delete a funnel.",
      landform:
        "Landform retires it: it empties the steps and adds `[retired by landform]` to the name. The next new funnel of the same project reuses it.",
    },
    {
      api: "The specification does not say if the API stores bare page ids instead of steps.",
      landform: "If the service shows only ids, Landform compares only their order.",
    },
  ],
  public: "flow",
  exporting: {
    leftOut: ({ name }) => (isRetired(name) ? "retired: the next new funnel of its project takes it over" : undefined),
    isDefault: (_field, value) => Array.isArray(value) && value.length === 0,
    of: (row, around, shown) => exportedFunnel(row, around, shown),
  },
  plan: {
    takesOver: async (api, { projectId }) => {
      if (projectId === null) return [];
      const found = await api.once(`retired funnels of ${projectId ?? "no project"}`, () =>
        searchRetired(api, projectId),
      );
      return found.map(({ id, project_id: project }) => ({ id, project, retired: true }));
    },
  },
  life: {
    reuse: async (run, inputs, name) => {
      const record = await takeRetired(run, inputs.projectId, name, inputs.steps ?? []);
      return record && made(record);
    },
  },
  create: async ({ api }, inputs, name) =>
    made(await api.funnels.create({ name, project_id: inputs.projectId, pages: inputs.steps ?? [] })),
  read: async (run, id, old) => {
    const record = isBeingRemoved(run, old)
      ? await run.account.read(funnels, id)
      : await readFunnel(run, id, old.answer);
    return record && !isRetired(record.name) && !isOthersSince(run, old, asItIs(record)) ? answerOf(record) : undefined;
  },
  apply: async (pass) => {
    const { run, id, now, changed } = pass;
    const name = changed.has("name") ? now.name : undefined;
    const pages = changed.has("steps") ? (now.steps ?? []) : undefined;
    if (name === undefined && pages === undefined) return;
    await write(pass, {
      call: "PATCH /funnels",
      sent: fieldsOf(now, changed),
      send: async () => answerOf(await run.api.funnels.update({ funnel_id: id, name, pages })),
      read: async () => answerOf(await run.api.funnels.read(id)),
    });
  },
  delete: async (run, id, old) => {
    const record = await run.account.read(funnels, id);
    if (!record || isRetired(record.name)) return;
    if (isOthersSince(run, old, asItIs(record))) {
      const text = `Funnel ${id} ("${record.name}") is not retired: it has changed since a killed run began to retire it, so it may be in use by another stack. If it is not, delete its steps in the app.`;
      run.warn({ code: "stays", kind: "funnel", id, text });
      return;
    }
    const name = `${plainName(old.answer["name"], record.name)} ${RETIRED}`;
    await removing(run, { kind: "funnel" }, old, asItIs(record), () => retire(run, id, name));
    lookAgain(run);
  },
});

/** Funnels of one project come in one list. A row that differs from the state is drift only if a read by its id says the same. */
function readFunnel(run: RunContext, id: string, known: JsonMap): Promise<Funnel | undefined> {
  const { projectId } = known;
  const isAsKnown = (row: Funnel) => Object.entries(answerOf(row)).every(([field, value]) => same(value, known[field]));
  if (typeof projectId !== "string") return run.account.row(funnels, id, isAsKnown);
  const list = () => run.api.funnels.list({ project_id: projectId, limit: MOST });
  return run.account.row(funnels, id, isAsKnown, { name: projectId, list });
}

/** Returns the parts of a funnel that another stack changes when it takes the funnel over. */
function asItIs(record: Funnel): Json {
  return [record.name, stepsOf(camelKeys(record)), record.updated_at];
}

/** A funnel that keeps its steps is not retired, and visitors still go through it. */
async function retire(run: RunContext, id: string, name: string): Promise<void> {
  const call = "PATCH /funnels";
  const unmoved = (row: Funnel) => (hasSteps(row) ? ["steps"] : []);
  const send = () => run.api.funnels.update({ funnel_id: id, name, pages: [] });
  try {
    await run.account.settled(await send(), { id, call, again: () => run.api.funnels.read(id), unmoved });
  } catch (error) {
    if (!(error instanceof NotYetSeenError)) throw error;
    throw new DeleteError(
      `the service answered ${call} with success, but funnel ${id} still has its steps: it is not retired, and stays in the state. ` +
        `Run again later. If the steps stay, remove them in the app.`,
    );
  }
}

function plainName(known: Json | undefined, live: string): string {
  const name = typeof known === "string" ? known : live;
  return markerIn(name) === undefined ? name : name.slice(0, name.toLowerCase().lastIndexOf("[lf-")).trim();
}

/** Takes over a retired funnel that nothing else in this run has taken. For other runs, see claim.ts. */
async function takeRetired(run: RunContext, projectId: string | undefined, name: string, steps: FunnelStep[]) {
  const { funnels } = run.api;
  for (const { id } of await retiredIn(run, projectId)) {
    const key = objectKey({ kind: "funnel" }, id);
    if (run.taken.has(key)) continue;
    run.taken.add(key);
    const calls: Claiming = {
      read: () => orGone(funnels.read(id)),
      write: (fields) => funnels.update({ funnel_id: id, ...fields }),
      wait: () => run.account.letOthersEnd(),
    };
    const won = await claim(calls, name, steps);
    if (won) return won;
  }
  return undefined;
}

async function* allFunnels(
  api: LandformApi,
  filter: { project_id?: string },
  limit: number,
): AsyncGenerator<Funnel, void, undefined> {
  if (limit <= 0) return;
  if (limit <= MOST) yield* await api.funnels.list({ ...filter, limit });
  else yield* (await api.funnels.listAll(filter)).records.slice(0, limit);
}

function exportedFunnel(row: Funnel, { asNew, ref, isExported }: Exporting, { projectId }: ExportedInputs): Exported {
  const notes: Note[] = [];
  const live = (stepsOf(camelKeys(row)) as JsonMap[]).filter(({ pageId }) => {
    if (!asNew || typeof pageId !== "string" || isExported("page", pageId)) return true;
    notes.push({ field: "steps", text: `a step is left out: its page ${pageId} is not part of this export` });
    return false;
  });
  if (!live.every(hasType))
    notes.push({ field: "steps", text: "the pageType of the steps is a guess, since this service doesn't show it" });
  const unread = live.flatMap((one, index) => ("pageId" in one || "url" in one ? [] : [index + 1]));
  if (unread.length > 0)
    notes.push({
      field: "steps",
      text: `this service shows neither page nor url of step ${unread.join(", ")}: say which`,
    });
  const steps = live.map((one, index): ExportedValue => {
    const { pageId, url = "" } = one;
    const pageType = hasType(one) ? one.pageType : guess(index, live.length);
    return typeof pageId === "string" ? { pageId: ref("page", pageId), pageType } : { url, pageType };
  });
  return { inputs: { projectId: projectId ?? null, steps }, notes };
}

function hasType(step: JsonMap): step is JsonMap & { pageType: string } {
  const { pageType } = step;
  return typeof pageType === "string" && pageType !== "";
}

function guess(index: number, length: number): string {
  if (index === 0) return "presell";
  return index === length - 1 ? "thankyou" : "sales";
}

function made(record: Funnel): Created {
  return { id: record.id, answer: answerOf(record), sent: ["name", "projectId", "steps"] };
}

function answerOf(record: Funnel): JsonMap {
  const answer = camelKeys(record);
  return { ...answer, steps: stepsOf(answer) };
}

/** Returns the live steps, reduced to what can be compared: if the service stores bare ids, only their order is visible. */
function liveSteps(answer: JsonMap, declared: Json): Json | undefined {
  const live = answer["steps"];
  if (!Array.isArray(live)) return undefined;
  if (!Array.isArray(declared)) return live;
  return live.map((step, index) => {
    const wanted = declared[index];
    if (!isMap(step) || !isMap(wanted) || step["pageType"] !== undefined) return step;
    return step["pageId"] === wanted["pageId"] ? wanted : step;
  });
}
