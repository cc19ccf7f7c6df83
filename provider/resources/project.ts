/** Projects group pages, sites, funnels and products. */
import { z } from "zod";
import { ConflictError } from "../api/index.ts";
import { camelKeys, type JsonMap } from "../json.ts";
import { defineResource, type CheckFailure } from "../define.ts";
import { orGone, type Services } from "../lifecycle/services.ts";
import { DeleteError } from "../lifecycle/errors.ts";
import { out, timestamps, wireInputs } from "./fields.ts";
import { isRetired } from "./funnel.ts";

const SENT = ["name", "description", "context"] as const;

/** What the service asks of a new project. One that exists may hold less, and doesn't show its context. */
const MINIMUMS = { description: 50, context: 200 } as const;

export const project = defineResource({
  kind: "project",
  type: "Project",
  section: "projects",
  doc: "A project: the group that pages, sites, funnels and products belong to.",
  named: true,
  marked: true,
  inputs: z.strictObject({
    name: z.string().min(1).optional().describe("Display name. Default: the resource's logical name."),
    description: z
      .string()
      .optional()
      .describe("What the project is about, at least 50 characters. Needed unless the project is adopted."),
    context: z
      .string()
      .optional()
      .describe("Brand and offer brief, at least 200 characters. Needed unless the project is adopted."),
  }),
  outputs: z.object({
    name: out.text("Display name."),
    description: out.nullable("What the project is about."),
    context: out.nullable("Brand and offer brief, as the service answered it on the last write."),
    active: out.flag("False when the project is inactive."),
    ...timestamps,
  }),
  rules: {
    // Reads don't show it (specification: "present on create and update responses"), so it can't drift visibly.
    context: { live: (answer) => answer["context"] ?? undefined },
  },
  check: checkMinimums,
  create: async ({ api }, { description = "", context = "" }, name) => {
    const record = await api.projects.create({ name, description, context });
    return { id: record.id, answer: camelKeys(record), sent: SENT };
  },
  search: async ({ api }, query) =>
    (await api.projects.search({ query, limit: 100 })).map((row) => ({
      id: row.id,
      name: row.name,
      answer: camelKeys(row),
    })),
  read: async ({ projects }, id) => {
    const record = await projects.read(id);
    return record && camelKeys(withoutHiddenContext(record));
  },
  apply: async ({ services, id, now, changed, work }) => {
    const fields = SENT.filter((field) => changed.has(field));
    if (fields.length === 0) return;
    const record = await services.api.projects.update(id, wireInputs(now, fields));
    services.projects.forget(id);
    work.learn(camelKeys(withoutHiddenContext(record)));
  },
  delete: async (services, id) => {
    try {
      await orGone(services.api.projects.delete(id));
    } catch (error) {
      if (!(error instanceof ConflictError)) throw error;
      await explainConflict(services, id, error);
    }
  },
});

function checkMinimums(inputs: JsonMap, known: (value: unknown) => boolean): CheckFailure[] {
  if (inputs["adoptId"] !== undefined) return [];
  return (["description", "context"] as const).flatMap((property) => {
    const text = inputs[property];
    const minimum = MINIMUMS[property];
    if (!known(text) || (typeof text === "string" && Array.from(text).length >= minimum)) return [];
    const what = text === undefined ? "a new project needs one of" : "is too short for a new project, which needs";
    return [{ property, reason: `${property}: ${what} at least ${minimum} characters` }];
  });
}

function withoutHiddenContext<T extends { context?: string | null | undefined }>(record: T): T | Omit<T, "context"> {
  if (record.context !== null && record.context !== undefined) return record;
  const { context, ...rest } = record;
  return rest;
}

/**
 * The service keeps a project that something references. What the API can delete is named and fails the run; where only
 * sites and retired funnels are left, which it can't delete, the project stays too.
 */
async function explainConflict(services: Services, id: string, error: ConflictError): Promise<void> {
  const [pages, products, sites, funnels] = await Promise.all([
    services.api.pages.list({ project_id: id, limit: 100 }),
    services.api.products.list({ project_id: id, limit: 100 }),
    services.api.sites.list({ project_id: id, limit: 100 }),
    services.api.funnels.list({ project_id: id, limit: 100 }),
  ]);
  const active = funnels.filter((funnel) => !isRetired(funnel.name));
  const retired = funnels.filter((funnel) => isRetired(funnel.name));
  const blocking = [...named("page", pages), ...named("product", products), ...named("funnel", active)];
  const staying = [...named("site", sites), ...named("retired funnel", retired)];
  if (blocking.length > 0 || staying.length === 0) {
    throw new DeleteError(
      `Project ${id} is still in use (DELETE /projects/${id}: ${error.code ?? "project_in_use"})` +
        `${blocking.length > 0 ? `: ${listed([...blocking, ...staying])}` : ", but no list shows by what"}. ` +
        `Delete or move these first, then run again.`,
      { cause: error },
    );
  }
  services.warn(
    `Project ${id} stays in the account, because the API can't delete what belongs to it: ${listed(staying)}. ` +
      `It is no longer managed; remove it in the app if you don't want it.`,
  );
}

function named(kind: string, rows: readonly { id: string; name: string }[]): string[] {
  return rows.map((row) => `${kind} "${row.name}" (${row.id})`);
}

function listed(things: readonly string[]): string {
  const shown = things.slice(0, 10).join(", ");
  return things.length > 10 ? `${shown} and ${things.length - 10} more` : shown;
}
