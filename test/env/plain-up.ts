/** `pulumi up` or `pulumi destroy` of the program in a folder, by Pulumi alone: arguments are the folder, the stack and which. */
import { LocalWorkspace } from "@pulumi/pulumi/automation/index.js";
import { join } from "node:path";
import { pathToFileURL } from "node:url";

const [workDir = "", stackName = "", kind = "up"] = process.argv.slice(2);
const program = async (): Promise<Record<string, unknown>> =>
  (await import(pathToFileURL(join(workDir, "index.ts")).href)) as Record<string, unknown>;
const stack = await LocalWorkspace.createOrSelectStack({ stackName, projectName: "quickstart", program }, { workDir });
const { summary } = kind === "destroy" ? await stack.destroy() : await stack.up();
process.stdout.write(JSON.stringify(summary.resourceChanges ?? {}));
