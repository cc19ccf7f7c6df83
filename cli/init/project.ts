/** Makes the files of a new project: an example of this package under another name, and the files around it. */
import { packageRoot } from "../../stack/project/package.ts";
import { existsSync, readFileSync } from "node:fs";
import { dirname, join, relative } from "node:path";
import { ignoring, type NewFile, type Origin, type PackageJson, withDependencies } from "./folder.ts";

export const TEMPLATES = ["typescript", "yaml"] as const;
export type Template = (typeof TEMPLATES)[number];

interface Wanted {
  template: Template;
  name: string;
  folder: string;
  forge: CiForge;
  origin: Origin;
  present: PackageJson | undefined;
}

export function newProject(wanted: Wanted): NewFile[] {
  return [...(wanted.template === "typescript" ? program(wanted) : manifest(wanted)), ...around(wanted)];
}

function program(wanted: Wanted): NewFile[] {
  const { name, present } = wanted;
  // In a CommonJS package, the extension marks this file as an ES module.
  const entry = present === undefined || present.type === "module" ? "index.ts" : "index.mts";
  const project = example("quickstart/Pulumi.yaml").replace(/^name: .*$/m, `name: ${name}`);
  const main = present === undefined ? "" : `main: ${entry}\n`;
  return [
    { path: entry, text: () => example("quickstart/index.ts"), about: "the funnel" },
    { path: "Pulumi.yaml", text: () => `${project}${main}`, about: "the project, for landform and pulumi" },
    packageJson(wanted, { type: "module", main: entry, devDependencies: FOR_TYPES }),
    {
      path: "tsconfig.json",
      text: (old) => (old === undefined ? TSCONFIG : undefined),
      about: "types, for the editor",
      joins: true,
    },
  ];
}

function manifest(wanted: Wanted): NewFile[] {
  const text = example("quickstart-yaml/landform.yaml")
    .replace("../../schema/", "node_modules/landform/schema/")
    .replace(/^name: .*$/m, `name: ${wanted.name}`);
  return [
    { path: "landform.yaml", text: () => text, about: "the funnel" },
    { path: "brand.md", text: () => example("quickstart-yaml/brand.md"), about: "a text that landform.yaml takes in" },
    packageJson(wanted, {}),
    {
      path: ".vscode/settings.json",
      text: (old) => (old === undefined ? EDITOR : undefined),
      about: "completion in landform.yaml",
      joins: true,
    },
  ];
}

/** For the editor, and for `npx tsc`. */
const FOR_TYPES = { "@types/node": "^24.0.0", typescript: "^6.0.0" };

function packageJson({ name, origin }: Wanted, { devDependencies, ...own }: PackageJson): NewFile {
  const scripts = { preview: "landform preview", up: "landform up" };
  const dependencies = { "@pulumi/pulumi": "^3.216.0", landform: origin.spec };
  const needed = { dependencies, ...(devDependencies && { devDependencies }) };
  const fresh = { name: name.toLowerCase(), private: true, ...own, scripts, ...needed };
  return {
    path: "package.json",
    text: (old) => (old === undefined ? json(fresh) : withDependencies(old, needed)),
    about: "dependencies",
    joins: true,
  };
}

function around({ name, folder, forge }: Wanted): NewFile[] {
  return [
    { path: ".gitignore", text: ignoring(GITIGNORE), about: "packages and local state", joins: true },
    ...ciFiles({ forge, name, folder, repository: repositoryOf(folder) }),
  ];
}

const GITIGNORE = `node_modules/
# State of stacks that are kept in this folder. Teams keep theirs in a shared backend (PULUMI_BACKEND_URL).
.pulumi/
`;

function json(value: object): string {
  return `${JSON.stringify(value, undefined, 2)}\n`;
}

const EDITOR = json({ "yaml.schemas": { "./node_modules/landform/schema/landform.schema.json": "landform.yaml" } });

/** Node runs TypeScript by leaving its types out, so only types that can be left out are allowed. */
const TSCONFIG = json({
  compilerOptions: {
    ...{ target: "es2024", module: "nodenext", types: ["node"], strict: true, noEmit: true },
    ...{ allowImportingTsExtensions: true, erasableSyntaxOnly: true, verbatimModuleSyntax: true, skipLibCheck: true },
  },
});

export const FORGES = ["github", "gitlab"] as const;
export type CiForge = (typeof FORGES)[number];

interface CiFilesFor {
  forge: CiForge;
  name: string;
  folder: string;
  repository: string;
}

function repositoryOf(folder: string): string {
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

/** GitLab reads one file, which may already exist for other jobs, and it joins jobs of the same name. */
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

/** Removes the stack's name, so that commands take the default one. A new package has no lock file until somebody commits one. */
function ownStack(source: string): string {
  return source.replaceAll(" --stack prod", "").replaceAll("npm ci", "npm install");
}

function example(path: string): string {
  return readFileSync(join(packageRoot, "examples", path), "utf8");
}
