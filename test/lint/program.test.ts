// @module-tag thorough
/** Lint of a program: its registrations, each with the place in code or data. It sends nothing, because nobody listens. */
import { symlinkSync } from "node:fs";
import { join } from "node:path";
import { afterEach, expect, test, vi } from "vitest";
import { run } from "../../cli/cli.ts";
import { folderWith, repository } from "../manifest/files.ts";

afterEach(() => {
  vi.restoreAllMocks();
  vi.unstubAllEnvs();
  process.exitCode = undefined;
});

const PROGRAM = `import * as landform from "landform";
import { z } from "zod";
const { id: siteId } = new landform.Site("mugs.example");
for (const { slug, title } of landform.data("cities.csv", z.object({ slug: z.string(), title: z.string() })))
  new landform.Page(\`offer-\${slug}\`, { templateId: "tpl-hero", content: { "hero.title": title }, publish: { siteId, slug } });
const home = new landform.Page("home", {
  templateId: "tpl-hero",
  content: {
    "hero.title": "Lorem ipsum",
    "hero.text": "TODO", // lint-off placeholder-text -- the name of the product
    "hero.cta.text": "Hello {{who}}",
    "hero.note": "Longer than there is room for",
    "hero.eyebrow": siteId.apply((id) => \`TODO \${id}\`),
  },
  publish: { siteId, slug: "home" },
});
new landform.Funnel("spring", { steps: [{ pageId: home.id, pageType: "sales" }, { url: "https://pay.example/", pageType: "thankyou" }, { url: "https://x.example/", pageType: "sales" }] });
`;

const FILES = {
  "Pulumi.yaml": "name: linted\nruntime: { name: nodejs, options: { typescript: false } }\n",
  "package.json": '{ "type": "module", "main": "index.js" }',
  "index.js": PROGRAM,
  "cities.csv": '\uFEFFslug;title\r\nriga;Rīga\r\nbern;"FIXME"\r\n',
  "landform.yaml": "landform: 1\nlint: { too-long: { limits: { hero.note: 10 } } }\n",
};

async function linted(files: Readonly<Record<string, string>>): Promise<{ code: number; text: string }> {
  const folder = folderWith(files);
  symlinkSync(join(repository, "node_modules"), join(folder, "node_modules"), "junction");
  vi.stubEnv("LANDFORM_BASE_URL", "http://127.0.0.1:9/v1");
  vi.stubEnv("LANDFORM_API_KEY", "lfk_nobody");
  let text = "";
  vi.spyOn(process.stdout, "write").mockImplementation((chunk) => (text += String(chunk)) !== "");
  vi.spyOn(process.stderr, "write").mockReturnValue(true);
  return { code: await run(["check", "-C", folder, "--engine", "embedded", "--json"]), text };
}

test("texts, data, steps and comments of a program are looked at by the same rules", async () => {
  const { code, text } = await linted(FILES);
  const { diagnostics } = JSON.parse(text) as { diagnostics: Record<"code" | "file" | "line" | "path", string>[] };
  const told = diagnostics.map((one) => `${one.file.replace(/.*\//, "")}:${one.line} ${one.code} ${one.path}`);
  expect(told.sort()).toEqual([
    'cities.csv:3 placeholder-text pages.offer-bern.content["hero.title"]',
    'index.js:11 unresolved-variable pages.home.content["hero.cta.text"]',
    'index.js:12 too-long pages.home.content["hero.note"]',
    "index.js:17 unreachable-step funnels.spring",
    'index.js:9 placeholder-text pages.home.content["hero.title"]',
  ]);
  expect(code).toBe(1);
});

test("a rule that a comment misspells, and a landform.yaml beside the program that is wrong: 4", async () => {
  const wrong = { ...FILES, "index.js": PROGRAM.replace("lint-off placeholder-text", "lint-off placeholder") };
  expect((await linted(wrong)).code).toBe(4);
  expect((await linted({ ...FILES, "landform.yaml": "landform: 1\nlint: { to-long: off }\n" })).code).toBe(4);
});
