// @module-tag thorough
/**
 * The published package, installed into an empty project outside of the repository, as its users have it. Its dependencies come from npm's cache or
 * registry: this is the only test that needs a network, if the cache doesn't have all.
 */
import { execFileSync, spawnSync } from "node:child_process";
import {
  existsSync,
  globSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { linksOf } from "../docs/markdown.ts";
import { sampled } from "../suite/parts.ts";

const root = fileURLToPath(new URL("../..", import.meta.url));
const { devDependencies } = JSON.parse(readFileSync(join(root, "package.json"), "utf8")) as {
  devDependencies: Record<string, string>;
};

let folder: string;
let project: string;

const run = (command: string, ...args: string[]): string =>
  execFileSync(command, args, { cwd: project, encoding: "utf8", stdio: ["ignore", "pipe", "pipe"] });

/** Returns the compiler's complaints, except those about other packages' declarations, which a program has anyway. */
function complaints(): string[] {
  const { stdout } = spawnSync("npx", ["tsc", "-p", "tsconfig.json", "--pretty", "false"], {
    cwd: project,
    encoding: "utf8",
  });
  return stdout.split("\n").filter((line) => /error TS/.test(line) && !/^node_modules\/(?!landform\/)/.test(line));
}

function write(name: string, text: string): void {
  writeFileSync(join(project, name), text);
}

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), "landform-pack-"));
  project = join(folder, "project");
  mkdirSync(project);
  execFileSync("npm", ["pack", "--ignore-scripts", "--pack-destination", folder], { cwd: root, stdio: "pipe" });
  const tarball = readdirSync(folder).find((name) => name.endsWith(".tgz")) ?? "";
  write("package.json", JSON.stringify({ name: "consumer", private: true }));
  const peers = ["@pulumi/pulumi", "typescript", "@types/node"].map(
    (name) => `${name}@${devDependencies[name] ?? "latest"}`,
  );
  run(
    "npm",
    "install",
    "--prefer-offline",
    "--no-audit",
    "--no-fund",
    "--ignore-scripts",
    join(folder, tarball),
    ...peers,
  );
}, 300_000);
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const PROGRAM = `
const page = (name: string) => new landform.Page(name, { templateId: "tpl-hero", content: { "hero.title": "Hello" } });
export const build = () => page("offer").url;
`;

test("holds compiled code, types, the schema and the licence, and nothing else", () => {
  const [pack] = JSON.parse(
    execFileSync("npm", ["pack", "--dry-run", "--json", "--ignore-scripts"], {
      cwd: root,
      encoding: "utf8",
      stdio: ["ignore", "pipe", "ignore"],
    }),
  ) as { files: { path: string }[] }[];
  const paths = (pack?.files ?? []).map(({ path }) => path);
  const kept =
    /^(dist\/index\.(js|d\.ts)|dist\/(chunks|types|provider|engine|emulator|manifest|stack|ci|story|cli)\/.*\.(js|d\.ts)|dist\/THIRD-PARTY\.txt|schema\/.*|docs\/.*|examples\/.*|package\.json|README\.md|LICENSE|(CHANGELOG|CONTRIBUTING|SECURITY)\.md)$/;
  expect(paths.filter((path) => !kept.test(path))).toEqual([]);
  for (const needed of [
    "README.md",
    "LICENSE",
    "schema/api.yaml",
    "dist/index.js",
    "dist/cli/main.js",
    "dist/THIRD-PARTY.txt",
  ])
    expect(paths).toContain(needed);
  expect(paths.filter((path) => /(^|\/)(node_modules|\.pulumi|\.env)(\/|$)/.test(path))).toEqual([]);
});

