/** Runs `pulumi up` and its like through the Automation API, without our code: FOLDER ARGS. It ends with the codes of the command. */
import { LocalWorkspace } from "@pulumi/pulumi/automation/index.js";
import { existsSync, readdirSync, rmSync, statSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";

const [folder = "", operation = ""] = process.argv.slice(2);
const onOutput = (text: string): void => void process.stdout.write(text);

// If Pulumi is killed while it writes, it leaves an empty file beside its state, and then reads neither. docs/troubleshooting.md advises this.
const state = join(folder, ".pulumi");
const beside = existsSync(state) ? readdirSync(state, { recursive: true, encoding: "utf8" }) : [];
for (const name of beside.filter((one) => one.endsWith(".attrs"))) {
  const file = join(state, name);
  if (statSync(file).size > 0) continue;
  rmSync(file);
  process.stdout.write(`deleted ${name}, which was empty\n`);
}

const stack = await LocalWorkspace.createOrSelectStack(
  {
    stackName: "dev",
    projectName: "test",
    program: async () => {
      await import(pathToFileURL(join(folder, "index.ts")).href);
    },
  },
  { workDir: folder },
);
const lock = (error: unknown): never => {
  process.stdout.write(String(error));
  process.exit(1);
};
// A killed run leaves its lock behind, as it does for people.
await stack.cancel().catch(() => undefined);
if (operation === "destroy") await stack.destroy({ onOutput, onError: onOutput }).catch(lock);
else if (operation === "preview")
  await stack.preview({ expectNoChanges: true, onOutput, onError: onOutput }).catch(lock);
else await stack.up({ onOutput, onError: onOutput }).catch(lock);
process.exit(0);
