/** Finds the stack that an environment is a preview of, and the parts of its state that a preview needs. It only reads. */
import type { Stacks } from "../stacks/kept.ts";
import { whyNotOf } from "../settings/whose-key.ts";
import { existsSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { StackConfig } from "../../engine/index.ts";
import { holdsAny, type StoredResource } from "../../provider/preview/base.ts";
import { isEnvironmentName } from "../../provider/definition/in-preview.ts";
import { recordedAccounts } from "../engines/recorded.ts";
import { UsageError } from "../exit/codes.ts";
import type { ProjectFolder } from "../project/open.ts";
import { settingsOf } from "../settings/settings.ts";
import type { StackSession } from "../run/session.ts";
import { type EnvironmentRecord, recordIn } from "./record.ts";

export interface ReadStack {
  readonly name: string;
  readonly resources: readonly StoredResource[];
  /** The record of a preview; undefined for another stack. */
  readonly environment: EnvironmentRecord | undefined;
}

export async function readStack(stacks: Stacks, name: string): Promise<ReadStack> {
  const { deployment } = await stacks.export(name, { showSecrets: false });
  const resources: readonly StoredResource[] = deployment.resources ?? [];
  return { name, resources, environment: recordIn(resources) };
}

interface Wanted {
  readonly environment: string;
  readonly base: string | undefined;
  /** The base that the environment was made with. */
  readonly recorded: string | undefined;
  /** True if site and project are both named, so that no base is needed. */
  readonly needsNone: boolean;
}

/** Returns undefined if no base is needed and none exists. */
export async function findBase(
  stacks: Stacks,
  names: readonly string[],
  { environment, base, recorded, needsNone }: Wanted,
): Promise<ReadStack | undefined> {
  if (base !== undefined && !names.includes(base))
    throw new UsageError(`--base ${base}: there is no such stack. ${listed(names)}`);
  if (base === undefined && recorded !== undefined && !names.includes(recorded)) {
    if (needsNone) return undefined;
    throw new UsageError(
      `${environment} is a preview of ${recorded}, and that stack is not there any more. ${listed(names)} Name another one with --base`,
      { advice: [{ command: "env down", arguments: [environment], reason: "takes the preview away." }] },
    );
  }
  const known = base ?? recorded;
  if (known !== undefined) return baseIn(await readStack(stacks, known));
  const candidates: ReadStack[] = [];
  for (const name of names.filter((one) => one !== environment && !isEnvironmentName(one))) {
    const stack = await readStack(stacks, name);
    // A stack that was only looked at, by preview or lint, has nothing to copy.
    if (stack.environment === undefined && holdsAny(stack.resources)) candidates.push(stack);
  }
  const [only, second] = candidates;
  if (only !== undefined && second === undefined) return only;
  if (needsNone) return undefined;
  if (only === undefined)
    throw new UsageError(
      "a preview needs a base: a stack of this project whose projects and site it uses, and there is none. Apply the " +
        "program once, or say what to use instead, with --project ID and --site NAME",
      { advice: [{ command: "up", arguments: [], reason: "applies the program." }] },
    );
  throw new UsageError(
    `a preview needs to know its base, and this project has several stacks: ${candidates.map(({ name }) => name).join(", ")}. Name one with --base`,
  );
}

/** Refuses a preview as a base: it would go when its branch goes. */
function baseIn(stack: ReadStack): ReadStack {
  if (stack.environment === undefined) return stack;
  throw new UsageError(
    `${stack.name} is a preview environment itself, which goes when its branch does. Name the stack that it is a preview of with --base`,
  );
}

function listed(names: readonly string[]): string {
  const others = names.filter((name) => !isEnvironmentName(name));
  return others.length === 0 ? "This project has none yet." : `This project has ${others.join(", ")}.`;
}

export async function refuseOtherAccount({ folder }: StackSession, { name, resources }: ReadStack): Promise<void> {
  const own = recordedAccounts({ resources }).find(({ apiKeyEnv }) => apiKeyEnv === undefined);
  const why = own && (await whyNotOf(own.account, await settingsOf(folder)));
  if (why === undefined) return;
  throw new UsageError(
    `${why} (The preview uses the projects and sites of ${name}; --site and --project name others.)`,
  );
}

// An environment has the settings of its base. While commands run, a copy of the base's file stands for them, unless the environment has a
// file of its own. Both engines read settings only there. The first line names the processes that use the copy, so that of two commands at
// once none removes it for the other.

const MARK = "# A copy for a preview environment, while a command of landform runs. It may be deleted. In use by: ";

export async function withSettingsOf<T>(
  { project }: Pick<ProjectFolder, "project">,
  base: string | undefined,
  environment: string,
  work: () => Promise<T>,
): Promise<T> {
  const { file } = await StackConfig.read(project, environment);
  const before = read(file);
  if (before !== undefined && !before.startsWith(MARK)) return work();
  const source = base === undefined ? undefined : (await StackConfig.read(project, base)).file;
  const text = (source === undefined ? undefined : read(source)) ?? "";
  write(file, [...usersOf(read(file)), process.pid], text);
  try {
    return await work();
  } finally {
    leave(file);
  }
}

function leave(file: string): void {
  const now = read(file);
  const others = usersOf(now).filter((pid) => pid !== process.pid);
  if (now === undefined || others.length === 0) rmSync(file, { force: true });
  else write(file, others, now.slice(now.indexOf("\n") + 1));
}

/** Writes the file so that a reader always finds it whole. */
function write(file: string, users: readonly number[], text: string): void {
  const draft = `${file}.${process.pid}`;
  writeFileSync(draft, `${MARK}${[...new Set(users)].join(", ")}\n${text}`, { mode: 0o600 });
  renameSync(draft, file);
}

function read(file: string): string | undefined {
  return existsSync(file) ? readFileSync(file, "utf8") : undefined;
}

/** The running processes of the list. A killed process leaves its file behind. */
function usersOf(text: string | undefined): number[] {
  if (text?.startsWith(MARK) !== true) return [];
  const [line = ""] = text.slice(MARK.length).split("\n");
  return line.split(", ").map(Number).filter(isRunning);
}

function isRunning(pid: number): boolean {
  if (!Number.isSafeInteger(pid) || pid < 1) return false;
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === "EPERM";
  }
}
