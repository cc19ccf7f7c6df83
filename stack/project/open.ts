/** The project in a folder: a program with Pulumi.yaml, or a landform.yaml by itself. */
import { existsSync, readdirSync, readFileSync, statSync } from "node:fs";
import { basename, dirname, join, resolve } from "node:path";
import { type ProgramOptions, type Project, projectWithoutFile, readProject, StackConfig } from "../../engine/index.ts";
import { type Diagnostic, type Manifest, renderText, validate } from "../../manifest/index.ts";
import { didYouMean } from "../../provider/values/nearest.ts";
import { UsageError } from "../exit/codes.ts";
import { MANIFEST, noProject } from "./files.ts";
import { ownModule } from "./package.ts";

export { MANIFEST };

export interface ProjectFolder {
  root: string;
  project: Project;
  program: ProgramOptions;
  /** Undefined if there is a program. */
  manifest?: Manifest;
  warnings?: readonly Diagnostic[];
}

export interface StackFolder extends ProjectFolder {
  stack: string;
  config: StackConfig;
}

/** Returns the folder that -C names. */
export function folderAt(dir: string): string {
  const root = resolve(dir);
  if (existsSync(root) && statSync(root).isDirectory()) return root;
  const beside = existsSync(dirname(root)) ? readdirSync(dirname(root), { withFileTypes: true }) : [];
  const folders = beside.flatMap((one) => (one.isDirectory() ? [one.name] : []));
  throw new UsageError(`${root} is not a folder; check -C${didYouMean(basename(root), folders)}`);
}

/** `runs`: the program will run, so a manifest has to be right. */
export async function openProject(dir: string, { runs = true } = {}): Promise<ProjectFolder> {
  const root = folderAt(dir);
  const project = await readProject(root);
  if (project !== undefined) return { root, project, program: programOf(project) };
  if (existsSync(join(root, MANIFEST))) return fromManifest(root, runs);
  throw noProject(root);
}

/** `configFolder`: has the stack's configuration in place of the project. */
export async function openStack(
  dir: string,
  text: string,
  { configFolder, runs = true }: { configFolder?: string | undefined; runs?: boolean } = {},
): Promise<StackFolder> {
  const folder = await openProject(dir, { runs });
  const stack = stackNamed(text, folder.project.name);
  const project = configFolder === undefined ? folder.project : { ...folder.project, stackConfigDir: configFolder };
  return { ...folder, project, stack, config: await StackConfig.read(project, stack) };
}

function programOf({ main, runtime: { name, options } }: Project): ProgramOptions {
  if (name !== "nodejs") return {};
  const { typescript, tsconfig, nodeargs } = options;
  return {
    entry: main,
    typescript: typescript !== false,
    ...(typeof tsconfig === "string" ? { tsconfig } : {}),
    ...(typeof nodeargs === "string" ? { nodeArgs: nodeargs.split(/\s+/).filter((arg) => arg !== "") } : {}),
  };
}

function fromManifest(root: string, runs: boolean): ProjectFolder {
  const file = join(root, MANIFEST);
  const { manifest, diagnostics } = validate(file);
  if (manifest === undefined) {
    if (!runs) return nameAlone(root, file);
    throw new UsageError(`${MANIFEST} can't be used:\n\n${renderText(diagnostics, { colour: false })}`);
  }
  const name = manifest.name ?? nameOfFolder(root);
  const program = { entry: ownModule("manifest/program"), typescript: false, env: { LANDFORM_MANIFEST: file } };
  return { root, project: projectWithoutFile(root, name), program, manifest, warnings: [...diagnostics] };
}

/** Opens a manifest that can't be used: enough to find its stacks, and nothing to run. */
function nameAlone(root: string, file: string): ProjectFolder {
  const said = /^name:[ \t]*["']?([A-Za-z0-9_.-]+)/m.exec(readFileSync(file, "utf8"))?.[1];
  return { root, project: projectWithoutFile(root, said ?? nameOfFolder(root)), program: {} };
}

function nameOfFolder(root: string): string {
  return basename(root).replace(/[^A-Za-z0-9_.-]+/g, "-");
}

// Reads a stack name as people write it: `prod`, `PROJECT/prod` as in reports, or `ORG/PROJECT/prod` as in Pulumi Cloud, its operator and
// Deployments. Pure.

/** The only organization of folders, buckets and databases. */
export const OF_BACKENDS = "organization";

/** Returns the name for the engine, with its organization only where that matters. */
export function stackNamed(text: string, project: string): string {
  const parts = text.split("/");
  const stack = parts.at(-1) ?? "";
  if (parts.length === 3 && parts[1] !== project)
    throw new UsageError(
      `${text} is a stack of the project ${parts[1] ?? ""}, and this one is called ${project}; check --stack and -C`,
    );
  const isPlain = parts.length === 2 ? parts[0] === project || parts[0] === OF_BACKENDS : parts[0] === OF_BACKENDS;
  return parts.length > 1 && isPlain ? stack : text;
}

/** Lists show stacks by their last name. */
export function lastName(stack: string): string {
  return stack.slice(stack.lastIndexOf("/") + 1);
}
