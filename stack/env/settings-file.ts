/**
 * An environment has the settings of its base: a copy of the base's file, for as long as commands run, unless the environment
 * has a file of its own. Both engines read settings there and nowhere else. The first line names the processes that use it, so
 * that of two commands at once none takes it from under the other.
 */
import { existsSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { StackConfig } from "../../engine/index.ts";
import type { ProjectFolder } from "../project/open.ts";

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

/** Whoever reads it meanwhile finds it whole. */
function write(file: string, users: readonly number[], text: string): void {
  const draft = `${file}.${process.pid}`;
  writeFileSync(draft, `${MARK}${[...new Set(users)].join(", ")}\n${text}`, { mode: 0o600 });
  renameSync(draft, file);
}

function read(file: string): string | undefined {
  return existsSync(file) ? readFileSync(file, "utf8") : undefined;
}

/** Processes that are there: one that was killed has left its file. */
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
