import { homedir } from "node:os";
import { join } from "node:path";
import { readIfThere } from "../state/files.ts";
import type { Project } from "./project.ts";

/**
 * Returns the backend that `pulumi` would use here: PULUMI_BACKEND_URL, the project's `backend.url`, or the last login. Undefined if there is none.
 * `FileBackend.open` may refuse it by name.
 */
export async function configuredBackend(
  project: Project | undefined,
  env: NodeJS.ProcessEnv,
): Promise<string | undefined> {
  const given = env["PULUMI_BACKEND_URL"];
  if (given !== undefined && given !== "") return given;
  return project?.backendUrl ?? loggedInBackend(env["PULUMI_HOME"] ?? join(homedir(), ".pulumi"));
}

async function loggedInBackend(pulumiHome: string): Promise<string | undefined> {
  const bytes = await readIfThere(join(pulumiHome, "credentials.json"));
  if (bytes === undefined) return undefined;
  try {
    const { current } = JSON.parse(bytes.toString("utf8")) as { current?: unknown };
    return typeof current === "string" && current !== "" ? current : undefined;
  } catch {
    // A broken file is not ours to repair, and no place for a state.
    return undefined;
  }
}
