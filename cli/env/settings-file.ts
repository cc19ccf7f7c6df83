/**
 * An environment has the settings of its base: a copy of the base's file, for as long as a command runs, unless the
 * environment has a file of its own. Both engines read settings there and nowhere else.
 */
import { existsSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { StackConfig } from "../../engine/index.ts";
import type { ProjectFolder } from "../project/open.ts";

const MARK = "# A copy for a preview environment, while a command of landform runs. It may be deleted.\n";

export async function withSettingsOf<T>(
  { project }: Pick<ProjectFolder, "project">,
  base: string | undefined,
  environment: string,
  work: () => Promise<T>,
): Promise<T> {
  const { file } = await StackConfig.read(project, environment);
  if (existsSync(file) && !readFileSync(file, "utf8").startsWith(MARK)) return work();
  const source = base === undefined ? undefined : (await StackConfig.read(project, base)).file;
  const text = source !== undefined && existsSync(source) ? readFileSync(source, "utf8") : "";
  writeFileSync(file, MARK + text, { mode: 0o600 });
  try {
    return await work();
  } finally {
    rmSync(file, { force: true });
  }
}
