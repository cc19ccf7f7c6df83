/** The measured account: pages from a template, published on one site, with one content key each. */
import { mkdtempSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

export type Form = "manifest" | "program";

const REPOSITORY = fileURLToPath(new URL("..", import.meta.url));
const DESCRIPTION = "A project that holds what is measured, and nothing else at all.";
const CONTEXT =
  "A brief about a brand that sells mugs to people who drink from them in the morning and at night. ".repeat(3);

/** A folder with that project. */
export function makeProject(form: Form, pages: number): string {
  const folder = mkdtempSync(join(tmpdir(), "landform-bench-"));
  if (form === "program") {
    symlinkSync(join(REPOSITORY, "node_modules"), join(folder, "node_modules"), "junction");
    const runtime = "{ name: nodejs, options: { typescript: false } }";
    writeFileSync(join(folder, "Pulumi.yaml"), `name: bench\nruntime: ${runtime}\n`);
    writeFileSync(join(folder, "package.json"), JSON.stringify({ type: "module", main: "index.js" }));
  }
  writeProject(folder, form, pages, "Hello");
  return folder;
}

/** `headline`: of the first page. */
export function writeProject(folder: string, form: Form, pages: number, headline: string): void {
  if (form === "manifest") writeFileSync(join(folder, "landform.yaml"), manifestText(pages, headline));
  else writeFileSync(join(folder, "index.js"), programText(pages, headline));
}

function manifestText(pages: number, headline: string): string {
  const entries = Array.from({ length: pages }, (_, index) => {
    const text = index === 0 ? headline : "Hello";
    return `  page-${index}: { project: mugs, template: tpl-hero, content: { hero.title: ${text} }, variables: { brand: Acme, product_count: "12" }, publish: { site: mugs.example, slug: p-${index} } }`;
  });
  const project = `  mugs: { description: "${DESCRIPTION}", context: "${CONTEXT}" }`;
  const site = "  mugs.example: { project: mugs }";
  return `landform: 1\nname: bench\nprojects:\n${project}\nsites:\n${site}\npages:\n${entries.join("\n")}\n`;
}

function programText(pages: number, headline: string): string {
  return `import { Page, Project, Site } from "landform";
const { id: projectId } = new Project("mugs", { description: "${DESCRIPTION}", context: "${CONTEXT}" });
const { id: siteId } = new Site("mugs.example", { projectId });
const variables = { brand: "Acme", product_count: "12" };
for (let index = 0; index < ${pages}; index++) {
  const content = { "hero.title": index === 0 ? "${headline}" : "Hello" };
  new Page("page-" + index, { projectId, templateId: "tpl-hero", content, variables, publish: { siteId, slug: "p-" + index } });
}
`;
}
