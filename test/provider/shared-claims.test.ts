/**
 * Two pages of a program at one address of a site that the same run makes: the error comes before anything is sent, in a program as in a manifest.
 */
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { deploy, startTestAccount, type TestAccount } from "../../stack/testing.ts";
import { repository } from "../docs/markdown.ts";
import { thorough } from "../suite/parts.ts";

let folder: string;
let account: TestAccount;

beforeEach(async () => {
  mkdirSync(join(repository, ".cache"), { recursive: true });
  // The folder is inside the repository, where "landform" is found as in a user's project.
  folder = mkdtempSync(join(repository, ".cache/shared-claims-"));
  account = await startTestAccount();
});
afterEach(async () => {
  await account.close();
  rmSync(folder, { recursive: true, force: true });
});

function program(pages: string): void {
  const files = {
    "package.json": '{ "type": "module", "main": "index.ts" }',
    "Pulumi.yaml": "name: shared\nruntime: { name: nodejs, options: { typescript: false } }\n",
    "index.ts": `import * as landform from "landform";
const project = new landform.Project("shop", { description: "${"A shop of mugs. ".repeat(5)}", context: "${"Mugs are thrown by hand. ".repeat(10)}" });
const main = new landform.Site("main.example", { projectId: project.id });
const other = new landform.Site("other.example", { projectId: project.id });
const page = (name: string, siteId: landform.PageArgs["productLabel"], slug: string) =>
  new landform.Page(name, { templateId: "tpl-hero", variables: { brand: "a" }, publish: { siteId: siteId ?? "", slug } });
${pages}
`,
  };
  for (const [name, text] of Object.entries(files)) writeFileSync(join(folder, name), text);
}

test.each(["main.id", "main.id.apply((id) => id)"])("one address of a new site, by %s", async (id) => {
  program(
    `page("a", main.id, "offer");\nnew landform.Quiz("a", { projectId: project.id, publish: { siteId: ${id}, slug: "/Offer" } });`,
  );
  expect(
    (await deploy(folder, { account, operation: "preview" })).failures.map(({ message }) => message).join("\n"),
  ).toMatch(/Quiz "a": the slug "offer" on site main\.example is declared by "page a" too/);
});

thorough("one path on two new sites, and two paths on one, are nothing to refuse", async () => {
  program('page("a", main.id, "offer");\npage("b", other.id, "offer");\npage("c", main.id, "thanks");');
  const up = await deploy(folder, { account });
  expect([up.failures, up.counts.create]).toEqual([[], 6]);
  const again = await deploy(folder, { account, operation: "preview" });
  expect([again.failures, again.changes]).toEqual([[], []]);
});
