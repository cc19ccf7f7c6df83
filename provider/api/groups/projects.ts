import { z } from "zod";
import type { Call } from "../caller.ts";
import type { ProjectCreate, ProjectList, ProjectSearch, ProjectUpdate } from "../inputs.ts";
import type { IterateOptions, Pager } from "../paging.ts";
import { deleted, project } from "../records.ts";

const projects = z.array(project);

export function projectsGroup(call: Call, pager: Pager) {
  const list = (query?: ProjectList) => call("listProjects", projects, { query: { ...query } });
  return {
    list,
    iterate: (options?: IterateOptions) => pager.pages("listProjects", list, options),
    create: (body: ProjectCreate) => call("createProject", project, { body }),
    search: (query: ProjectSearch) => call("searchProjects", projects, { query: { ...query } }),
    read: (projectId: string) => call("getProject", project, { ids: { projectId } }),
    /** Refused with a ConflictError (`project_in_use`) while a page, product, site or funnel is in the project. */
    delete: (projectId: string) => call("deleteProject", deleted, { ids: { projectId } }),
    update: (projectId: string, body: ProjectUpdate) => call("updateProject", project, { ids: { projectId }, body }),
  };
}
