/** The files of examples/gitops for a project's own repository, which may hold other projects beside it. */
import { existsSync } from "node:fs";
import { dirname, join, relative } from "node:path";
import { example } from "./example.ts";
import type { NewFile } from "./write.ts";

export const FORGES = ["github", "gitlab"] as const;
export type CiForge = (typeof FORGES)[number];

export interface CiFilesFor {
  forge: CiForge;
  name: string;
  /** The folder of the project, and that of its repository. */
  folder: string;
  repository: string;
}

/** A code host looks for them in the repository's own folder. */
export function repositoryOf(folder: string): string {
  for (let at = folder; ; at = dirname(at)) {
    if (existsSync(join(at, ".git"))) return at;
    if (dirname(at) === at) return folder;
  }
}

export function ciFiles(wanted: CiFilesFor): NewFile[] {
  return wanted.forge === "github" ? WORKFLOWS.map((one) => githubFile(one, wanted)) : gitlabFiles(wanted);
}

const WORKFLOWS = [
  { job: "plan", about: "the plan of each pull request" },
  { job: "apply", about: "on main, what was reviewed" },
  { job: "drift", about: "each night, what was edited in the app" },
];

function githubFile({ job, about }: (typeof WORKFLOWS)[number], { name, folder, repository }: CiFilesFor): NewFile {
  const within = relative(repository, folder).replaceAll("\\", "/");
  const source = ownStack(example(`gitops/.github/workflows/landform-${job}.yml`));
  const own = source
    .replace(`name: landform ${job}\n`, `name: landform ${job} (${name})\n`)
    .replace(/^( +group: )landform-/m, `$1landform-${name}-`)
    .replace(/^jobs:\n/m, `defaults:\n  run:\n    working-directory: ${JSON.stringify(within)}\njobs:\n`)
    .replace("path: plans\n", `path: ${within}/plans\n`)
    .replace("name: landform-plans-", `name: landform-plans-${name}-`);
  const file = `.github/workflows/landform-${within === "" ? "" : `${name}-`}${job}.yml`;
  return { path: relative(folder, join(repository, file)), text: () => (within === "" ? source : own), about };
}

/** GitLab reads one file, which may be there for other jobs already, and takes jobs of one name for one job. */
function gitlabFiles({ name, folder, repository }: CiFilesFor): NewFile[] {
  const within = relative(repository, folder).replaceAll("\\", "/");
  const isTaken = existsSync(join(repository, ".gitlab-ci.yml"));
  const source = ownStack(example("gitops/.gitlab-ci.yml"));
  const own = source
    .replace(/^(landform [\w ]+):$/gm, `$1 (${name}):`)
    .replaceAll(/(^|extends: )\.landform\b/gm, `$1.landform-${name}`)
    .replaceAll("resource_group: landform\n", `resource_group: landform-${name}\n`)
    .replace("    - npm install\n", `    - cd ${JSON.stringify(within)}\n    - npm install\n`)
    .replace("paths: [plans]", `paths: [${JSON.stringify(`${within}/plans`)}]`);
  const separate = within === "" ? "landform.gitlab-ci.yml" : `landform-${name}.gitlab-ci.yml`;
  const path = join(repository, isTaken ? separate : ".gitlab-ci.yml");
  const about = "plan, apply and drift";
  const included = `${about}: add ${separate} to the list under \`include:\` in .gitlab-ci.yml`;
  const text = within === "" ? source : own;
  return [{ path: relative(folder, path), text: () => text, about: isTaken ? included : about }];
}

/** The one that every command takes by itself; packages have no lock file until somebody commits one. */
function ownStack(source: string): string {
  return source.replaceAll(" --stack prod", "").replaceAll("npm ci", "npm install");
}
