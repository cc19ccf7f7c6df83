/** The program as Pulumi is to run it: its file, and around it what Pulumi's installation may not have. */
import { chmodSync, existsSync, mkdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { delimiter, dirname, join } from "node:path";
import type { ProgramOptions } from "../../../engine/index.ts";
import { UsageError } from "../../exit/codes.ts";
import type { PulumiCli } from "./command.ts";

export function programEnvironment(cli: PulumiCli): Record<string, string> {
  const { env, found, scratch } = cli;
  return {
    ...env,
    PATH: [...(found.dynamicPlugin ? [] : [writePlugin(scratch)]), env["PATH"] ?? ""].join(delimiter),
    PULUMI_AUTOMATION_API_SKIP_VERSION_CHECK: "true",
  };
}

/** The plugin of dynamic providers, which Pulumi's installation has beside its Node language host. */
function writePlugin(scratch: string): string {
  const script = createRequire(import.meta.url).resolve("@pulumi/pulumi/cmd/dynamic-provider/index.js");
  const file = join(scratch, "plugins", "pulumi-resource-pulumi-nodejs");
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, `#!/bin/sh\nexec '${process.execPath}' '${script}' "$@"\n`);
  chmodSync(file, 0o755);
  return dirname(file);
}

/** The file that stands for the folder or the file that Pulumi.yaml names as the program. */
export function programFile(root: string, program: ProgramOptions): string {
  const entry = join(program.entry?.startsWith("/") === true ? "/" : root, program.entry ?? ".");
  if (!existsSync(entry)) throw new UsageError(`the program ${entry} does not exist; check \`main\` in Pulumi.yaml`);
  if (!statSync(entry).isDirectory()) return entry;
  const described = join(entry, "package.json");
  const main = existsSync(described)
    ? (JSON.parse(readFileSync(described, "utf8")) as { main?: string }).main
    : undefined;
  const names = [...(main === undefined ? [] : [main]), "index.ts", "index.js", "index.mjs", "index.cjs"];
  const found = names.map((name) => join(entry, name)).find((file) => existsSync(file));
  if (found === undefined) throw new UsageError(`there is no program in ${entry}: no ${names.join(", no ")}`);
  return found;
}
