import { StateError } from "./errors.ts";
import type { Json } from "./types.ts";

/** Pulumi.yaml: what the engine and the command line need of it. */
export interface Project {
  name: string;
  /** The folder of Pulumi.yaml. */
  root: string;
  /** Pulumi.yaml itself; absent for a project made by the caller. */
  file?: string;
  runtime: { name: string; options: Record<string, Json> };
  main?: string;
  description?: string;
  /** `backend.url`. */
  backendUrl?: string;
  /** Where Pulumi.<stack>.yaml lives. */
  stackConfigDir: string;
  config: Record<string, ProjectConfigEntry>;
}

/** An entry of `config` in Pulumi.yaml, its key with namespace. */
export interface ProjectConfigEntry {
  value?: Json;
  type?: string;
  secret?: boolean;
}

/** Reads Pulumi.yaml or Pulumi.yml of a folder; undefined when there is none. */
export function readProject(_folder: string): Promise<Project | undefined> {
  throw new StateError("not built yet");
}
