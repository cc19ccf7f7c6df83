import { loadContract, resolve } from "../http/contract.ts";
import { invalid, notFound, Refusal } from "../http/errors.ts";
import { equals, matches, type Window, windowOf } from "../http/paging.ts";
import type { ProjectRecord } from "../records/records.ts";
import type { Service } from "../records/service.ts";
import { type Call, type Deleted, deleted, type Operations } from "./operation.ts";

interface ProjectFields {
  name: string;
  description: string;
  context: string;
}

interface Search extends Window {
  query?: string;
  project_id?: string;
}

const minimums = { description: 50, context: 200 } as const;

export const projects: Operations = {
  listProjects: (service, { query }: Call<Window>) =>
    windowOf(service.list(service.projects), query).map((project) => onRead(service, project)),

  searchProjects: (service, { query }: Call<Search>) => {
    const found = service
      .list(service.projects)
      .filter(({ id }) => equals(query.project_id, id))
      .filter(({ name, description }) => matches(query.query, name, description));
    return windowOf(found, query).map((project) => onRead(service, project));
  },

  createProject: (service, { body }: Call<unknown, ProjectFields>) => {
    const { plan } = service.account;
    if (plan === null || plan === "free") {
      throw new Refusal("paid_plan", "Creating a project needs a paid plan.");
    }
    const project = addProject(service, body);
    return { ...projectOnWire(project), context: project.context };
  },

  getProject: (service, { params }: Call) => onRead(service, projectById(service, params["projectId"])),

  updateProject: (service, { params, body }: Call<unknown, Partial<ProjectFields>>) => {
    const before = projectById(service, params["projectId"]);
    if (service.notShown.projectMinimumsOnUpdate) refuseShort(body);
    const fields = fieldsOf(service, { ...before, ...body });
    const project = service.projects.put({ ...before, ...fields, updatedAt: service.now() });
    return { ...projectOnWire(project), context: project.context };
  },

  deleteProject: (service, { params }: Call): Deleted => {
    const { id, name } = projectById(service, params["projectId"]);
    const users = usersOf(service, id);
    if (users.length > 0) {
      const message = `The project "${name}" is still used by ${users.join(", ")}. Delete or move them first.`;
      throw new Refusal("project_in_use", message);
    }
    service.projects.delete(id);
    return deleted(id);
  },
};

/** Makes a new project, whatever the plan. */
export function addProject(service: Service, fields: ProjectFields): ProjectRecord {
  const project = service.projects.put({ ...service.born("proj"), ...fieldsOf(service, fields), active: true });
  service.emit("project.created", "project", projectOnWire(project));
  return project;
}

function projectById(service: Service, id: string | undefined): ProjectRecord {
  const project = service.projects.get(id ?? "");
  if (project === undefined) throw notFound("project", id ?? "");
  return project;
}

/** Returns the id of a project that exists, to put something in. */
export function projectIdOf(service: Service, id: string | undefined): string | null {
  return id === undefined ? null : projectById(service, id).id;
}

/** Only the answers to create and update have `context`. */
function projectOnWire({ id, name, description, active, createdAt, updatedAt }: ProjectRecord) {
  return { id, name, description, active, created_at: createdAt, updated_at: updatedAt };
}

function onRead(service: Service, project: ProjectRecord) {
  const wire = projectOnWire(project);
  return service.notShown.projectContextOnRead ? { ...wire, context: project.context } : wire;
}

function fieldsOf(service: Service, { name, description, context }: ProjectFields): ProjectFields {
  return { name: service.nameOf(name), description, context };
}

function refuseShort(body: Partial<ProjectFields>): void {
  for (const field of ["description", "context"] as const) {
    const text = body[field];
    if (text !== undefined && characters(text) < minimums[field]) {
      throw invalid(`The body is wrong: ${field} must have at least ${minimums[field]} characters.`);
    }
  }
}

/** Counts characters as JSON Schema does. */
function characters(text: string): number {
  return Array.from(text).length;
}

function usersOf(service: Service, projectId: string): string[] {
  const made = madeInProjects();
  return Object.entries(service.records()).flatMap(([kind, records]) => {
    const count = records.filter((record) => "projectId" in record && record.projectId === projectId).length;
    if (count === 0 || !made.has(kind)) return [];
    return [`${count} ${count === 1 ? kind.replace(/s$/, "") : kind}`];
  });
}

interface Parts {
  readonly properties?: object;
  readonly allOf?: readonly unknown[];
}

/** Returns the collections whose records the API makes in a project. Visitors leave leads, and people upload videos in the app: they keep no project. */
function madeInProjects(): ReadonlySet<string> {
  const makes = loadContract().operations.filter(({ creates, body }) => creates && takesProject(body));
  return new Set(makes.flatMap(({ path }) => path.split("/")[1] ?? []));
}

function takesProject(schema: unknown): boolean {
  const { properties = {}, allOf = [] } = resolve(loadContract().document, schema ?? {}) as Parts;
  return "project_id" in properties || allOf.some(takesProject);
}