test("no link of its documents is dead", () => {
  const packed = join(project, "node_modules/landform");
  const documents = globSync("{*.md,docs/**/*.md,examples/**/*.md}", { cwd: packed });
  const dead = documents.flatMap((file) =>
    linksOf(readFileSync(join(packed, file), "utf8"))
      .filter((link) => !/^(https?:|#)/.test(link))
      .filter((link) => !existsSync(join(packed, dirname(file), link.replace(/#.*/, ""))))
      .map((link) => `${file}: ${link}`),
  );
  expect(documents.length).toBeGreaterThan(30);
  expect(dead).toEqual([]);
});

const ENTRIES = [
  "landform",
  "landform/api",
  "landform/emulator",
  "landform/manifest",
  "landform/testing",
  "landform/dynamic",
];

describe("loads", () => {
  test("in an ES module", () => {
    write(
      "esm.mjs",
      `for (const name of ${JSON.stringify(ENTRIES)}) { const m = await import(name); if (Object.keys(m).length === 0) throw new Error(name); }\nconst { Page } = await import("landform"); console.log(typeof Page);`,
    );
    expect(run(process.execPath, "esm.mjs").trim()).toBe("function");
  });

  test("in a CommonJS module, and the handlers by their entry point", () => {
    write(
      "cjs.cjs",
      `for (const name of ${JSON.stringify(ENTRIES)}) { if (Object.keys(require(name)).length === 0) throw new Error(name); }\nconsole.log(typeof require("landform").Page, typeof require("landform/dynamic").page.create);`,
    );
    expect(run(process.execPath, "cjs.cjs").trim()).toBe("function function");
  });

  test("the SDK once, for both kinds of module", () => {
    write(
      "once.mjs",
      `import { createRequire } from "node:module"; import * as landform from "landform"; import * as pulumi from "@pulumi/pulumi";\nconst other = createRequire(import.meta.url)("landform"); console.log(other.Page === landform.Page, landform.Page.prototype instanceof pulumi.CustomResource);`,
    );
    expect(run(process.execPath, "once.mjs").trim()).toBe("true true");
  });
});

describe("type checks in a program", () => {
  const classic = { module: "commonjs", moduleResolution: "node", target: "es2020", ignoreDeprecations: "6.0" };
  const settings = [
    ["of ES modules", "esm.mts", { module: "nodenext", target: "es2022" }],
    ["of CommonJS modules", "cjs.cts", { module: "nodenext", target: "es2022" }],
    ["of Node 16", "node16.mts", { module: "node16", target: "es2022" }],
    ["for a bundler", "bundled.ts", { module: "esnext", moduleResolution: "bundler", target: "es2022" }],
    ["of Pulumi's template", "classic.ts", classic],
    ["of Pulumi's older template", "older.ts", { ...classic, target: "es2016", experimentalDecorators: true }],
  ] as const;
  const { run: chosen, leave } = sampled(settings, 2, 2);
  for (const [name] of leave) test.skip(name);
  test.each(chosen)("%s, every declaration checked", (_, file, options) => {
    const others = ["api", "emulator", "hooks", "manifest", "testing"];
    const imports = file.endsWith(".cts")
      ? `import landform = require("landform");\n`
      : `import * as landform from "landform";\n${others.map((name) => `export * as ${name} from "landform/${name}";\n`).join("")}`;
    write(file, imports + PROGRAM);
    const compilerOptions = { ...options, strict: true, noEmit: true, types: ["node"], skipLibCheck: false };
    write("tsconfig.json", JSON.stringify({ compilerOptions, files: [file] }));
    expect(complaints()).toEqual([]);
  });

  test("a wrong program is refused", () => {
    write("wrong.mts", `import * as landform from "landform";\nnew landform.Page("x", { templte: "tpl-hero" });`);
    write(
      "tsconfig.json",
      JSON.stringify({
        compilerOptions: { module: "nodenext", strict: true, noEmit: true, types: ["node"] },
        files: ["wrong.mts"],
      }),
    );
    expect(() => run("npx", "tsc", "-p", "tsconfig.json")).toThrow();
  });
});

test("the command line runs", () => expect(run("npx", "landform", "--version").trim()).toMatch(/^\d+\.\d+\.\d+/));
