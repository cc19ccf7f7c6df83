/** The messages of the command line about wrong options and folders. */
import { execFile } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import type { Message } from "./message.ts";

const CLI = join(import.meta.dirname, "../../dist/cli/main.js");

const COMMANDS = [
  "",
  "uo",
  "up --paralel 3",
  "up --parallel none",
  "up --engine fast",
  "up --max-deletes lots",
  "up -C nowhere",
  "up -C empty",
  "up --plan nothing.json",
  "up --plan broken.json",
  "preview -C broken",
  "destroy -C manifest --engine pulumi --yes",
  "preview -C manifest",
  "preview -C manifest --stack a/b/c/d",
  "check nothing.yaml",
  "check -C empty",
  "export",
  "state import --file broken.json -C manifest",
  "state unlock -C manifest",
  "emulator --port many",
  "emulator --faults broken.json",
  "init manifest --yes",
  "init new --name a/b --yes",
  "emulator --tour",
  "config get nothing -C manifest",
  "completion tcsh",
];

export async function* commandMessages(): AsyncIterable<Message> {
  const folder = mkdtempSync(join(tmpdir(), "messages-"));
  try {
    writeFileSync(join(folder, "broken.json"), '{ "landform": ');
    await promisify(execFile)("mkdir", ["empty", "broken", "manifest"], { cwd: folder });
    writeFileSync(join(folder, "broken/Pulumi.yaml"), "name: [\n");
    writeFileSync(join(folder, "manifest/landform.yaml"), "landform: 1\nsites: { a: }\n");
    for (const command of COMMANDS) yield { when: `landform ${command}`, text: await told(command, folder) };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

function told(command: string, cwd: string): Promise<string> {
  const { LANDFORM_API_KEY, LANDFORM_BASE_URL, ...env } = process.env;
  const args = [CLI, ...command.split(" ").filter((word) => word !== "")];
  return new Promise((resolve) => {
    execFile(process.execPath, args, { cwd, env, timeout: 60_000 }, (error, stdout, stderr) => {
      const code = error === null ? 0 : (error.code ?? error.signal ?? "?");
      resolve(`${stdout}${stderr}[exit code ${String(code)}]`.replaceAll(cwd, "DIR"));
    });
  });
}
