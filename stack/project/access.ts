/** Whether the service can be spoken to at all: told before anything runs, with the lines that set it right. */
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { foreignEditsInForce, verifyInForce, verifyWaitInForce } from "../../provider/pulumi/settings-in-force.ts";
import { UsageError } from "../exit/codes.ts";
import type { StackFolder } from "./open.ts";

const SETTINGS = [
  { variable: "LANDFORM_BASE_URL", key: "landform:baseUrl", example: "https://HOST/v1", flag: "" },
  // Without a value it is asked for, and stays out of the shell's history.
  { variable: "LANDFORM_API_KEY", key: "landform:apiKey", example: "KEY", flag: "--secret " },
] as const;

export function checkAccess(folder: StackFolder): void {
  checkSettings(folder);
  const set = new Set(folder.config.keys());
  const missing = SETTINGS.filter(({ variable, key }) => !process.env[variable] && !set.has(key));
  if (missing.length === 0 || folder.config.hasEnvironment || !usesDefaultAccount(folder)) return;
  const isJob = process.env["GITHUB_ACTIONS"] === "true" || process.env["GITLAB_CI"] === "true";
  throw new UsageError(isJob ? forJob(missing) : forPerson(missing));
}

/** What only an apply uses is found wrong before it begins. */
function checkSettings({ config }: StackFolder): void {
  const get = (key: string): unknown => config.get(key);
  for (const inForce of [foreignEditsInForce, verifyInForce, verifyWaitInForce]) inForce(get, process.env);
}

type Missing = readonly (typeof SETTINGS)[number][];

function notSet(missing: Missing): string {
  return `${missing.map(({ variable }) => variable).join(" and ")} ${missing.length === 1 ? "is" : "are"} not set`;
}

function forJob(missing: Missing): string {
  const it = missing.length === 1 ? "it" : "them";
  return process.env["GITLAB_CI"] === "true"
    ? `${notSet(missing)} in this job. Set ${it} in the project's settings (CI/CD, Variables), masked and not protected: a protected variable is given to jobs of protected branches alone, and to none of a merge request. Nothing was sent.`
    : `${notSet(missing)} in this job. Set ${it} among the repository's variables and secrets, and give ${it} to the job under env, as examples/gitops does; jobs of forks get no secrets. Nothing was sent.`;
}

function forPerson(missing: Missing): string {
  const it = missing.length === 1 ? "it" : "them";
  return [
    `${notSet(missing)}. Set ${it}:`,
    "",
    ...missing.map(({ variable, example }) => `  export ${variable}=${example}`),
    "",
    `or keep ${it} in the stack:`,
    "",
    ...missing.map(
      ({ key, example, flag }) => `  npx landform config set ${flag}${key}${flag === "" ? ` ${example}` : ""}`,
    ),
    "",
    "To try without an account, run `npx landform emulator` in another terminal.",
  ].join("\n");
}

function usesDefaultAccount({ manifest, root }: StackFolder): boolean {
  if (manifest) return manifest.entries.some(({ account }) => account === undefined);
  const sources = programTexts(root, 2);
  return sources.some((text) => /["']landform["']/.test(text)) && !sources.some((text) => /\bAccount\s*\(/.test(text));
}

/** The program's own files, as far as they are easily found: this is a courtesy, and the provider checks for itself. */
function programTexts(folder: string, depth: number): string[] {
  return readdirSync(folder, { withFileTypes: true }).flatMap((entry) => {
    const path = join(folder, entry.name);
    if (entry.isFile() && /\.[cm]?[jt]s$/.test(entry.name)) return [readFileSync(path, "utf8")];
    const skipped = entry.name.startsWith(".") || entry.name === "node_modules" || entry.name === "dist";
    return entry.isDirectory() && depth > 0 && !skipped ? programTexts(path, depth - 1) : [];
  });
}
