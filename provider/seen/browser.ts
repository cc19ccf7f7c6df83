/** A page as a browser makes it, if there is one on this machine. The browser gets nothing of the program's environment. */
import { execFile } from "node:child_process";
import { accessSync, constants, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { delimiter, join } from "node:path";

const NAMES = ["chromium", "chromium-browser", "google-chrome", "google-chrome-stable", "chrome", "headless_shell"];
const MOST_BYTES = 8 * 1024 * 1024;

export function findBrowser({ PATH = "" }: NodeJS.ProcessEnv): string | undefined {
  const files = PATH.split(delimiter).flatMap((folder) =>
    folder === "" ? [] : NAMES.map((name) => join(folder, name)),
  );
  return files.find((file) => isExecutable(file));
}

function isExecutable(file: string): boolean {
  try {
    accessSync(file, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}

/** Returns the page's HTML after its scripts have run; undefined if the browser fails. */
export function renderedPage(browser: string, url: string, patienceMs: number): Promise<string | undefined> {
  // Node refuses a timeout that isn't whole, and what is left of a wait rarely is.
  const timeoutMs = Math.max(1, Math.ceil(patienceMs));
  const profile = mkdtempSync(join(tmpdir(), "landform-browser-"));
  const args = [
    ...["--headless", "--disable-gpu", "--no-first-run", "--disable-sync", "--disable-extensions", "--incognito"],
    ...["--disable-background-networking", "--disable-component-update", "--disable-dev-shm-usage", "--mute-audio"],
    ...[`--user-data-dir=${profile}`, "--virtual-time-budget=5000", `--timeout=${timeoutMs}`, "--dump-dom"],
    // Otherwise it refuses to run as root, as most containers of a CI do.
    ...(process.getuid?.() === 0 ? ["--no-sandbox"] : []),
  ];
  const env = { PATH: process.env["PATH"] ?? "", HOME: profile };
  return new Promise((resolve) => {
    const options = { env, timeout: timeoutMs, killSignal: "SIGKILL", maxBuffer: MOST_BYTES } as const;
    execFile(browser, [...args, url], options, (error, html) => {
      rmSync(profile, { recursive: true, force: true, maxRetries: 3 });
      resolve(error && html === "" ? undefined : html);
    });
  });
}
