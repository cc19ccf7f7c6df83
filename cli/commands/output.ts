/** `landform output`: prints the program's outputs from the last run. It runs nothing and asks no service. */
import { shellQuoted } from "../../provider/values/command-line.ts";
import type { Command } from "commander";
import { type ExportedStack, heldNumber, isRootStack, type Json, SECRET_SIG, SIG_KEY } from "../../engine/index.ts";
import { insteadOf } from "../../provider/values/nearest.ts";
import { type ExitCode, exitCodes, UsageError } from "../../stack/exit/codes.ts";
import type { StateOptions } from "../../stack/options.ts";
import { openProject } from "../../stack/project/open.ts";
import { SECRET } from "../../stack/report/model.ts";
import { requireStack, withStacks } from "../../stack/stacks/stacks.ts";
import { print } from "../../story/print.ts";
import { engineOption, exiting, stackOptions } from "../options.ts";

interface OutputOptions extends StateOptions {
  json?: boolean;
  env?: boolean;
  shell?: boolean;
  showSecrets?: boolean;
}

export function addOutput(program: Command): void {
  engineOption(stackOptions(program.command("output").argument("[name]", "name of the output (default: all)")))
    .description("print the outputs of the last run, or one of them")
    .option("--json", "print it as JSON")
    .option("--env", "print them as lines of a .env file")
    .option("--shell", 'print them as lines for a shell: eval "$(npx landform output --shell)"')
    .option("--show-secrets", "print secrets decrypted")
    .action(exiting(output));
}

async function output(name: string | undefined, options: OutputOptions): Promise<ExitCode> {
  const form = formOf(options);
  const all = await recorded(options);
  const wanted = name === undefined ? all : [named(name, all, options.stack)];
  if (options.showSecrets !== true) refuseSecret(wanted, name);
  if (all.length === 0) process.stderr.write(`The stack ${options.stack} has no outputs.\n`);
  const text = form(wanted, name);
  // A script gets the plain value. A terminal gets text that can't control it.
  if (text !== "" && process.stdout.isTTY) print(text);
  else if (text !== "") process.stdout.write(`${text}\n`);
  return exitCodes.done;
}

async function recorded({ C, stack, engine, showSecrets = false }: OutputOptions): Promise<StackOutput[]> {
  const folder = await openProject(C);
  return withStacks(engine, folder, async (stacks) => {
    const name = await requireStack(stacks, folder, stack);
    const outputs = outputsOf(await stacks.export(name, { showSecrets }));
    return showSecrets ? outputs : outputs.map((one) => (one.secret ? { ...one, value: undefined } : one));
  });
}

function named(name: string, outputs: readonly StackOutput[], stack: string): StackOutput {
  const found = outputs.find((one) => one.name === name);
  if (found !== undefined) return found;
  const names = outputs.map((one) => one.name);
  throw new UsageError(`the stack ${stack} has no output "${name}"${insteadOf(name, names, "Outputs")}`);
}

/** A reader would take a placeholder for the secret's value. */
function refuseSecret(wanted: readonly StackOutput[], name: string | undefined): void {
  if (name === undefined || wanted.every(({ value }) => value !== undefined)) return;
  throw new UsageError(`the output ${name} is a secret. Add --show-secrets to print it`);
}

type Form = (outputs: readonly StackOutput[], name: string | undefined) => string;

function formOf({ json, env, shell }: OutputOptions): Form {
  const given = [json, env, shell].filter(Boolean).length;
  if (given > 1) throw new UsageError("--json, --env and --shell are three forms; choose one");
  if (json === true) return asJson;
  if (env === true) return (outputs) => lines(outputs, envLine);
  if (shell === true) return (outputs) => lines(outputs, shellLine);
  return asText;
}

function asJson(outputs: readonly StackOutput[], name: string | undefined): string {
  const values = outputs.map((one) => [one.name, one.value ?? (one.secret ? SECRET : null)] as const);
  return JSON.stringify(name === undefined ? Object.fromEntries(values) : values[0]?.[1], undefined, 2);
}

