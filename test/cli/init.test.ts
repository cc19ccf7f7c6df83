/** `landform init` in folders that hold something, and the names in its package.json. */
import { mkdirSync, readdirSync } from "node:fs";
import { join } from "node:path";
import ts from "typescript";
import { parse } from "yaml";
import { expect, test } from "vitest";
import { origin } from "../../cli/init/folder.ts";
import { NearDesk } from "./near-desk.ts";
import { thorough } from "../suite/parts.ts";

const desk = NearDesk.all();

test("a project names the archive that Landform came from, and knows when it is gone", () => {
  const landform = desk.path("mine/node_modules/landform");
  mkdirSync(landform, { recursive: true });
  const packages = { "node_modules/landform": { resolved: "file:../landform.tgz" } };
  desk.write("mine/node_modules/.package-lock.json", JSON.stringify({ packages }));
  const archive = desk.path("landform.tgz");
  expect(origin(landform)).toEqual({ spec: `file:${archive}`, local: archive, isGone: true });
  desk.write("landform.tgz", "");
  expect(origin(landform)).toEqual({ spec: `file:${archive}`, local: archive });
});

test("a folder with package.json and .gitignore keeps what it has", async () => {
  mkdirSync(desk.path("shop"));
  desk.write("shop/package.json", '{\n    "name": "shop",\n    "dependencies": { "zod": "^4.0.0" }\n}\n');
  desk.write("shop/.gitignore", "node_modules\ndist/");
  desk.write("shop/tsconfig.json", "{}\n");
  expect(await desk.clean("init", "shop", "--yes")).toMatch(/tsconfig\.json +is there already, and stays as it is/);
  const { name, dependencies, devDependencies, main } = desk.report<Record<string, object>>("shop/package.json");
  expect([name, main]).toEqual(["shop", undefined]);
  expect(Object.keys(dependencies ?? {})).toEqual(["@pulumi/pulumi", "landform", "zod"]);
  expect(Object.keys(devDependencies ?? {})).toEqual(["@types/node", "typescript"]);
  expect(desk.read("shop/package.json")).toContain('\n    "name"');
  expect(desk.read("shop/.gitignore")).toBe("node_modules\ndist/\n.pulumi/\n");
  expect(desk.read("shop/Pulumi.yaml")).toContain("main: index.mts");
  expect(await desk.plan("-C", "shop")).toContain("5 to create");
});

thorough("in a folder of a repository, the jobs stand where its code host looks, and work in the folder", async () => {
  mkdirSync(desk.path("team/.git"), { recursive: true });
  await desk.clean("init", "team/sites/shop", "--yes", "--template", "yaml");
  expect(readdirSync(desk.path("team/.github/workflows")).sort()).toEqual(
    ["apply", "drift", "plan"].map((job) => `landform-shop-${job}.yml`),
  );
  const plan = parse(desk.read("team/.github/workflows/landform-shop-plan.yml")) as Record<string, unknown>;
  expect(plan["defaults"]).toEqual({ run: { "working-directory": "sites/shop" } });
  expect(plan["concurrency"]).toMatchObject({ group: expect.stringContaining("landform-shop-plan-") as string });
  await desk.clean("init", "team/sites/mugs", "--yes", "--template", "yaml", "--ci", "gitlab");
  type Jobs = Record<string, { before_script?: string[]; extends?: string; resource_group?: string }>;
  const mugs = parse(desk.read("team/.gitlab-ci.yml")) as Jobs;
  expect(mugs[".landform-mugs"]?.before_script).toEqual(['cd "sites/mugs"', "npm install"]);
  for (const name of ["tea", "cups"]) {
    const file = `landform-${name}.gitlab-ci.yml`;
    expect(await desk.says(0, "init", `team/${name}`, "--yes", "--template", "yaml", "--ci", "gitlab")).toContain(
      `add ${file} to the list under \`include:\``,
    );
    const jobs = parse(desk.read(`team/${file}`)) as Jobs;
    // GitLab would take two jobs of one name for one job.
    expect(Object.keys(jobs).filter((job) => job in mugs)).toEqual([]);
    expect(jobs[`landform apply (${name})`]).toMatchObject({
      extends: `.landform-${name}`,
      resource_group: `landform-${name}`,
    });
  }
});

test("what is in the way, or no name, is refused before anything is written", async () => {
  mkdirSync(desk.path("taken"));
  desk.write("taken/Pulumi.yaml", "name: mine\n");
  expect(await desk.says(4, "init", "taken", "--yes")).toContain("has Pulumi.yaml already, and nothing was written");
  expect(await desk.says(4, "init", "other", "--name", "a b", "--yes")).toContain('"a b" can\'t be the name');
  expect(await desk.write("taken/package.json", "{").says(4, "init", "taken", "--yes", "--template", "yaml")).toContain(
    "is not JSON, and nothing was written",
  );
});

test("a project of the other kind is refused: it would be run in the place of the one that is there, or not at all", async () => {
  for (const [there, template] of [
    ["landform.yaml", "typescript"],
    ["Pulumi.yaml", "yaml"],
    ["Pulumi.yml", "typescript"],
  ] as const) {
    const folder = `with-${there}`;
    mkdirSync(desk.path(folder));
    desk.write(`${folder}/${there}`, "name: mine\n");
    expect(await desk.says(4, "init", folder, "--yes", "--template", template)).toContain(
      `has ${there} already, and nothing was written`,
    );
    expect(readdirSync(desk.path(folder))).toEqual([there]);
  }
});

thorough("the program that init writes has no type errors with the tsconfig that it writes", async () => {
  await desk.says(0, "init", "typed", "--yes");
  const config = desk.report<object>("typed/tsconfig.json");
  const paths = { landform: [join(import.meta.dirname, "../../dist/index.d.ts")] };
  const { options, errors } = ts.parseJsonConfigFileContent(config, ts.sys, desk.path("typed"));
  const program = ts.createProgram([desk.path("typed/index.ts")], { ...options, paths, types: [] });
  expect([errors, ts.getPreEmitDiagnostics(program).map(({ messageText }) => messageText)]).toEqual([[], []]);
});
