/** Vitest's own runner, which skips by name what the quick part leaves out: no hook of a group without tests is run. */
import { relative } from "node:path";
import { test, TestRunner, type RunnerTestFile, type RunnerTask } from "vitest";
import { isKept, isLeftOutWhole, WHOLE_FILE } from "./quick.ts";
import { whole } from "./parts.ts";

export default class QuickRunner extends TestRunner {
  override importFile(...args: Parameters<TestRunner["importFile"]>): unknown {
    const [path, source] = args;
    const file = relative(process.cwd(), path).replaceAll("\\", "/");
    if (whole || source !== "collect" || !isLeftOutWhole(file)) return super.importFile(...args);
    test.skip(WHOLE_FILE);
    return undefined;
  }

  onCollected(files: RunnerTestFile[]): void {
    if (!whole) for (const file of files) skipIn(file, file.name.replaceAll("\\", "/"));
  }
}

/** Whether anything is left to run. */
function skipIn(task: RunnerTask, file: string): boolean {
  if (task.type === "test") {
    if (task.mode === "run" && !isKept(file, task.name)) task.mode = "skip";
    return task.mode === "run";
  }
  const left = task.tasks.map((inner) => skipIn(inner, file));
  if (task.mode === "run" && !left.includes(true)) task.mode = "skip";
  return left.includes(true);
}
