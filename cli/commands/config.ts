import { text } from "node:stream/consumers";
import { Option, type Command } from "commander";
import { secretsFor } from "../../stack/settings/secrets.ts";
import { exitCodes, UsageError, type ExitCode } from "../../stack/exit/codes.ts";
import { exiting, stackOptions } from "../options.ts";
import type { StackOptions } from "../../stack/options.ts";
import { Output } from "../output/terminal.ts";
import { openStack, type StackFolder } from "../../stack/project/open.ts";
import { checkSetting } from "../../stack/settings/settings.ts";
import { SECRET } from "../../stack/report/model.ts";
import { print, printError, printJson } from "../../story/print.ts";

interface ConfigOptions extends StackOptions {
  secret?: true;
  plaintext?: true;
  path?: true;
  json?: true;
  showSecrets?: true;
}

const KEY = "key, such as landform:baseUrl";

export function addConfig(program: Command): void {
  const config = stackOptions(program.command("config")).description(
    "set, print or remove the settings of a stack (Pulumi.STACK.yaml)",
  );
  config
    .command("set")
    .argument("<key>", KEY)
    .argument("[value]", "value (default: read from the terminal or from standard input)")
    .description("set a value")
    .addOption(new Option("--secret", "encrypt the value").conflicts("plaintext"))
    .option("--plaintext", "store the value in the clear, even if it was a secret before")
    .option("--path", "the key is a path into an object, such as a.b[0]")
    .action(exiting(set));
  config
    .command("get")
    .argument("<key>", KEY)
    .description("print a value; a secret is decrypted")
    .option("--path", "the key is a path into an object, such as a.b[0]")
    .action(exiting(get));
  config
    .command("rm")
    .argument("<key>", KEY)
    .description("remove a value")
    .option("--path", "the key is a path into an object, such as a.b[0]")
    .action(exiting(remove));
  config
    .command("ls")
    .description("list the values")
    .option("--json", "print it as JSON")
    .option("--show-secrets", "print secrets decrypted")
    .action(exiting(list));
}

async function set(key: string, given: string | undefined, options: ConfigOptions): Promise<ExitCode> {
  const folder = await openStack(options.C, options.stack);
  const value = given ?? (await read(key));
  checkSetting(folder.project.name, key, value);
  const secret = options.secret === true ? await secretsFor(folder) : undefined;
  folder.config.set(key, value, { path: options.path === true, secret, plaintext: options.plaintext === true });
  await folder.config.write();
  if (!options.secret && /key|token|secret|password/i.test(key)) {
    printError(`note: ${key} is kept in plain text in ${folder.config.file}; add --secret to encrypt it`);
  }
  return exitCodes.done;
}

async function get(key: string, options: ConfigOptions): Promise<ExitCode> {
  const folder = await openStack(options.C, options.stack);
  const stored = folder.config.get(key, isSecret(folder, key) ? await secretsFor(folder) : undefined, {
    path: options.path === true,
  });
  if (stored === undefined)
    throw new UsageError(`${key} is not set on the stack ${folder.stack} (${folder.config.file})`);
  // Scripts get the plain value.
  process.stdout.write(`${typeof stored === "string" ? stored : JSON.stringify(stored)}\n`);
  return exitCodes.done;
}

async function remove(key: string, options: ConfigOptions): Promise<ExitCode> {
  const folder = await openStack(options.C, options.stack);
  if (!folder.config.remove(key, { path: options.path === true })) {
    throw new UsageError(`${key} is not set on the stack ${folder.stack} (${folder.config.file})`);
  }
  await folder.config.write();
  return exitCodes.done;
}

async function list(options: ConfigOptions): Promise<ExitCode> {
  const folder = await openStack(options.C, options.stack);
  const show = options.showSecrets === true;
  const secrets = show ? await secretsFor(folder) : undefined;
  const entries = folder.config.keys().map((key) => {
    const secret = isSecret(folder, key);
    return { key, secret, value: secret && !show ? SECRET : folder.config.get(key, secrets) };
  });
  if (options.json === true) {
    const values = entries.map(({ key, secret, value }) => [key, { value, secret }]);
    printJson(Object.fromEntries(values));
    return exitCodes.done;
  }
  const pad = Math.max(0, ...entries.map(({ key }) => key.length));
  for (const { key, value } of entries) {
    print(`${key.padEnd(pad)}  ${typeof value === "string" ? value : JSON.stringify(value)}`);
  }
  return exitCodes.done;
}

async function read(key: string): Promise<string> {
  if (!process.stdin.isTTY) return (await text(process.stdin)).replace(/\r?\n$/, "");
  return new Output().ask(`${key}: `);
}

function isSecret({ config, project }: StackFolder, key: string): boolean {
  const full = key.includes(":") ? key : `${project.name}:${key}`;
  const root = full.split(/(?<=:[^.[]*)[.[]/)[0] ?? full;
  return JSON.stringify(config.record()[root] ?? null).includes('{"secure":');
}
