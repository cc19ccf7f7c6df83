/** A command in this process: its exit code and all that it says. */
import { onTestFinished, vi } from "vitest";
import { run } from "../../cli/cli.ts";
import { saysWhy } from "./harness.ts";

export async function called(...args: string[]): Promise<{ code: number; text: string }> {
  let text = "";
  const hear = (chunk: string | Uint8Array): boolean => (text += chunk.toString()) !== "";
  vi.spyOn(process.stdout, "write").mockImplementation(hear);
  vi.spyOn(process.stderr, "write").mockImplementation(hear);
  onTestFinished(() => {
    vi.restoreAllMocks();
    process.exitCode = undefined;
  });
  process.exitCode = undefined;
  const code = await run(args);
  saysWhy(args, { code, stdout: text, stderr: "" });
  return { code, text };
}
