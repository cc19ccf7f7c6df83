/** Runs `pulumi up` or `pulumi destroy` of the program in a folder, with Pulumi only. The arguments are the folder, the stack and the command. */
import { LocalWorkspace } from "@pulumi/pulumi/automation/index.js";
import { join } from "node:path";
import { pathToFileURL } from "node:url";

const [workDir = "", stackName = "", kind = "up"] = process.argv.slice(2);
const program = async (): Promise<Record<string, unknown>> =>
  (await import(pathToFileURL(join(workDir, "index.ts")).href)) as Record<string, unknown>;
const stack = await LocalWorkspace.createOrSelectStack({ stackName, projectName: "quickstart", program }, { workDir });
// A program without its engine leaves quietly, and here that ends the whole process.
let isOver = false;
process.on("exit", () => (process.exitCode = isOver ? 0 : 1));
const onOutput = (text: string): boolean => process.stderr.write(text);
const { summary } =
  kind === "destroy"
    ? await stack.destroy({ onOutput })
    : await stack.up({ onOutput, refresh: kind === "up --refresh" });
isOver = true;
process.stdout.write(JSON.stringify(summary.resourceChanges ?? {}));
