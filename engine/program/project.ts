import { homedir } from "node:os";
import { basename, dirname, extname, join } from "node:path";
import { isMap, isScalar } from "yaml";
import type { Json } from "../model/types.ts";
import { isObject } from "../model/values.ts";
import type { ProjectFileError } from "../state/errors.ts";
import { readIfThere } from "../state/files.ts";
import { checkedName, isName } from "../state/layout.ts";
import { YamlFile } from "./yaml-file.ts";

/** The parts of Pulumi.yaml that the engine and the command line need. */
export interface Project {
  name: string;
  root: string;
  /** Pulumi.yaml itself; absent for a project that the caller made. */
  file?: string;
  runtime: { name: string; options: Record<string, Json> };
  main?: string;
  description?: string;
  backendUrl?: string;
  /** The folder of Pulumi.<stack>.yaml, as a path. */
  stackConfigDir: string;
  config: ProjectConfigEntry[];
}

/** An entry of `config` in Pulumi.yaml: its type, and the value for every stack that has none of its own. */
export interface ProjectConfigEntry {
  key: string;
  value?: Json;
  type?: string;
  secret?: boolean;
  where: string;
}

const FILES = ["Pulumi.yaml", "Pulumi.yml"];

export async function readProject(folder: string): Promise<Project | undefined> {
  for (const name of FILES) {
    const file = join(folder, name);
    const bytes = await readIfThere(file);
    if (bytes !== undefined) return parseProject(new YamlFile(file, bytes.toString("utf8")));
  }
  return undefined;
}

export function projectWithoutFile(folder: string, name: string): Project {
  return { name, root: folder, runtime: { name: "nodejs", options: {} }, stackConfigDir: folder, config: [] };
}

export function stackConfigFile(project: Project, stack: string): string {
  // Pulumi's own backends also take a stack's name with its organization and project.
  const name =
    stack
      .split("/")
      .map((part) => checkedName("stack", part))
      .at(-1) ?? "";
  return join(project.stackConfigDir, `Pulumi.${name}${extname(project.file ?? "Pulumi.yaml")}`);
}

/** Adds the namespace: `name` belongs to the project; `namespace:name` and the older `namespace:config:name` have one. */
export function fullKey(project: Project, key: string): string | undefined {
  const parts = key.split(":");
  if (parts.some((part) => part.trim() === "")) return undefined;
  if (parts.length === 1) return `${project.name}:${key}`;
  if (parts.length === 2) return key;
  return parts.length === 3 && parts[1] === "config" ? `${parts[0] ?? ""}:${parts[2] ?? ""}` : undefined;
}

function parseProject(yaml: YamlFile): Project {
  const { document } = yaml;
  if (!isMap(document.contents)) throw yaml.error("a project is a map with at least `name` and `runtime`");
  const name = text(yaml, ["name"]);
  if (name === undefined) throw yaml.error("the project has no `name`", document.contents);
  if (!isName(name))
    throw yaml.error(
      `"${name}" is not a valid project name; use 1 to 100 letters, digits, hyphens, underscores and periods`,
      document.get("name", true),
    );
  const root = dirname(yaml.file);
  const config = document.get("config", true);
  const configFolder = isScalar(config) && typeof config.value === "string" ? config.value : undefined;
  const project: Project = {
    name,
    root,
    file: yaml.file,
    runtime: parseRuntime(yaml),
    main: text(yaml, ["main"]),
    description: text(yaml, ["description"]),
    backendUrl: text(yaml, ["backend", "url"]),
    stackConfigDir: join(root, text(yaml, ["stackConfigDir"]) ?? configFolder ?? ""),
    config: [],
  };
  return { ...project, config: configFolder === undefined ? parseConfig(yaml, project) : [] };
}

function parseRuntime(yaml: YamlFile): Project["runtime"] {
  const node = yaml.document.get("runtime", true);
  const name = isMap(node) ? text(yaml, ["runtime", "name"]) : text(yaml, ["runtime"]);
  if (name === undefined)
    throw yaml.error("the project has no `runtime`; write `runtime: nodejs`", node ?? yaml.document.contents);
  const options = isMap(node) ? yaml.plain(node.get("options", true)) : null;
  return { name, options: isObject(options) ? options : {} };
}

function parseConfig(yaml: YamlFile, project: Project): ProjectConfigEntry[] {
  const node = yaml.document.get("config", true);
  if (isEmpty(node)) return [];
  if (!isMap(node))
    throw yaml.error("`config` is a map from keys to values or to {type, default, value, secret}", node);
  return node.items.map((pair) => {
    const name = String(isScalar(pair.key) ? pair.key.value : pair.key);
    const key = fullKey(project, name);
    if (key === undefined) throw badKey(yaml, name, pair.key);
    const value = yaml.plain(pair.value);
    const where = `${basename(yaml.file)} config ${name}`;
    if (!isObject(value)) return { key, value, where };
    const { type, secret } = value;
    const usual = value["default"] ?? value["value"];
    return { key, value: usual, type: typeof type === "string" ? type : undefined, secret: secret === true, where };
  });
}

function isEmpty(node: unknown): boolean {
  return node === undefined || node === null || (isScalar(node) && node.value === null);
}

export function badKey(yaml: YamlFile, key: string, node?: unknown): ProjectFileError {
  return yaml.error(`"${key}" is not the name of a setting; write \`name\` or \`namespace:name\``, node);
}

function text(yaml: YamlFile, path: string[]): string | undefined {
  const node = yaml.document.getIn(path, true);
  if (isEmpty(node)) return undefined;
  if (isScalar(node) && typeof node.value === "string") return node.value;
  throw yaml.error(`\`${path.join(".")}\` is a text`, node);
}

/** Returns the backend that `pulumi` would use: PULUMI_BACKEND_URL, `backend.url`, or the last login. `FileBackend.open` may refuse it. */
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
