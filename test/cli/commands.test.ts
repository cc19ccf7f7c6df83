import { spawnSync } from "node:child_process";
import { existsSync, mkdirSync } from "node:fs";
import { join } from "node:path";
import type { Command } from "commander";
import { expect, test } from "vitest";
import { leavesOf } from "./leaves.ts";
import { completionScript } from "../../cli/commands/completion.ts";
import { optionsOf } from "../../cli/groups.ts";
import { createProgram } from "../../cli/cli.ts";
import { dist, sourcesLoadedBy } from "../repository/loaded.ts";
import { NearDesk } from "./near-desk.ts";
import { thorough } from "../suite/parts.ts";

const desk = NearDesk.all();

test.each(["typescript", "yaml"])(
  "init makes a %s project that previews at once",
  { tags: ["thorough"] },
  async (template) => {
    expect(await desk.clean("init", template, "--template", template, "--yes")).toContain(`cd ${template}`);
    expect(await desk.plan("-C", template)).toContain(`Preview of ${template}/dev`);
    expect(await desk.says(4, "init", template, "--template", template, "--yes")).toContain("nothing was written");
  },
);

thorough("check: a good manifest, and problems with file, line and column", async () => {
  expect((await desk.run(["check", "-C", "yaml"])).stdout).toContain("yaml/landform.yaml is valid: 5 resources.");
  const open = await desk.says(0, "check", "-C", "yaml", "--online");
  expect(open).toContain("keys of tpl-hero are unknown until its first page");
  expect(open).not.toContain("is valid");
  await desk.says(0, "templates", "keys", "tpl-hero", "-C", "yaml", "--probe");
  expect(await desk.says(0, "check", "-C", "yaml", "--online")).toContain("is valid");
  desk.edit("yaml/landform.yaml", "{ id: tpl-hero }", "{ id: tpl-heros }");
  expect(await desk.says(4, "check", "-C", "yaml", "--online")).toContain("tpl-heros");
  desk.edit("yaml/landform.yaml", "{ id: tpl-heros }", "{ id: tpl-hero }");
  desk.edit("yaml/landform.yaml", "slug: offer", "slog: offer");
  const { code, stdout } = await desk.run(["check", "-C", "yaml", "--json"]);
  expect([code, JSON.parse(stdout)]).toMatchObject([
    4,
    { valid: false, diagnostics: [{ line: expect.any(Number) as number }] },
  ]);
  await desk.says(4, "preview", "-C", "yaml");
});

thorough("config keeps secrets secret, on the way in and in every output", async () => {
  const C = ["-C", "typescript"];
  expect((await desk.run(["config", "set", ...C, "--secret", "token"], { stdin: "hush-hush-1\n" })).code).toBe(0);
  await desk.says(0, "config", "set", ...C, "colour", "green");
  expect(desk.read("typescript/Pulumi.dev.yaml")).not.toContain("hush");
  expect(await desk.says(0, "config", "ls", ...C)).toContain("typescript:token   [secret]\ntypescript:colour  green");
  expect(await desk.says(0, "config", "get", ...C, "token")).toBe("hush-hush-1\n");
  desk.edit(
    "typescript/index.ts",
    'const brand = "Example Mugs";',
    'import * as pulumi from "@pulumi/pulumi";\nexport const token = new pulumi.Config().requireSecret("token");\nconst brand = "Example Mugs";\nconsole.log(process.env.LANDFORM_API_KEY);\ntoken.apply((text) => console.log("plain", text));',
  );
  const args = ["up", ...C, "--yes", "--json", "--markdown", "report.md", "--verbose"];
  const up = await desk.apart(args);
  expect(up.code).toBe(0);
  const everything = up.stdout + up.stderr + desk.read("report.md");
  expect(everything).not.toContain("hush-hush");
  expect(everything).not.toContain(desk.emulator.apiKey);
  expect(everything).toContain("plain [secret]");
  expect((JSON.parse(up.stdout) as { outputs: object }).outputs).toMatchObject({ token: "[secret]" });
  await desk.says(0, "config", "rm", ...C, "colour");
  await desk.says(4, "config", "get", ...C, "colour");
});

