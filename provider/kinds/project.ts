/** Projects group pages, sites, funnels and products. */
import { landform } from "../values/command-line.ts";
import { z } from "zod";
import { ConflictError, type Project, type ProjectUpdate } from "../api/index.ts";
import { defineCollection, MOST, ofId, recordsOf } from "../definition/collection.ts";
import { camelKeys, type JsonMap } from "../values/json.ts";
import { defineResource } from "../definition/define.ts";
import { listed } from "../values/wording.ts";
import { brokenRule, type CheckFailure } from "../values/problems.ts";
import type { RunContext } from "../reconcile/run-context.ts";
import { DeleteError } from "../messages/errors.ts";
import { markerOf, nameIn, resourceKeyIn, creationDigestIn, stackIn } from "../ledger/identity.ts";
import type { ObjectState } from "../reconcile/object-state.ts";
import { fieldsOf, remove, write } from "../reconcile/settled.ts";
import { displayName, type FieldOf, out, timestamps, wireInputs } from "./fields.ts";
import { calledAmong, foreseeDeletion, type Kinds, usersOf } from "./projects/users.ts";

const SENT = ["name", "description", "context"] as const satisfies readonly FieldOf<ProjectUpdate>[];

/** The lengths that the service asks of a new project. An existing one may hold less, and doesn't show its context. */
const MINIMUMS = { description: 50, context: 200 } as const;

const projects = defineCollection({
  what: "project",
  plural: "projects",
  calls: { list: "listProjects", search: "searchProjects", read: "getProject" },
  filters: z.object({}),
  nameOf: ({ name }: Project) => name,
  read: (api, id) => api.projects.read(id),
  find: (api, id) => ofId(api.projects.search({ project_id: id }), id),
  search: (api, query) => api.projects.search({ query, limit: MOST }),
  all: (api, _filter, options) => api.projects.iterate(options),
  ofProject: (api, id) => recordsOf(api.projects.read(id).then((row) => [row])),
  listPage: (api, paging) => api.projects.list(paging),
});

/** `kinds`: all kinds, of which some refer to projects. */
export const projectAmong = (kinds: Kinds) =>
  defineResource({
    kind: "project",
    section: "projects",
    doc: "A project: the group that pages, sites, funnels and products belong to.",
    named: true,
    inputs: z.strictObject({
      name: displayName.describe("Display name. Default: the resource's logical name."),
      description: z
        .string()
        .optional()
        .describe("A description of the project, at least 50 characters. Needed unless the project is adopted."),
      context: z
        .string()
        .optional()
        .describe("Brand and offer brief, at least 200 characters. Needed unless the project is adopted."),
    }),
    outputs: z.object({
      name: out.text("Display name."),
      description: out.nullable("A description of the project."),
      context: out.nullable("Brand and offer brief, from the answer to the last write."),
      active: out.flag("False when the project is inactive."),
      ...timestamps,
    }),
    rules: {
      name: { stays: true },
      description: { stays: true },
      // Reads don't show it (specification: "present on create and update responses"), so it can't drift visibly.
      context: { shownValue: (answer) => answer["context"] ?? undefined, shownOnWrites: true, stays: true },
    },
    collection: projects,
    shown: { answerOf, steady: { active: [], createdAt: [] } },
    calls: {
      create: ["searchProjects", "createProject", "updateProject"],
      adopt: ["getProject", "updateProject"],
      update: ["getProject", "updateProject"],
      delete: ["getProject", "deleteProject"],
    },
    inPreview: { becomes: "base's" },
    limits: [
      {
        api: "The API refuses to delete a project that something still refers to.",
        landform:
          "Landform names what still refers to it. If these objects can't go either (sites, retired funnels) or stay by `retainOnDelete` in the same run, the project stays with a warning, and the destroy succeeds.",
      },
    ],
    exporting: {
      hidden: { text: "A project's context (the brand brief) is not shown by the API.", unless: "context" },
      of: ({ name }, { asNew, standIn }, inputs) => {
        if ("context" in inputs || !asNew) return { inputs, notes: [] };
        const text = "a stand-in for the brief, which the API doesn't show: write the real one into its file";
        return { inputs: { ...inputs, context: standIn(standInBrief(name)) }, notes: [{ field: "context", text }] };
      },
    },
    plan: { check: checkMinimums, foreseeDeletion: (api, planned) => foreseeDeletion(api, kinds, planned) },
    create: async ({ api }, { description = "", context = "" }, name) => {
      const record = await api.projects.create({ name, description, context });
      return { id: record.id, answer: camelKeys(record), sent: SENT };
    },
    apply: async (pass) => {
      const { run, id, now, changed } = pass;
      const fields = SENT.filter((field) => changed.has(field));
      if (fields.length === 0) return;
      await write(pass, {
        call: `PATCH /projects/${id}`,
        sent: fieldsOf(now, new Set(fields)),
        send: async () => answerOf(await run.api.projects.update(id, wireInputs(now, fields))),
        read: async () => answerOf(await run.api.projects.read(id)),
      });
    },
    delete: async (run, id, old) => {
      const { projects } = run.api;
      try {
        await remove(run, {
          kind: "project",
          id,
          call: `DELETE /projects/${id}`,
          send: () => projects.delete(id),
          look: () => projects.read(id),
          mayStay: (refusal) => mayStay(run, id, { kinds, refusal, old }),
        });
      } catch (error) {
        if (!(error instanceof ConflictError)) throw error;
        throw new DeleteError(inUse(id, error, ", but no list shows by what"), { cause: error });
      }
    },
  });

