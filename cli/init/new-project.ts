/** The files of a new project: an example of this package under another name, and what belongs around it. */
import { ciFiles, repositoryOf, type CiForge } from "./ci-files.ts";
import { example } from "./example.ts";
import type { Origin } from "./origin.ts";
import { ignoring, withDependencies, type PackageJson } from "./present.ts";
import type { NewFile } from "./write.ts";

export const TEMPLATES = ["typescript", "yaml"] as const;
export type Template = (typeof TEMPLATES)[number];

export interface Wanted {
  template: Template;
  name: string;
  /** Where it goes. */
  folder: string;
  forge: CiForge;
  origin: Origin;
  /** The package.json of the folder, where it has one. */
  present: PackageJson | undefined;
}

export function newProject(wanted: Wanted): NewFile[] {
  return [...(wanted.template === "typescript" ? program(wanted) : manifest(wanted)), ...around(wanted)];
}

function program(wanted: Wanted): NewFile[] {
  const { name, present } = wanted;
  // In a package of other modules, an extension says that this one is an ES module.
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
    text: (old) => (old === undefined ? `${JSON.stringify(fresh, undefined, 2)}\n` : withDependencies(old, needed)),
    about: "dependencies",
    joins: true,
  };
}

function around({ name, folder, forge }: Wanted): NewFile[] {
  return [
    { path: ".gitignore", text: ignoring(GITIGNORE), about: "packages and local state", joins: true },
    ...ciFiles({ forge, name, folder, repository: repositoryOf(folder) }),
    {
      path: ".vscode/settings.json",
      text: (old) => (old === undefined ? EDITOR : undefined),
      about: "completion in landform.yaml",
      joins: true,
    },
  ];
}

const GITIGNORE = `node_modules/
# State of stacks that are kept in this folder. Teams keep theirs in a shared backend (PULUMI_BACKEND_URL).
.pulumi/
`;

const EDITOR = `${JSON.stringify(
  { "yaml.schemas": { "./node_modules/landform/schema/landform.schema.json": "landform.yaml" } },
  undefined,
  2,
)}\n`;

/** Node runs TypeScript by leaving its types out, so only what can be left out is allowed. */
const TSCONFIG = `${JSON.stringify(
  {
    compilerOptions: {
      target: "es2024",
      module: "nodenext",
      types: ["node"],
      strict: true,
      noEmit: true,
      allowImportingTsExtensions: true,
      erasableSyntaxOnly: true,
      verbatimModuleSyntax: true,
      skipLibCheck: true,
    },
  },
  undefined,
  2,
)}\n`;
