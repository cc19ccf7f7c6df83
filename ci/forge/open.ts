import type { ForgeAccess } from "../environment.ts";
import type { Forge } from "./forge.ts";
import { Github } from "./github.ts";
import { Gitlab } from "./gitlab.ts";

export function openForge(access: ForgeAccess & { token: string }): Forge {
  return access.kind === "github" ? new Github(access) : new Gitlab(access);
}
