/** `pulumi up` and its like without a word of ours, as the Automation API runs them: FOLDER ARGS. Ends with the codes of the command. */
import { LocalWorkspace } from "@pulumi/pulumi/automation/index.js";
import { join } from "node:path";
import { pathToFileURL } from "node:url";

const [folder = "", operation = ""] = process.argv.slice(2);
const onOutput = (text: string): void => void process.stdout.write(text);

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