function asText(outputs: readonly StackOutput[], name: string | undefined): string {
  if (name !== undefined) return outputs.map(({ value }) => plainText(value ?? null)).join("\n");
  const pad = Math.max(0, ...outputs.map((one) => one.name.length));
  return outputs
    .map((one) => `${one.name.padEnd(pad)}  ${one.value === undefined ? SECRET : plainText(one.value)}`)
    .join("\n");
}

function lines(
  outputs: readonly StackOutput[],
  line: (name: string, value: NonNullable<StackOutput["value"]>) => string,
): string {
  refuseCollisions(outputs);
  const hidden = outputs.filter(({ value }) => value === undefined).map(({ name }) => name);
  if (hidden.length > 0) {
    process.stderr.write(`left out, since secret: ${hidden.join(", ")}; --show-secrets prints them\n`);
  }
  return outputs.flatMap(({ name, value }) => (value === undefined ? [] : [line(name, value ?? "")])).join("\n");
}

function refuseCollisions(outputs: readonly StackOutput[]): void {
  const same = Map.groupBy(outputs, ({ name }) => variableName(name));
  for (const [variable, [one, other]] of same) {
    if (one !== undefined && other !== undefined)
      throw new UsageError(`${one.name} and ${other.name} would both be the variable ${variable}. Use --json`);
  }
}

interface StackOutput {
  name: string;
  /** Undefined for a secret that stayed encrypted. */
  value: Json | undefined;
  secret: boolean;
}

export function outputsOf({ deployment: { resources = [] } }: ExportedStack): StackOutput[] {
  const root = resources.find(({ urn }) => isRootStack(urn));
  return Object.entries(root?.outputs ?? {})
    .map(([name, stored]) => ({ name, ...opened(stored) }))
    .sort((a, b) => (a.name < b.name ? -1 : 1));
}

function opened(stored: Json): { value: Json | undefined; secret: boolean } {
  if (Array.isArray(stored)) return gathered(stored.map(opened), (values) => values);
  if (stored === null || typeof stored !== "object") return { value: stored, secret: false };
  if (stored[SIG_KEY] === SECRET_SIG) {
    const { plaintext } = stored;
    if (typeof plaintext !== "string") return { value: undefined, secret: true };
    return { value: opened(JSON.parse(plaintext) as Json).value, secret: true };
  }
  const number = heldNumber(stored);
  if (number !== undefined) return { value: number, secret: false };
  const names = Object.keys(stored);
  return gathered(Object.values(stored).map(opened), (values) =>
    Object.fromEntries(names.map((name, index) => [name, values[index] ?? null])),
  );
}

function gathered(
  parts: { value: Json | undefined; secret: boolean }[],
  join: (values: Json[]) => Json,
): { value: Json | undefined; secret: boolean } {
  const values = parts.map(({ value }) => value);
  const secret = parts.some((part) => part.secret);
  return { value: values.every((value) => value !== undefined) ? join(values) : undefined, secret };
}

function plainText(value: Json): string {
  return typeof value === "string" ? value : JSON.stringify(value);
}

export function shellLine(name: string, value: Json): string {
  return `${variableName(name)}=${shellQuoted(plainText(value))}`;
}

/** For .env files. A value is quoted if a reader would not take it for plain text. */
export function envLine(name: string, value: Json): string {
  const text = plainText(value);
  if (/^[\w./:@%+,~-]*$/.test(text)) return `${variableName(name)}=${text}`;
  if (!/['\r\n]/.test(text)) return `${variableName(name)}='${text}'`;
  const escaped = text
    .replaceAll("\\", "\\\\")
    .replaceAll("`", "\\`")
    .replaceAll("$", "\\$")
    .replaceAll('"', '\\"')
    .replaceAll("\n", "\\n")
    .replaceAll("\r", "\\r");
  return `${variableName(name)}="${escaped}"`;
}

/** Outputs may have any name, but variables may not. */
function variableName(output: string): string {
  const name = output.replaceAll(/[^A-Za-z0-9_]/g, "_");
  return /^\d/.test(name) ? `_${name}` : name;
}
