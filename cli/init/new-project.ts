/** The files of a new project: an example of this package under another name, and what belongs around it. */
import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { UsageError } from "../exit/codes.ts";
import { packageRoot, version } from "../package.ts";

export const TEMPLATES = ["typescript", "yaml"] as const;
export type Template = (typeof TEMPLATES)[number];

export interface NewFile {
  path: string;
  text: string;
  about: string;
}

export function newProject(template: Template, name: string): NewFile[] {
  return [...(template === "typescript" ? program(name) : manifest(name)), ...around(name)];
}

/** Refuses to overwrite anything, before the first file is written. */
export function writeProject(folder: string, files: readonly NewFile[]): void {
  const present = files.filter(({ path }) => existsSync(join(folder, path))).map(({ path }) => path);
  if (present.length > 0) {
    throw new UsageError(`${folder} has ${present.join(", ")} already, and nothing was written. Choose another folder`);
  }
  for (const { path, text } of files) {
    const file = join(folder, path);
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, text);
  }
}

function program(name: string): NewFile[] {
  const project = example("quickstart/Pulumi.yaml").replace(/^name: .*$/m, `name: ${name}`);
  return [
    { path: "index.ts", text: example("quickstart/index.ts"), about: "the funnel" },
    { path: "Pulumi.yaml", text: project, about: "the project, for landform and pulumi" },
    { path: "package.json", text: packageJson(name, { "@pulumi/pulumi": "^3.216.0" }), about: "dependencies" },
  ];
}

function manifest(name: string): NewFile[] {
  const text = example("quickstart-yaml/landform.yaml")
    .replace("../../schema/", "node_modules/landform/schema/")
    .replace(/^name: .*$/m, `name: ${name}`);
  return [
    { path: "landform.yaml", text, about: "the funnel" },
    { path: "brand.md", text: example("quickstart-yaml/brand.md"), about: "a text that landform.yaml takes in" },
    { path: "package.json", text: packageJson(name, { "@pulumi/pulumi": "^3.216.0" }), about: "dependencies" },
  ];
}

function example(path: string): string {
  return readFileSync(join(packageRoot, "examples", path), "utf8");
}

function packageJson(name: string, dependencies: Record<string, string>): string {
  const content = {
    name: name.toLowerCase(),
    private: true,
    type: "module",
    main: "index.ts",
    scripts: { preview: "landform preview", up: "landform up" },
    dependencies: { ...dependencies, landform: `^${version}` },
  };
  return `${JSON.stringify(content, undefined, 2)}\n`;
}

function around(name: string): NewFile[] {
  return [
    { path: ".gitignore", text: GITIGNORE, about: "packages and local state" },
    { path: ".github/workflows/landform.yml", text: workflow(name), about: "preview on pull requests, up on main" },
    { path: ".vscode/settings.json", text: EDITOR, about: "completion in landform.yaml" },
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

function workflow(name: string): string {
  return `# Shows what a pull request would change, and applies it once it is merged.
# Settings of the repository: the variable LANDFORM_BASE_URL; the secrets LANDFORM_API_KEY, PULUMI_ACCESS_TOKEN (or
# another backend that outlives the job) and PULUMI_CONFIG_PASSPHRASE.
name: ${name}
on:
  pull_request:
  push:
    branches: [main]
concurrency: landform-\${{ github.ref }}
permissions:
  contents: read
jobs:
  landform:
    runs-on: ubuntu-latest
    env:
      LANDFORM_BASE_URL: \${{ vars.LANDFORM_BASE_URL }}
      LANDFORM_API_KEY: \${{ secrets.LANDFORM_API_KEY }}
      PULUMI_ACCESS_TOKEN: \${{ secrets.PULUMI_ACCESS_TOKEN }}
      PULUMI_CONFIG_PASSPHRASE: \${{ secrets.PULUMI_CONFIG_PASSPHRASE }}
    steps:
      - uses: actions/checkout@v5
      - uses: actions/setup-node@v5
        with: { node-version: 24 }
      - uses: pulumi/actions@v6
      - run: npm install
      - if: github.event_name == 'pull_request'
        run: npx landform preview --engine pulumi --markdown "$GITHUB_STEP_SUMMARY"
      - if: github.event_name == 'push'
        run: npx landform up --engine pulumi --yes --markdown "$GITHUB_STEP_SUMMARY"
`;
}
