// @module-tag thorough
/** Whole programs on the embedded engine: a change of the program's shape, or of the package, may not do harm. */
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { beforeEach, expect, test, vi } from "vitest";
import { deploy, startTestAccount } from "../../stack/testing.ts";
import { LONG } from "./harness.ts";
import { forAllTests } from "../suite/opened.ts";

vi.setConfig({ testTimeout: 180_000 });

const repository = join(import.meta.dirname, "../..");
const account = forAllTests(() => startTestAccount());
let folder: string;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "landform-program-"));
  mkdirSync(join(folder, "node_modules", "@pulumi"), { recursive: true });
  symlinkSync(join(repository, "node_modules/@pulumi/pulumi"), join(folder, "node_modules/@pulumi/pulumi"), "junction");
  return () => rmSync(folder, { recursive: true, force: true });
});

function install(version: string): void {
  const target = join(folder, "node_modules/landform");
  rmSync(target, { recursive: true, force: true });
  mkdirSync(target);
  const manifest = JSON.parse(readFileSync(join(repository, "package.json"), "utf8")) as Record<string, unknown>;
  writeFileSync(join(target, "package.json"), JSON.stringify({ ...manifest, version }));
  cpSync(join(repository, "dist"), join(target, "dist"), { recursive: true });
  cpSync(join(repository, "schema"), join(target, "schema"), { recursive: true });
  symlinkSync(join(repository, "node_modules"), join(target, "node_modules"), "junction");
}

function program(name: string, body: string): void {
  writeFileSync(
    join(folder, "Pulumi.yaml"),
    JSON.stringify({ name, runtime: { name: "nodejs", options: { typescript: false } } }),
  );
  writeFileSync(join(folder, "package.json"), JSON.stringify({ name, type: "module", main: "index.js" }));
  const shared = `import { Funnel, LandingFunnel, Page, Project, Site } from "landform";
const text = ${JSON.stringify(LONG)};
const project = new Project("spring", { description: text, context: text });
const site = new Site("main", { name: "${name}.example", projectId: project.id });
`;
  writeFileSync(join(folder, "index.js"), shared + body);
}

const APART = `
const page = (name, templateId) => new Page(name, { templateId, projectId: project.id, variables: { brand: "Acme", support_email: "a@b.example" }, publish: { siteId: site.id, slug: name } });
const offer = page("offer", "tpl-hero");
const thanks = page("thanks", "tpl-thankyou");
new Funnel("spring", { projectId: project.id, steps: [{ pageId: offer.id, pageType: "presell" }, { pageId: thanks.id, pageType: "thankyou" }] });
`;

const TOGETHER = `
const variables = { brand: "Acme", support_email: "a@b.example" };
new LandingFunnel("spring", { projectId: project.id, siteId: site.id, steps: [
  { key: "offer", templateId: "tpl-hero", variables, pageType: "presell" },
  { key: "thanks", templateId: "tpl-thankyou", variables, pageType: "thankyou" },
] });
`;

test("pages and a funnel that move into a LandingFunnel are the same pages and funnel", async () => {
  install("1.0.0");
  program("moves", APART);
  const before = await deploy(folder, { account });
  expect([before.failures, before.counts.create]).toEqual([[], 5]);
  program("moves", TOGETHER);
  account.emulator.requests.length = 0;
  const after = await deploy(folder, { account });
  expect(after.failures).toEqual([]);
  expect(after.counts).toMatchObject({ update: 0, replace: 0, delete: 0, same: 5 });
  expect(account.emulator.requests.filter(({ method }) => method !== "GET")).toEqual([]);
  const again = await deploy(folder, { account, operation: "preview" });
  expect([again.failures, again.changes]).toEqual([[], []]);
  expect((await deploy(folder, { account, operation: "destroy" })).failures).toEqual([]);
});

test("an upgrade of the package changes nothing", async () => {
  install("1.0.0");
  program("upgrade", TOGETHER);
  expect((await deploy(folder, { account })).failures).toEqual([]);
  install("2.3.4");
  const upgraded = await deploy(folder, { account });
  expect([upgraded.failures, upgraded.changes]).toEqual([[], []]);
  expect((await deploy(folder, { account, operation: "destroy" })).failures).toEqual([]);
});