function standInBrief(name: string): string {
  return (
    `This text stands in for the brand and offer brief of the project "${name.trim()}".\n\n` +
    "The API doesn't show the brief of a project that exists, and a new project needs one of at least 200 characters. " +
    `Write the real brief into this file: before the first ${landform("up")}, or later, since a project takes a changed brief.\n`
  );
}

function checkMinimums(inputs: JsonMap, known: (value: unknown) => boolean): CheckFailure[] {
  if (inputs["adoptId"] !== undefined) return [];
  return (["description", "context"] as const).flatMap((property) => {
    const text = inputs[property];
    const minimum = MINIMUMS[property];
    if (!known(text) || (typeof text === "string" && Array.from(text).length >= minimum)) return [];
    const fault =
      typeof text === "string"
        ? `has ${Array.from(text).length} characters; a new project needs at least ${minimum}`
        : `is missing: a new project needs at least ${minimum} characters. For a project that exists, set adoptId`;
    return [brokenRule([property], "minimum", fault, true)];
  });
}

function answerOf({ context, ...record }: Project): JsonMap {
  return camelKeys(context === null || context === undefined ? record : { ...record, context });
}

/**
 * Tells if a project may stay: the service keeps a project that something references. Objects that the API can delete are named and fail
 * the run. If only objects are left that stay, too, such as a site, a retired funnel or a retained page, the project stays with them. False if
 * only objects are left that this run deleted: the service lags, and the next attempt may succeed.
 */
async function mayStay(
  run: RunContext,
  id: string,
  { kinds, refusal, old }: { kinds: Kinds; refusal: ConflictError; old: ObjectState },
): Promise<boolean> {
  const users = await usersOf(run.api, kinds, id, {
    isGone: (key) => run.deleted.has(key),
    isLeft: (key) => run.settings.leaves?.has(key) === true,
    stack: old.identity && stackIn(resourceKeyIn(old.identity)),
  });
  const [blocking, staying] = [calledAmong(users, false), calledAmong(users, true)];
  if (blocking.length > 0) throw new DeleteError(inUse(id, refusal, `: ${listed([...blocking, ...staying])}`));
  if (staying.length === 0) return false;
  const isFindable = await leaveFindable(run, id, old);
  const text =
    `Project ${id} stays in the account, because these stay and belong to it: ${listed(staying)}. ` +
    `Landform no longer manages it. ${isFindable ? "The next up of this stack takes it over. " : ""}` +
    `Remove it in the app if you don't want it.`;
  run.warn({ code: "stays", kind: "project", id, text });
  return true;
}

/**
 * Leaves a project so that a creation of the same resource finds it again by its id in the ledger. So destroy and up don't make one project
 * after the other. adoptId finds an adopted project.
 */
async function leaveFindable(run: RunContext, id: string, old: ObjectState): Promise<boolean> {
  const { identity, declared, account } = old;
  if (identity === undefined || declared.has("adoptId")) return false;
  const { ledger } = run.settings;
  const marker = markerOf(identity, []);
  const { resourceKey: key } = marker;
  await ledger.put({
    ...{ key, at: ledger.beginning(key), kind: "project", name: nameIn(identity), state: "intended", id },
    ...{ creationDigest: creationDigestIn(marker), ...(account !== undefined && { account }) },
  });
  return true;
}

function inUse(id: string, refusal: ConflictError, by: string): string {
  const code = refusal.code ?? "project_in_use";
  return `Project ${id} is still in use (DELETE /projects/${id}: ${code})${by}. Delete or move these first, then run again.`;
}
