import type { LandformApi, Project } from "../api/index.ts";
import { collect, findOne, shown, type Limit, type One, type Shown } from "./find.ts";

/** One project, by its id or its name. */
export async function getProject(api: LandformApi, wanted: One): Promise<Shown<Project>> {
  const record = await findOne(
    {
      what: "project",
      nameOf: ({ name }) => name,
      read: api.projects.read,
      search: (query) => api.projects.search({ query, limit: 100 }),
      all: () => api.projects.iterate(),
    },
    wanted,
  );
  return shown(record);
}

export async function listProjects(api: LandformApi, { limit }: Limit = {}): Promise<Shown<Project>[]> {
  return (await collect(api.projects.iterate({ limit }))).map(shown);
}
