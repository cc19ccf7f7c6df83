import { execFileSync } from "node:child_process";

/** Runs git as somebody, whatever the machine's own settings are. Returns what it prints. */
export function gitIn(folder: string, ...args: readonly string[]): string {
  const somebody = ["-c", "user.name=A", "-c", "user.email=a@example.com"];
  return execFileSync("git", [...somebody, ...args], { cwd: folder, encoding: "utf8", stdio: "pipe" });
}