thorough("emulator prints what is needed to use it, and ends at Ctrl-C", async () => {
  const { child, ended, told } = desk.begin(["emulator", "--port", "0"]);
  await expect.poll(told, { timeout: 60_000 }).toContain("Ctrl-C");
  const [, url = "", key = ""] = /LANDFORM_BASE_URL=(\S+)\s+export LANDFORM_API_KEY=(\S+)/.exec(told()) ?? [];
  expect((await fetch(`${url}/me`, { headers: { Authorization: `Bearer ${key}` } })).status).toBe(200);
  child.kill("SIGINT");
  expect(await ended).toBe(0);
});

test("every help keeps to the width of its options, and no group's has a heading of the program", async () => {
  const helps = new Map<string, string>();
  const collect = (command: Command): void => {
    let all = "";
    command.configureOutput({ writeOut: (text) => (all += text) }).outputHelp();
    helps.set(command.name(), all);
    for (const inner of command.commands) collect(inner);
  };
  const program = await createProgram();
  collect(program);
  const wide = [...helps].filter(([, help]) => help.split("\n").some((line) => line.length > 80));
  expect(wide).toEqual([]);
  for (const group of program.commands)
    if (group.commands.length > 0) expect(helps.get(group.name())).not.toMatch(/^(Stacks|Help):/m);
});

test("help and the command line refuse a command that does not exist, by its name", async () => {
  for (const args of [["nope"], ["help", "nope"]])
    expect(await desk.run(args)).toMatchObject({
      ...{ code: 4, stdout: "", stderr: expect.stringContaining('there is no command "nope".') as string },
    });
  expect(await desk.says(4, "previw")).toContain('there is no command "previw", did you mean "preview"?');
});

test("completion knows commands, options and choices", async () => {
  const program = await createProgram();
  const script = completionScript(program, "bash");
  const complete = (...words: string[]) => {
    const ask = `${script}\nCOMP_WORDS=(landform ${words.map((word) => `'${word}'`).join(" ")}); COMP_CWORD=${words.length}; _landform; echo "\${COMPREPLY[@]}"`;
    return spawnSync("bash", ["-c", ask], { encoding: "utf8" }).stdout.trim().split(" ");
  };
  expect(complete("pre")).toEqual(["preview"]);
  expect(complete("config", "s")).toEqual(["set"]);
  expect(complete("config", "ls", "--st")).toEqual(["--stack"]);
  expect(complete("up", "--eng")).toEqual(["--engine"]);
  expect(complete("up", "--engine", "e")).toEqual(["embedded"]);
  expect(completionScript(program, "fish")).toContain("-l detailed-exitcode");
  const inner = (command: typeof program): (typeof program)[] => [command, ...command.commands.flatMap(inner)];
  const paths = /\n {4}(-\S+)\) COMPREPLY=\(\$\(compgen -f/.exec(script)?.[1]?.split("|") ?? [];
  for (const { flags, short, long, hidden } of inner(program).flatMap(({ options }) => options))
    for (const flag of [short, long]) {
      if (flag === undefined || hidden) continue;
      expect(script).toMatch(new RegExp(`[" ]${flag}[" ]`));
      if (/[<[](file|dir)[>\]]/.test(flags)) expect(paths).toContain(flag);
    }
  expect(paths).toContain("-o");
});

thorough("whatever works on a project takes its folder with -C, and files that options name from here", async () => {
  const all = leavesOf(await createProgram());
  const without = all.filter((command) => !optionsOf(command).some(({ short }) => short === "-C"));
  expect(without.map((command) => command.name()).sort()).toEqual(["completion", "emulator"]);

  mkdirSync(desk.path("shop"), { recursive: true });
  await desk.says(0, "export", "-C", "shop");
  expect(existsSync(desk.path("shop/landform.yaml"))).toBe(true);
  expect(await desk.says(4, "export", "-C", "nowhere")).toContain("is not a folder; check -C");
  expect(existsSync(desk.path("nowhere"))).toBe(false);
});

test("--version and --help load no command", () => {
  for (const option of ["--version", "--help"]) {
    const loaded = sourcesLoadedBy(join(dist, "cli/main.js"), option);
    expect(loaded).toContain("cli/cli.ts");
    const allowed =
      /^(cli\/([a-z]+|commands\/index)|stack\/(exit\/codes|report\/printable|project\/package)|node_modules\/commander\/.*)\.[jt]s$/;
    expect(loaded.filter((file) => !allowed.test(file))).toEqual([]);
  }
});
